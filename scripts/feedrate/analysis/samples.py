"""Which repetitions may be compared: one family of settings, one session or equivalent ones."""

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from feedrate.analysis.tables import FIRST_GROUP
from feedrate.configuration.factors import FACTORS
from feedrate.statistics.comparison import Comparison, Verdict, compare_independent

WORKERS = "num_workers"
WORKER_FACTORS = [factor.name for factor in FACTORS if factor.needs_workers]
"""Settings that a loader without workers doesn't have."""
OTHER_FACTORS = [factor.name for factor in FACTORS if factor.name not in (WORKERS, *WORKER_FACTORS)]

Throughputs = dict[int, dict[int, float]]
"""Workers -> round -> images per second."""


@dataclass(frozen=True)
class SessionMatch:
    """A later session against the first one, by a setting that both have.

    `setting` is `condition/settings`, None if there is none; `repetitions` is how many the later
    session has of it, `first_repetitions` how many the first one.
    """

    session: str
    setting: str | None
    repetitions: int
    first_repetitions: int
    comparison: Comparison | None

    @property
    def merged(self) -> bool:
        """Whether its repetitions count together with those of the first session."""
        return self.comparison is not None and self.comparison.verdict is Verdict.EQUIVALENT


def match_sessions(epochs: pd.DataFrame) -> list[SessionMatch]:
    """Each later session of an epoch table against the first, in the order of their starts.

    Compared is the setting of its anchors, to which its own repetitions of it count as well;
    without anchors, the setting that both sessions repeated most.
    """
    warm = epochs[epochs["phase"] == "warm"]
    names = warm["condition"] + "/" + warm["settings"]
    columns = [warm["session"], names.rename("name"), warm["arm"], warm["repetition"]]
    values = warm.groupby(columns)["images_per_second"].median().reset_index()
    first, *later = epochs.sort_values("started_at", kind="stable")["session"].unique()
    reference = values[(values["session"] == first) & (values["arm"] == "training")]
    return [_match(session, values[values["session"] == session], reference) for session in later]


def _match(session: str, own: pd.DataFrame, first: pd.DataFrame) -> SessionMatch:
    anchored = own[own["arm"] == "anchor"]
    shared = (anchored if len(anchored) else own)["name"]
    counts = shared[shared.isin(first["name"])].value_counts(sort=False)
    if counts.empty:
        return SessionMatch(session, None, 0, 0, None)
    setting = str(counts.idxmax())
    later, earlier = (
        rows[rows["name"] == setting]["images_per_second"].tolist() for rows in (own, first)
    )
    comparison = compare_independent(later, earlier)
    return SessionMatch(session, setting, len(later), len(earlier), comparison)


def with_groups(table: pd.DataFrame, matches: Iterable[SessionMatch]) -> pd.DataFrame:
    """A table with a column `session` and its `group`: what may be compared has the same one."""
    apart = table["session"].isin([match.session for match in matches if not match.merged])
    return table.assign(group=table["session"].where(apart, FIRST_GROUP))


def worker_family(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows that differ in their number of workers and in nothing else.

    Of several such families the one with most worker counts, the first of equals. A loader
    without workers belongs to every family that has its other settings.
    """
    best = rows.iloc[:0]
    for values, loaded in rows[rows[WORKERS] > 0].groupby(
        [*OTHER_FACTORS, *WORKER_FACTORS], sort=False, dropna=False
    ):
        bare = rows[rows[WORKERS] == 0]
        for factor, level in zip(OTHER_FACTORS, values, strict=False):
            bare = bare[bare[factor] == level]
        family = pd.concat([bare, loaded])
        if family[WORKERS].nunique() > best[WORKERS].nunique():
            best = family
    return best if len(best) else rows[rows[WORKERS] == 0]


def worker_families(table: pd.DataFrame) -> pd.DataFrame:
    """Of every condition the rows that differ in their number of workers and in nothing else."""
    families = [worker_family(own) for _, own in table.groupby("condition", sort=False)]
    return pd.concat(families) if families else table


def throughputs(rows: pd.DataFrame) -> Throughputs:
    """Warm images per second of a family's repetitions, by workers and round."""
    found: Throughputs = {}
    for row in rows.sort_values("num_workers").to_dict("records"):
        by_round = found.setdefault(int(row["num_workers"]), {})
        by_round[int(row["repetition"])] = float(row["warm_images_per_second"])
    return found
