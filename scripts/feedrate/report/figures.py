"""The drawings, from tables of repetitions. Every repetition shows, with median and full range."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from feedrate.report.canvas import (
    DASHES,
    MARKERS,
    SERIES,
    drawing_of,
    emulated_note,
    label_ends,
)
from feedrate.report.display import Figure
from feedrate.report.palette import COLOURS


def leading_figure(repetitions: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """The article's figure: warm throughput by workers, and first against warm epoch.

    `repetitions` is a repetition table, restricted to settings that differ in workers only.
    """
    with drawing_of("throughput-and-epochs", width=10.5, height=4.4, columns=2) as canvas:
        left, right = canvas.axes
        _draw_throughput(left, repetitions, conditions)
        left.set_title("Warm throughput")
        _draw_first_against_warm(right, repetitions, conditions)
        right.set_title("First against warm epoch")
    return canvas.figure(
        caption="**Left:** training throughput of the warm epoch by number of workers. Each mark "
        "is one repetition; lines join the medians and bars span the full range. **Right:** "
        "seconds of the first epoch (hollow), which pays for starting the workers, and of the "
        f"warm epoch (filled); medians.{emulated_note(device)}",
        alt=f"{_throughput_in_words(repetitions, conditions)} "
        f"{_first_against_warm_in_words(repetitions, conditions)}",
        data=_by_workers(
            repetitions, ["warm_images_per_second", "first_epoch_seconds", "warm_epoch_seconds"]
        ),
    )


def throughput_figure(repetitions: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """Warm throughput relative to loading without workers, by workers.

    `repetitions` must hold settings without workers for every one of `conditions`.
    """
    base = (
        repetitions[repetitions["num_workers"] == 0]
        .groupby("condition")["warm_images_per_second"]
        .median()
    )
    relative = repetitions.assign(
        speedup=repetitions["warm_images_per_second"] / repetitions["condition"].map(base)
    )
    with drawing_of("speedup-by-workers", width=8, height=4.2) as canvas:
        (axes,) = canvas.axes
        _draw_by_workers(axes, relative, conditions, "speedup")
        axes.axhline(1, color=COLOURS["muted"], linewidth=1)
        axes.set_ylabel("times the median without workers")
        axes.set_title("What workers gain")
    return canvas.figure(
        caption="Throughput of the warm epoch as a multiple of the median without workers (the "
        f"line at 1). Marks are repetitions, bars the full range.{emulated_note(device)}",
        alt="Speed-up over no workers, medians. "
        + _series_in_words(relative, conditions, "speedup", lambda value: f"{value:.2f} times"),
        data=_by_workers(relative, ["speedup"]),
    )


def first_epoch_figure(repetitions: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """Seconds of the first epoch minus those of the warm one, paired in repetitions."""
    extra = repetitions.assign(
        extra_seconds=repetitions["first_epoch_seconds"] - repetitions["warm_epoch_seconds"]
    )
    with drawing_of("first-epoch-extra", width=8, height=4.2) as canvas:
        (axes,) = canvas.axes
        _draw_by_workers(axes, extra, conditions, "extra_seconds", floor=None)
        axes.axhline(0, color=COLOURS["muted"], linewidth=1)
        axes.set_ylabel("seconds, first minus warm")
        axes.set_title("What the first epoch costs on top")
    return canvas.figure(
        caption="Seconds of the first epoch minus seconds of the warm epoch of the same "
        "repetition. Above zero, the first epoch is dearer. Marks are repetitions, bars the full "
        f"range.{emulated_note(device)}",
        alt="Extra seconds of the first epoch, medians. "
        + _series_in_words(
            extra, conditions, "extra_seconds", lambda value: f"{value:+.2f} seconds"
        ),
        data=_by_workers(extra, ["extra_seconds"]),
    )


def plateau_figure(repetitions: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """Warm throughput of the settings that were repeated most, close up."""
    with drawing_of("plateau", width=8, height=4.2) as canvas:
        (axes,) = canvas.axes
        _draw_throughput(axes, repetitions, conditions)
        axes.set_title("Around the plateau")
    return canvas.figure(
        caption="Warm throughput of the settings near the peak. Each mark is one repetition; "
        f"lines join the medians, bars span the full range.{emulated_note(device)}",
        alt=_throughput_in_words(repetitions, conditions),
        data=_by_workers(repetitions, ["warm_images_per_second"]),
    )


def pinning_figure(repetitions: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """Warm epoch seconds with pageable and with pinned memory."""
    named = repetitions.assign(
        memory=repetitions["pin_memory"].map({False: "pageable", True: "pinned"})
    )
    with drawing_of("pinning", width=8, height=3.6) as canvas:
        (axes,) = canvas.axes
        _draw_series(axes, named, conditions, "memory", "warm_epoch_seconds")
        axes.set_ylabel("seconds of the warm epoch")
        axes.set_xlabel("")
        axes.set_title("Pageable against pinned memory")
    rows = named.sort_values(["condition", "memory", "repetition"])
    return canvas.figure(
        caption="Seconds of the warm epoch by kind of host memory. Marks are repetitions, bars "
        f"the full range around the median.{emulated_note(device)}",
        alt="Seconds of the warm epoch, medians. "
        + _levels_in_words(named, "memory", "warm_epoch_seconds"),
        data=_rows(rows, ["condition", "memory", "repetition", "warm_epoch_seconds"]),
    )


# --- marks ----------------------------------------------------------------------------------------


def _draw_throughput(axes: Axes, repetitions: pd.DataFrame, conditions: Sequence[str]) -> None:
    _draw_by_workers(axes, repetitions, conditions, "warm_images_per_second")
    axes.set_ylabel("images per second")


def _draw_by_workers(
    axes: Axes,
    table: pd.DataFrame,
    conditions: Sequence[str],
    measure: str,
    floor: float | None = 0,
) -> None:
    _draw_series(axes, table, conditions, "num_workers", measure, floor)
    axes.set_xlabel("workers")


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
    shown = [condition for condition in conditions if condition in set(table["condition"])]
    ends: dict[str, float] = {}
    for condition in shown:
        style = conditions.index(condition)
        own = table[table["condition"] == condition]
        colour = SERIES[style % len(SERIES)]
        shared: dict[str, Any] = {
            "data": own, "x": x, "y": measure, "order": levels, "ax": axes, "color": colour,
        }  # fmt: skip
        sns.stripplot(
            **shared, size=4.5, alpha=0.45, jitter=0.12, marker=MARKERS[style % len(MARKERS)]
        )
        sns.pointplot(
            **shared,
            estimator="median",
            errorbar=("pi", 100),
            markers="none",
            linestyles=DASHES[style % len(DASHES)],
            linewidth=2,
            err_kws={"linewidth": 1.5},
        )
        ends[condition] = own.groupby(x)[measure].median().iloc[-1]
    if floor is not None:
        axes.set_ylim(bottom=floor)
    label_ends(axes, ends, conditions, len(levels))


def _draw_first_against_warm(
    axes: Axes, repetitions: pd.DataFrame, conditions: Sequence[str]
) -> None:
    """A dumbbell per condition and number of workers."""
    levels = sorted(repetitions["num_workers"].unique())
    shown = [condition for condition in conditions if condition in set(repetitions["condition"])]
    width = 0.5 / max(1, len(shown))
    ends: dict[str, float] = {}
    for index, condition in enumerate(shown):
        style = conditions.index(condition)
        colour = SERIES[style % len(SERIES)]
        own = repetitions[repetitions["condition"] == condition].groupby("num_workers")
        first = own["first_epoch_seconds"].median()
        warm = own["warm_epoch_seconds"].median()
        at = [
            levels.index(workers) + (index - (len(shown) - 1) / 2) * width
            for workers in first.index
        ]
        marker = MARKERS[style % len(MARKERS)]
        for position, (_, cells) in zip(at, own, strict=True):
            for measure, face in (
                ("first_epoch_seconds", COLOURS["paper"]),
                ("warm_epoch_seconds", colour),
            ):
                axes.plot(
                    [position] * len(cells), cells[measure], marker, color=colour,
                    markerfacecolor=face, markersize=3, alpha=0.45,
                )  # fmt: skip
        axes.vlines(at, first, warm, color=colour, linewidth=2)
        axes.plot(
            at, first, marker, color=colour, markerfacecolor=COLOURS["paper"],
            markeredgewidth=1.6, markersize=6.5,
        )  # fmt: skip
        axes.plot(at, warm, marker, color=colour, markersize=6.5)
        ends[condition] = warm.iloc[-1]
    axes.set_xticks(range(len(levels)), [str(level) for level in levels])
    axes.set_ylim(bottom=0)
    label_ends(axes, ends, conditions, len(levels))
    axes.set_xlabel("workers")
    axes.set_ylabel("seconds per epoch")


# --- words and rows -------------------------------------------------------------------------------


def _throughput_in_words(repetitions: pd.DataFrame, conditions: Sequence[str]) -> str:
    return "Warm images per second by workers, medians. " + _series_in_words(
        repetitions, conditions, "warm_images_per_second", lambda value: f"{value:,.0f}"
    )


def _first_against_warm_in_words(repetitions: pd.DataFrame, conditions: Sequence[str]) -> str:
    measures = ["first_epoch_seconds", "warm_epoch_seconds"]
    medians = repetitions.groupby(["condition", "num_workers"])[measures].median().reset_index()
    parts = [
        f"{condition}, {row[1]}: {row[2]:.2f} and {row[3]:.2f}"
        for condition in conditions
        for row in medians[medians["condition"] == condition].values.tolist()
    ]
    return "Seconds of first and warm epoch by workers, medians. " + "; ".join(parts) + "."


def _series_in_words(
    table: pd.DataFrame, conditions: Sequence[str], measure: str, spell: Any
) -> str:
    sentences = []
    for condition in conditions:
        medians = table[table["condition"] == condition].groupby("num_workers")[measure].median()
        if len(medians):
            listed = ", ".join(
                f"{spell(value)} with {workers}" for workers, value in medians.items()
            )
            sentences.append(f"{condition}: {listed}.")
    return " ".join(sentences)


def _by_workers(table: pd.DataFrame, measures: Sequence[str]) -> list[Mapping[str, Any]]:
    columns = ["condition", "num_workers", "repetition", *measures]
    return _rows(table.sort_values(columns[:3], kind="stable"), columns)


def _rows(table: pd.DataFrame, columns: Sequence[str]) -> list[Mapping[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in table[[*columns]].values.tolist()]


def _levels_in_words(table: pd.DataFrame, level: str, measure: str) -> str:
    medians = table.groupby(["condition", level])[measure].median().reset_index()
    return ", ".join(f"{row[0]} {row[1]}: {row[2]:.3f}" for row in medians.values.tolist()) + "."
