"""The numbers in the prose, as texts."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from feedrate.wording import counted_workers


def gains(
    repetitions: pd.DataFrame, waiting: "pd.Series[float]", conditions: Sequence[str]
) -> list[dict[str, Any]]:
    """What workers gain over none, for each of `conditions` that was measured without."""
    found = []
    for condition in conditions:
        own = repetitions[repetitions["condition"] == condition]
        medians = own.groupby("num_workers")["warm_images_per_second"].median()
        if 0 not in medians.index:
            continue
        best = int(medians.index[int(medians.argmax())])
        settings = own.groupby("num_workers")["settings"].first()
        ratio = medians / medians[0]
        found.append(
            {
                "condition": condition,
                "one": f"{ratio[1]:.2f}" if 1 in ratio.index else None,
                "helped": best > 0,
                "most": f"{ratio[best]:.2f}",
                "best": counted_workers(best),
                "waiting_percent": _percent(waiting[(condition, settings[best])]),
                "waiting_percent_without": _percent(waiting[(condition, settings[0])]),
            }
        )
    return found


def first_epoch_costs(repetitions: pd.DataFrame, conditions: Sequence[str]) -> list[dict[str, Any]]:
    """Seconds that the first epoch takes more than the warm one, fewest against most workers."""
    found = []
    for condition in conditions:
        own = repetitions[repetitions["condition"] == condition]
        extra = (own["first_epoch_seconds"] - own["warm_epoch_seconds"]).groupby(own["num_workers"])
        median, low, high = extra.median(), extra.min(), extra.max()
        if len(median) < 2 or median.index[0] != 0:
            continue
        most = int(median.index[-1])
        found.append(
            {
                "condition": condition,
                "without": f"{median[0]:+.2f}",
                "without_range": f"{low[0]:+.2f} to {high[0]:+.2f}",
                "most": counted_workers(most),
                "most_seconds": f"{median[most]:+.2f}",
                "most_range": f"{low[most]:+.2f} to {high[most]:+.2f}",
            }
        )
    return found


def worker_start(epochs: pd.DataFrame) -> dict[str, Any]:
    """Median milliseconds to create the first epoch's iterator, with the most workers measured.

    Both values are None for an empty table.
    """
    if epochs.empty:
        return {"start_milliseconds": None, "start_most": None}
    first = epochs[epochs["phase"] == "first"]
    most = int(first["num_workers"].max())
    seconds = first.loc[first["num_workers"] == most, "iterator_creation_seconds"].median()
    return {"start_milliseconds": f"{1000 * seconds:.0f}", "start_most": counted_workers(most)}


def memory_growth(resources: pd.DataFrame) -> list[dict[str, Any]]:
    """Memory at the end of the first and the last epoch of each leak arm, in MiB."""
    known = resources[resources["arm"] == "leak"].dropna(subset=["end_memory_mib"])
    return [
        {
            "condition": condition,
            "workers": counted_workers(int(own["num_workers"].iloc[0])),
            "epochs": int(own["epoch"].max()),
            "first": f"{own['end_memory_mib'].iloc[0]:,.1f}",
            "last": f"{own['end_memory_mib'].iloc[-1]:,.1f}",
        }
        for condition, own in known.groupby("condition", sort=False)
    ]


def pinning_settings(summary: pd.DataFrame) -> list[dict[str, Any]]:
    """Seconds of the warm epoch of each row, by kind of host memory."""
    return [
        _setting(row, "warm_epoch_seconds", ".3f")
        | {"memory": "pinned" if row["pin_memory"] else "pageable"}
        for row in summary.to_dict("records")
    ]


def _setting(row: Mapping[Any, Any], measure: str, form: str) -> dict[str, Any]:
    return {
        "condition": row["condition"],
        "workers": counted_workers(row["num_workers"]),
        "repetitions": row["repetitions"],
        **{
            statistic: f"{row[f'{measure}_{statistic}']:{form}}"
            for statistic in ("median", "minimum", "maximum")
        },
    }


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"
