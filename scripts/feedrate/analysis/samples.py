"""Which repetitions may be compared: one family of settings, one session or equivalent ones."""

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from feedrate.analysis.tables import FIRST_GROUP
from feedrate.configuration.factors import FACTORS
from feedrate.statistics.comparison import Comparison, Verdict, compare_independent

Throughputs = dict[int, dict[int, float]]
"""Workers -> round -> images per second."""


@dataclass(frozen=True)
class SessionMatch:
    """A later session against the first one, by a setting that both have.

    `setting` is `condition/settings`, None if there is none; `repetitions` is how many the later
    session has of it, `first_repetitions` how many the first one. `merged` is whether its
    repetitions count together with those of the first session: where the two are equivalent.
    """

    session: str
    setting: str | None
    repetitions: int
    first_repetitions: int
    comparison: Comparison | None
    merged: bool


def match_sessions(epochs: pd.DataFrame) -> list[SessionMatch]:
    """Each later session of an epoch table against the first, in the order of their starts.

    The setting compared is that of its anchors, with which its other repetitions of that setting
    count; without anchors, the one that both sessions repeated most.
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
        return SessionMatch(session, None, 0, 0, None, merged=False)
    setting = str(counts.idxmax())
    later, earlier = (
        rows[rows["name"] == setting]["images_per_second"].tolist() for rows in (own, first)
    )
    comparison = compare_independent(later, earlier)
    merged = comparison is not None and comparison.verdict is Verdict.EQUIVALENT
    return SessionMatch(session, setting, len(later), len(earlier), comparison, merged)


def with_groups(table: pd.DataFrame, matches: Iterable[SessionMatch]) -> pd.DataFrame:
    """A table with a column `session` and its `group`: what may be compared has the same one."""
    apart = table["session"].isin([match.session for match in matches if not match.merged])
    return table.assign(group=table["session"].where(apart, FIRST_GROUP))


def worker_family(rows: pd.DataFrame) -> pd.DataFrame:
    """The first of the `widest_families`; no rows where there are none."""
    return next(iter(widest_families(rows)), rows)


def widest_families(rows: pd.DataFrame) -> list[pd.DataFrame]:
    """The rows that differ in their number of workers and in nothing else.

    Of several such families, those with the most worker counts, in the order of the rows. A loader
    without workers belongs to every family with which it shares the settings that it has. Columns
    of settings that the table lacks are passed over: older tables have fewer.
    """
    known = [each for each in FACTORS if each.name != "num_workers" and each.name in rows]
    every = [factor.name for factor in known]
    shared = [factor.name for factor in known if not factor.needs_workers]
    loaded, bare = rows[rows["num_workers"] > 0], rows[rows["num_workers"] == 0]
    if loaded.empty:
        families = [own for _, own in bare.groupby(shared, sort=False, dropna=False)]
    else:
        families = [
            pd.concat([bare[(bare[shared] == own[shared].iloc[0]).all(axis=1)], own])
            for _, own in loaded.groupby(every, sort=False, dropna=False)
        ]
    widths = [family["num_workers"].nunique() for family in families]
    return [own for own, width in zip(families, widths, strict=True) if width == max(widths)]


def worker_families(table: pd.DataFrame) -> pd.DataFrame:
    """For every condition, the rows that differ in their number of workers and in nothing else."""
    families = [worker_family(own) for _, own in table.groupby("condition", sort=False)]
    return pd.concat(families) if families else table


def throughputs(rows: pd.DataFrame) -> Throughputs:
    """Warm images per second of a family's repetitions, by workers and round.

    Rounds are numbered from 1 through all groups: those of two groups have nothing in common.
    """
    number = rows.groupby(["group", "repetition"]).ngroup() + 1
    found: Throughputs = {}
    for row in rows.assign(round=number).sort_values("num_workers").to_dict("records"):
        by_round = found.setdefault(int(row["num_workers"]), {})
        by_round[int(row["round"])] = float(row["warm_images_per_second"])
    return found
