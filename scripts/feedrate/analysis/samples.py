"""Which repetitions may be compared: one family of settings, one session or equivalent ones."""

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from feedrate.analysis.tables import FIRST_GROUP
from feedrate.statistics.comparison import Comparison, Verdict, compare_independent

WORKER_FACTORS = ["prefetch_factor", "persistent_workers"]
"""Settings that a loader without workers doesn't have."""

Throughputs = dict[int, dict[int, float]]
"""Workers -> round -> images per second."""


@dataclass(frozen=True)
class SessionMatch:
    """A later session against the first one, by the sentinel in both."""

    session: str
    comparison: Comparison | None

    @property
    def merged(self) -> bool:
        """Whether its repetitions count together with those of the first session."""
        return self.comparison is not None and self.comparison.verdict is Verdict.EQUIVALENT


def match_sessions(epochs: pd.DataFrame, sentinel: str) -> list[SessionMatch]:
    """Each later session of an epoch table: its anchors against the sentinel in the first session.

    `sentinel` is `condition/settings`. A session without anchors is the first.
    """
    warm = epochs[epochs["phase"] == "warm"]
    anchors = warm[warm["arm"] == "anchor"]
    later = list(dict.fromkeys(anchors["session"]))
    names = warm["condition"] + "/" + warm["settings"]
    timed = (warm["arm"] == "training") & (names == sentinel)
    first = _throughputs(warm[timed & ~warm["session"].isin(later)])
    return [
        SessionMatch(
            session,
            compare_independent(_throughputs(anchors[anchors["session"] == session]), first),
        )
        for session in later
    ]


def _throughputs(warm: pd.DataFrame) -> list[float]:
    by_repetition = warm.groupby(["session", "repetition"])["images_per_second"].median()
    return [float(value) for value in by_repetition]


def with_groups(epochs: pd.DataFrame, matches: Iterable[SessionMatch]) -> pd.DataFrame:
    """The table with its column `group` set: what may be compared has the same one."""
    apart = epochs["session"].isin([match.session for match in matches if not match.merged])
    return epochs.assign(group=epochs["session"].where(apart, FIRST_GROUP))


def comparable(rows: pd.DataFrame) -> pd.DataFrame:
    """For each condition, the rows of the group that has most of them, the first of equals."""
    kept = [
        own[own["group"] == own["group"].value_counts(sort=False).idxmax()]
        for _, own in rows.groupby("condition", sort=False)
    ]
    return pd.concat(kept).sort_index() if kept else rows


def worker_family(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows that differ in their number of workers and in nothing else.

    Of several such families the one with most worker counts, the first of equals. A loader
    without workers belongs to every family with its batch size and its kind of memory.
    """
    best = rows.iloc[:0]
    for values, loaded in rows[rows["num_workers"] > 0].groupby(
        ["batch_size", "pin_memory", *WORKER_FACTORS], sort=False
    ):
        batch_size, pin_memory, *_ = values
        bare = rows[
            (rows["num_workers"] == 0)
            & (rows["batch_size"] == batch_size)
            & (rows["pin_memory"] == pin_memory)
        ]
        family = pd.concat([bare, loaded])
        if family["num_workers"].nunique() > best["num_workers"].nunique():
            best = family
    return best if len(best) else rows[rows["num_workers"] == 0]


def throughputs(rows: pd.DataFrame) -> Throughputs:
    """Warm images per second of a family's repetitions, by workers and round."""
    found: Throughputs = {}
    for row in rows.sort_values("num_workers").to_dict("records"):
        by_round = found.setdefault(int(row["num_workers"]), {})
        by_round[int(row["repetition"])] = float(row["warm_images_per_second"])
    return found
