"""What the plan says, and the rows of the tables that belong to a part of it."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from feedrate.analysis.tables import comparable
from feedrate.measurement.models import MODELS
from feedrate.measurement.workload import Model, Workload
from feedrate.measurement.workloads import WORKLOADS

Plan = Mapping[str, Any]


def conditions_of(plan: Plan) -> list[str]:
    """The names of all conditions, in the order of the configuration."""
    return list(plan["experiment"]["conditions"])


def device_of(plan: Plan) -> str:
    """The device that trained."""
    return str(plan["cells"][0]["specification"]["device"]["name"])


def workload_of(plan: Plan) -> Workload:
    """What was trained on."""
    return WORKLOADS[plan["cells"][0]["specification"]["workload"]["name"]]


def model_of(plan: Plan) -> Model:
    """What was trained."""
    return MODELS[plan["cells"][0]["specification"]["training"]["model"]]


def of_sweep(table: pd.DataFrame, plan: Plan, sweep: str) -> pd.DataFrame:
    """The rows of `table` whose condition and settings belong to `sweep`; none if it has none.

    Of sessions that may not be compared, each condition shows one: see `comparable`.
    """
    members = set(plan["sweeps"].get(sweep, ()))
    return comparable(table[(table["condition"] + "/" + table["settings"]).isin(members)])


def why_left_out(plan: Plan, sweep: str) -> str | None:
    """Why `sweep` doesn't apply on this machine; None if it does or isn't configured."""
    if sweep in plan["sweeps"]:
        return None
    reasons = (entry["reason"] for entry in plan["not_applicable"] if entry["sweep"] == sweep)
    return next(reasons, None)
