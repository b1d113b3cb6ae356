"""The article's figure, and the reader's answer: throughput by workers, first and warm epoch."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from feedrate.analysis.advice import Advice
from feedrate.content.repetition_figures import THROUGHPUT, draw_repetitions
from feedrate.content.rows import medians_in_words, rows_of, thousands
from feedrate.content.thresholds import NEAR_PERCENT
from feedrate.page.canvas import Panel, draw, label_ends, style_of
from feedrate.page.display import Figure
from feedrate.page.palette import COLOURS
from feedrate.statistics.plateau import Plateau

LEADING_MEASURES = (THROUGHPUT, "first_epoch_seconds", "warm_epoch_seconds")


def leading_figure(
    repetitions: pd.DataFrame,
    bottlenecks: pd.DataFrame,
    advice: Sequence[Advice],
    conditions: Sequence[str],
    device: str,
) -> Figure:
    """A panel of warm throughput for each condition, then one of first against warm epoch.

    `repetitions` is a repetition table of settings that differ in workers only, the ones that
    were decided about; `bottlenecks` may be empty; `advice` is that of Decisions;
    `conditions` gives the order, and each its colour, whether it was measured or not.
    """
    styles = {condition: style_of(index) for index, condition in enumerate(conditions)}
    conditions = [each for each in conditions if each in set(repetitions["condition"])]
    allowed = _allowed(bottlenecks, repetitions)
    advised = {each.condition: each for each in advice}
    top = 1.12 * max(repetitions[THROUGHPUT].max(), allowed["expected"].max())
    panels = [
        Panel(
            condition,
            partial(
                _draw_condition,
                own=repetitions[repetitions["condition"] == condition],
                allowed=allowed[allowed["condition"] == condition],
                advice=advised.get(condition),
                style=styles[condition],
                top=top,
            ),
        )
        for condition in conditions
    ]
    epochs = Panel(
        "first against warm epoch",
        partial(_draw_first_against_warm, repetitions=repetitions, styles=styles),
    )
    return Figure(
        name="throughput-and-epochs",
        drawing=draw("throughput-and-epochs", [*panels, epochs]),
        device=device,
        values={
            "fastest": _fastest(repetitions, conditions),
            "ceilings": not allowed.empty,
            "plateaus": any(each.plateau for each in advice),
            "unproven": any(
                each.plateau and each.plateau.smallest_proven is None for each in advice
            ),
            "near_percent": NEAR_PERCENT,
        },
        alt=" ".join(
            [
                "Warm images per second by workers, medians.",
                medians_in_words(repetitions, conditions, "num_workers", THROUGHPUT, thousands),
                *_ceilings_in_words(allowed),
                *_plateaus_in_words(advice),
                _epochs_in_words(repetitions, conditions),
            ]
        ),
        data=_data(repetitions, allowed),
    )


def _allowed(bottlenecks: pd.DataFrame, repetitions: pd.DataFrame) -> pd.DataFrame:
    """What the ceilings of the settings in `repetitions` allow together."""
    keys = ["condition", "num_workers"]
    settings = repetitions[[*keys, "settings"]].drop_duplicates()
    ceilings = bottlenecks[["condition", "settings", "expected"]].astype(
        {"condition": str, "settings": str, "expected": float}
    )
    return settings.merge(ceilings, on=["condition", "settings"])[[*keys, "expected"]]


def _fastest(repetitions: pd.DataFrame, conditions: Sequence[str]) -> list[dict[str, Any]]:
    medians = repetitions.groupby(["condition", "num_workers"])[THROUGHPUT].median()
    found = []
    for condition in conditions:
        own = medians[condition]
        gain = own.max() / own[0] if 0 in own.index and own.idxmax() != 0 else None
        found.append(
            {
                "condition": condition,
                "workers": int(own.idxmax()),
                "images_per_second": thousands(own.max()),
                "gain": None if gain is None else f"{gain:.2f}",
            }
        )
    return found


def _data(repetitions: pd.DataFrame, allowed: pd.DataFrame) -> list[dict[str, Any]]:
    keys = ["condition", "num_workers"]
    table = repetitions.merge(allowed, on=keys, how="left").rename(
        columns={"expected": "ceilings_allow_images_per_second"}
    )
    shown = [*keys, "repetition", *LEADING_MEASURES, "ceilings_allow_images_per_second"]
    return rows_of(table.sort_values([*keys, "repetition"], kind="stable"), shown)


# --- marks ----------------------------------------------------------------------------------------


def _draw_condition(
    axes: Axes,
    own: pd.DataFrame,
    allowed: pd.DataFrame,
    advice: Advice | None,
    style: tuple[str, str, str],
    top: float,
) -> None:
    levels = sorted(own["num_workers"].unique())
    medians = own.groupby("num_workers")[THROUGHPUT].median()
    if advice and advice.plateau:
        _shade_plateau(axes, levels, advice.plateau)
    draw_repetitions(axes, own, "num_workers", THROUGHPUT, levels, style)
    ends = {"training": (float(medians.iloc[-1]), style[0])}
    known = allowed.sort_values("num_workers")
    if len(known):
        places = [levels.index(workers) for workers in known["num_workers"]]
        axes.plot(
            places, known["expected"], color=COLOURS["muted"], linestyle=(0, (4, 3)),
            linewidth=1.5,
        )  # fmt: skip
        ends["ceiling"] = (float(known["expected"].iloc[-1]), COLOURS["muted"])
    axes.set_ylim(0, top)
    axes.set_xlabel("workers")
    axes.set_ylabel("images per second")
    label_ends(axes, ends, len(levels))
    if advice and advice.workers in levels:
        workers = advice.workers
        lowest = own.loc[own["num_workers"] == workers, THROUGHPUT].min()
        ceiling = known.loc[known["num_workers"] == workers, "expected"].min()
        # A ceiling below what training reaches runs under its marks; above the axis is room.
        place, offset, side = (
            (0, 5, "bottom") if ceiling < medians[workers] else (lowest, -9, "top")
        )
        axes.annotate(
            f"{workers}: {medians[workers]:,.0f}", (levels.index(workers), place),
            xytext=(0, offset), textcoords="offset points", ha="center", va=side, fontweight="bold",
        )  # fmt: skip


def _shade_plateau(axes: Axes, levels: Sequence[int], plateau: Plateau) -> None:
    """From the smallest level not excluded to the smallest proven, or else to the last."""
    start, proven = plateau.smallest_not_excluded, plateau.smallest_proven
    end = levels[-1] if proven is None else proven
    axes.axvspan(
        levels.index(start) - 0.35, levels.index(end) + 0.35, facecolor=COLOURS["grid"],
        alpha=0.55, linewidth=0, zorder=0,
    )  # fmt: skip


def _draw_first_against_warm(
    axes: Axes, repetitions: pd.DataFrame, styles: Mapping[str, tuple[str, str, str]]
) -> None:
    """A dumbbell per condition and number of workers."""
    levels = sorted(repetitions["num_workers"].unique())
    conditions = [each for each in styles if each in set(repetitions["condition"])]
    width = 0.5 / len(conditions)
    ends: dict[str, tuple[float, str]] = {}
    for index, condition in enumerate(conditions):
        colour, marker, _ = styles[condition]
        own = repetitions[repetitions["condition"] == condition].groupby("num_workers")
        first, warm = own["first_epoch_seconds"].median(), own["warm_epoch_seconds"].median()
        shift = (index - (len(conditions) - 1) / 2) * width
        places = [levels.index(workers) + shift for workers in first.index]
        for place, (_, cells) in zip(places, own, strict=True):
            for measure, face in zip(LEADING_MEASURES[1:], (COLOURS["paper"], colour), strict=True):
                axes.plot(
                    [place] * len(cells), cells[measure], marker, color=colour,
                    markerfacecolor=face, markersize=3, alpha=0.45,
                )  # fmt: skip
        axes.vlines(places, first, warm, color=colour, linewidth=2)
        axes.plot(
            places, first, marker, color=colour, markerfacecolor=COLOURS["paper"],
            markeredgewidth=1.6, markersize=6.5,
        )  # fmt: skip
        axes.plot(places, warm, marker, color=colour, markersize=6.5)
        ends[condition] = (float(warm.iloc[-1]), colour)
    axes.set_xticks(range(len(levels)), [str(level) for level in levels])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("workers")
    axes.set_ylabel("seconds per epoch")
    label_ends(axes, ends, len(levels))


# --- words ----------------------------------------------------------------------------------------


def _ceilings_in_words(allowed: pd.DataFrame) -> list[str]:
    if allowed.empty:
        return []
    conditions = list(dict.fromkeys(allowed["condition"]))
    words = medians_in_words(allowed, conditions, "num_workers", "expected", thousands)
    return [f"Ceilings allow, images per second. {words}"]


def _plateaus_in_words(advice: Sequence[Advice]) -> list[str]:
    return [
        f"{each.condition}: the fewest workers near the best are from "
        f"{each.plateau.smallest_not_excluded} to {_proven(each.plateau)}."
        for each in advice
        if each.plateau
    ]


def _proven(plateau: Plateau) -> str:
    proven = plateau.smallest_proven
    return "a number that is not proven yet" if proven is None else str(proven)


def _epochs_in_words(repetitions: pd.DataFrame, conditions: Sequence[str]) -> str:
    medians = repetitions.groupby(["condition", "num_workers"])[[*LEADING_MEASURES[1:]]].median()
    parts = [
        f"{condition}, {workers}: {first:.2f} and {warm:.2f}"
        for condition in conditions
        for workers, (first, warm) in zip(
            medians.loc[condition].index, medians.loc[condition].to_numpy(), strict=True
        )
    ]
    return "Seconds of first and warm epoch by workers, medians. " + "; ".join(parts) + "."
