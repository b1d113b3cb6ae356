"""The drawings of repetitions: every one is visible, with median and full range."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from feedrate.content.rows import by_workers, medians_in_words, rows_of, thousands
from feedrate.page.canvas import Panel, draw, grouped_thousands, label_ends, style_of
from feedrate.page.display import Figure
from feedrate.page.palette import COLOURS

THROUGHPUT = "warm_images_per_second"


def throughput_figure(repetitions: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """Warm throughput relative to loading without workers, by workers.

    `repetitions` must hold settings without workers for every one of `conditions`.
    """
    relative = _relative_to_none(repetitions)

    def panel(axes: Axes) -> None:
        _draw_by_workers(axes, relative, conditions, "speedup", "times the median without workers")
        axes.axhline(1, color=COLOURS["muted"], linewidth=1)

    return Figure(
        name="speedup-by-workers",
        drawing=draw("speedup-by-workers", [Panel("What workers gain", panel)]),
        device=device,
        values={
            "gains": _highest(relative[relative["num_workers"] > 0], conditions, "speedup", ".2f")
        },
        alt="Speed-up over no workers, medians. "
        + medians_in_words(relative, conditions, "num_workers", "speedup", "{:.2f} times".format),
        data=by_workers(relative, ["speedup"]),
    )


def _relative_to_none(repetitions: pd.DataFrame) -> pd.DataFrame:
    without = repetitions[repetitions["num_workers"] == 0]
    base = without.groupby("condition")[THROUGHPUT].median()
    return repetitions.assign(speedup=repetitions[THROUGHPUT] / repetitions["condition"].map(base))


def first_epoch_figure(repetitions: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """Seconds of the first epoch minus those of the warm one, paired in repetitions."""
    extra = repetitions.assign(
        extra_seconds=repetitions["first_epoch_seconds"] - repetitions["warm_epoch_seconds"]
    )

    def panel(axes: Axes) -> None:
        label = "seconds, first minus warm"
        _draw_by_workers(axes, extra, conditions, "extra_seconds", label, floor=None)
        axes.axhline(0, color=COLOURS["muted"], linewidth=1)

    return Figure(
        name="first-epoch-extra",
        drawing=draw("first-epoch-extra", [Panel("Extra time of the first epoch", panel)]),
        device=device,
        values={"extras": _highest(extra, conditions, "extra_seconds", "+.2f")},
        alt="Extra seconds of the first epoch, medians. "
        + medians_in_words(
            extra, conditions, "num_workers", "extra_seconds", "{:+.2f} seconds".format
        ),
        data=by_workers(extra, ["extra_seconds"]),
    )


def plateau_figure(repetitions: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """Warm throughput of the settings that were repeated most, close up."""

    def panel(axes: Axes) -> None:
        _draw_by_workers(axes, repetitions, conditions, THROUGHPUT, "images per second")

    return Figure(
        name="plateau",
        drawing=draw("plateau", [Panel("Around the plateau", panel)]),
        device=device,
        values={"spans": _spans(repetitions, conditions)},
        alt="Warm images per second by workers, medians. "
        + medians_in_words(repetitions, conditions, "num_workers", THROUGHPUT, thousands),
        data=by_workers(repetitions, [THROUGHPUT]),
    )


def _spans(repetitions: pd.DataFrame, conditions: Sequence[str]) -> list[dict[str, Any]]:
    """How far apart the medians of each condition are, in percent of the lowest."""
    medians = repetitions.groupby(["condition", "num_workers"])[THROUGHPUT].median()
    return [
        {
            "condition": condition,
            "percent": f"{100 * (own.max() / own.min() - 1):.1f}",
            "fewest": int(own.index.min()),
            "most": int(own.index.max()),
        }
        for condition in conditions
        if condition in medians.index and len(own := medians[condition]) > 1
    ]


def pinning_figure(repetitions: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """Warm epoch seconds with pageable and with pinned memory."""
    named = repetitions.assign(
        memory=repetitions["pin_memory"].map({False: "pageable", True: "pinned"})
    )

    def panel(axes: Axes) -> None:
        _draw_series(axes, named, conditions, "memory", "warm_epoch_seconds")
        axes.set_xlabel("")
        axes.set_ylabel("seconds of the warm epoch")

    keys = ["condition", "memory"]
    medians = named.groupby(keys, as_index=False)["warm_epoch_seconds"].median()
    settings = [
        {"condition": condition, "memory": memory, "seconds": f"{seconds:.3f}"}
        for condition, memory, seconds in medians.to_numpy().tolist()
    ]
    rows = named.sort_values(["condition", "memory", "repetition"])
    return Figure(
        name="pinning",
        drawing=draw("pinning", [Panel("Pageable against pinned memory", panel)], 3.6),
        device=device,
        values={"settings": settings},
        alt="Seconds of the warm epoch, medians. "
        + ", ".join("{condition} {memory}: {seconds}".format(**each) for each in settings)
        + ".",
        data=rows_of(rows, ["condition", "memory", "repetition", "warm_epoch_seconds"]),
    )


def _highest(
    table: pd.DataFrame, conditions: Sequence[str], measure: str, form: str
) -> list[dict[str, Any]]:
    """For each condition the number of workers with the highest median, and that median."""
    medians = table.groupby(["condition", "num_workers"])[measure].median()
    return [
        {
            "condition": condition,
            "workers": int(medians[condition].idxmax()),
            "value": format(medians[condition].max(), form),
        }
        for condition in conditions
        if condition in medians.index
    ]


def _draw_by_workers(
    axes: Axes,
    table: pd.DataFrame,
    conditions: Sequence[str],
    measure: str,
    label: str,
    floor: float | None = 0,
) -> None:
    """A series per condition over numbers of workers; see `_draw_series`."""
    _draw_series(axes, table, conditions, "num_workers", measure, floor)
    axes.set_xlabel("workers")
    axes.set_ylabel(label)


def _draw_series(
    axes: Axes,
    table: pd.DataFrame,
    conditions: Sequence[str],
    x: str,
    measure: str,
    floor: float | None = 0,
) -> None:
    """One line per condition over the levels of `x` as categories, labelled at its end.

    The measure's axis starts at `floor`; None leaves it to the data.
    """
    levels = sorted(table[x].unique())
    ends: dict[str, tuple[float, str]] = {}
    for index, condition in enumerate(conditions):
        own = table[table["condition"] == condition]
        if own.empty:
            continue
        colour, marker, dash = style_of(index)
        draw_repetitions(axes, own, x, measure, levels, (colour, marker, dash))
        ends[condition] = (float(own.groupby(x)[measure].median().iloc[-1]), colour)
    if floor is not None:
        axes.set_ylim(bottom=floor)
    label_ends(axes, ends, len(levels))


def draw_repetitions(
    axes: Axes,
    own: pd.DataFrame,
    x: str,
    measure: str,
    levels: Sequence[Any],
    style: tuple[str, str, str],
) -> None:
    """A mark for every repetition, a line through the medians, bars over the full range."""
    colour, marker, dash = style
    shared: Mapping[str, Any] = {
        "data": own, "x": x, "y": measure, "order": levels, "ax": axes, "color": colour,
    }  # fmt: skip
    sns.stripplot(**shared, size=4.5, alpha=0.45, jitter=0.12, marker=marker)
    sns.pointplot(
        **shared,
        estimator="median",
        errorbar=("pi", 100),
        markers="none",
        linestyles=dash,
        linewidth=2,
        err_kws={"linewidth": 1.5},
    )
    grouped_thousands(axes)
