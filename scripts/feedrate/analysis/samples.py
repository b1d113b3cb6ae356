"""Which repetitions may be compared: one family of settings, one session or equivalent ones."""

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

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


def match_sessions(anchors: pd.DataFrame, sentinel: pd.DataFrame) -> list[SessionMatch]:
    """Each later session's anchors against the sentinel's repetitions in the first session.

    Both are repetition tables; a session that the anchors don't name is the first.
    """
    later = list(dict.fromkeys(anchors["session"]))
    first = sentinel[~sentinel["session"].isin(later)]["warm_images_per_second"]
    return [
        SessionMatch(
            session,
            compare_independent(
                anchors[anchors["session"] == session]["warm_images_per_second"].tolist(),
                first.tolist(),
            ),
        )
        for session in later
    ]


def with_group(repetitions: pd.DataFrame, matches: Iterable[SessionMatch]) -> pd.DataFrame:
    """The table with a column `group`: what may be compared has the same one."""
    apart = [match.session for match in matches if not match.merged]
    return repetitions.assign(
        group=repetitions["session"].where(repetitions["session"].isin(apart), "first")
    )


def comparable(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the group that has most of them, the first of equals."""
    return (
        rows[rows["group"] == rows["group"].value_counts(sort=False).idxmax()]
        if len(rows)
        else rows
    )


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
