"""What instrumented runs used: how much of it, and whether it grows."""

from typing import Annotated

import numpy as np

from feedrate.claims.evidence import Evidence, NoData
from feedrate.claims.grammar import known
from feedrate.claims.metrics import METRICS, MIB
from feedrate.claims.operators.operator import Estimate, Operator
from feedrate.claims.selection import over_epochs, warm, where
from feedrate.configuration.model import Name, Section, Workers
from feedrate.statistics.trend import FEWEST_FOR_TREND, trend
from feedrate.wording import counted_workers

RESOURCES = {name: metric for name, metric in METRICS.items() if metric.table == "resources"}
MEMORIES = [name for name, metric in RESOURCES.items() if metric.unit == MIB]


class Range(Section, Operator):
    """From the lowest to the highest of all instrumented runs with more workers than a number."""

    metric: Annotated[str, known(RESOURCES, "a resource")]
    workers_above: Workers
    condition: Name | None = None

    @property
    def unit(self) -> str:
        return RESOURCES[self.metric].unit

    def evaluate(self, evidence: Evidence, confidence: float) -> Estimate:
        metric, workers = RESOURCES[self.metric], counted_workers(self.workers_above)
        rows = where(evidence.resources, arm=metric.arm)
        rows = where(rows, condition=self.condition) if self.condition else rows
        rows = rows if rows.empty else rows[rows["num_workers"] > self.workers_above]
        if rows.empty:
            place = f" of {self.condition}" if self.condition else ""
            raise NoData(f"no instrumented run{place} with more than {workers}")
        runs = rows.groupby(["condition", "settings"], sort=False)
        found = [value for _, own in runs if (value := over_epochs(own, metric)) is not None]
        if not found:
            raise NoData(f"{metric.meaning} isn't reported on this machine")
        place = f"{self.condition}, " if self.condition else ""
        subject = f"{metric.meaning}, {place}more than {workers}"
        basis = "range over 1 run" if len(found) == 1 else f"range over {len(found)} runs"
        return Estimate(float(np.median(found)), min(found), max(found), subject, basis=basis)


class Slope(Section, Operator):
    """The `trend` of a memory over the warm epochs of the leak arm."""

    metric: Annotated[str, known(MEMORIES, "a memory")]
    condition: Name

    @property
    def unit(self) -> str:
        return f"{RESOURCES[self.metric].unit} per epoch"

    def evaluate(self, evidence: Evidence, confidence: float) -> Estimate:
        metric = RESOURCES[self.metric]
        rows = where(evidence.resources, arm="leak", condition=self.condition)
        if rows.empty:
            raise NoData(f"no run of many epochs (arm leak) of condition {self.condition}")
        if rows["settings"].nunique() > 1:
            raise NoData(f"several settings have a run of many epochs of {self.condition}")
        rows = warm(rows).dropna(subset=[metric.column])
        found = trend(rows["epoch"].tolist(), rows[metric.column].tolist(), confidence)
        epochs = f"{len(rows)} warm epochs"
        if found is None:
            raise NoData(
                f"{epochs} of condition {self.condition} in the arm leak; "
                f"a trend needs {FEWEST_FOR_TREND}"
            )
        subject = f"trend of {metric.meaning}, {self.condition}"
        return Estimate(found.slope, found.low, found.high, subject, confidence, basis=epochs)
