"""How long a run will take: a forecast from rehearsals, corrected by what has been measured."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from feedrate.measurement.arm import Scope
from feedrate.measurement.arms import ARMS
from feedrate.planning.rehearsal import rehearsal_of
from feedrate.planning.specification import Specification


def foretold_seconds(specification: Specification, rehearsal: Mapping[str, Any]) -> float:
    """Seconds that a cell should take, from the work in it and the processes that share the work.

    Loading spreads over the workers, and on a CPU the training competes with them for its cores;
    nothing is quicker than its slowest part.
    """
    arm = ARMS[specification["arm"]]
    images: int = specification["workload"]["images"]
    batch_size: int = specification["loader"]["batch_size"]
    loading = images * rehearsal.get("load_seconds_per_image", 0.0) if arm.loads else 0.0
    training = images / batch_size * rehearsal["step_seconds"] if arm.trains else 0.0
    if arm.scope is Scope.SETTINGS:
        epoch = _epoch_seconds(specification, loading, training)
    else:  # without a loader, torch's own threads transform
        epoch = training + loading / int(specification["threads"])
    epochs: int = specification.get("epochs", specification["training"]["epochs"])
    start: float = rehearsal["import_seconds"]
    return float(start + epoch * epochs)


def _epoch_seconds(specification: Specification, loading: float, training: float) -> float:
    workers: int = specification["loader"]["num_workers"]
    if not workers:
        return loading + training
    on_cpu = specification["device"]["name"] == "cpu"
    training_cores: int = specification["threads"] if on_cpu else 0
    shared = (loading + training * training_cores) / specification["machine"]["usable_cores"]
    return float(max(loading / workers, training, shared))


def foretold_by(rehearsals: Path) -> Callable[[Specification], float]:
    """A function that forecasts a cell's seconds from the rehearsals kept in that folder.

    It raises OSError for a cell that was never rehearsed.
    """

    @cache
    def remembered(file: Path) -> Mapping[str, Any]:
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return content

    def foretold(specification: Specification) -> float:
        return foretold_seconds(specification, remembered(rehearsal_of(specification, rehearsals)))

    return foretold


def human_duration(seconds: float) -> str:
    """`less than a minute`, `about 7 min` or `about 1 h 05 min`."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    return (
        f"about {minutes} min"
        if minutes < 60
        else f"about {minutes // 60} h {minutes % 60:02d} min"
    )


def measured_seconds(record: Mapping[str, Any]) -> float:
    """Wall seconds of the process that wrote a cell's record."""
    started, ended = (
        datetime.fromisoformat(record["process"][key]) for key in ("started_at", "ended_at")
    )
    return (ended - started).total_seconds()
