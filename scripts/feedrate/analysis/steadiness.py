"""Whether the machine stayed the same: drift over the run, and repetitions that stand out."""

from dataclasses import dataclass, fields

import pandas as pd

from feedrate.statistics.drift import Drift, drift, outliers


@dataclass(frozen=True)
class Outlier:
    """A repetition that stands out from the others of its setting and session."""

    condition: str
    settings: str
    session: str
    repetition: int
    warm_images_per_second: float


@dataclass(frozen=True)
class Steadiness:
    """Drift of all repetitions in the longest session, that of the sentinel, and outliers.

    The longest session is the one with the most repetitions.

    Outliers are flagged and stay in every number.
    """

    session: str
    hours: float
    all_cells: Drift | None
    sentinel: Drift | None
    outliers: tuple[Outlier, ...]


def steadiness(repetitions: pd.DataFrame, sentinel: str) -> Steadiness:
    """From a repetition table with `ended_at`; `sentinel` is `condition/settings`."""
    names = repetitions["condition"] + "/" + repetitions["settings"]
    session = str(repetitions["session"].value_counts(sort=False).idxmax())
    own = repetitions.assign(name=names)[repetitions["session"] == session]
    ended = pd.to_datetime(own["ended_at"], utc=True)
    own = own.assign(hours=(ended - ended.min()).dt.total_seconds() / 3600)
    flagged = outliers(
        repetitions["warm_images_per_second"].tolist(),
        (names + "/" + repetitions["session"].astype(str)).tolist(),
    )
    columns = [field.name for field in fields(Outlier)]
    return Steadiness(
        session,
        float(own["hours"].max()),
        _drift(own),
        _drift(own[own["name"] == sentinel]),
        tuple(
            Outlier(*row)
            for row in repetitions.iloc[flagged][columns].astype(object).itertuples(index=False)
        ),
    )


def _drift(rows: pd.DataFrame) -> Drift | None:
    return drift(
        rows["hours"].tolist(), rows["warm_images_per_second"].tolist(), rows["name"].tolist()
    )
