"""The drawings of what was decided: ceilings, plateaus and memory."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from feedrate.analysis.advice import Advice
from feedrate.analysis.samples import worker_families
from feedrate.content.rows import medians_in_words, rows_of, thousands
from feedrate.content.thresholds import TWO_ONE_SIDED_PERCENT
from feedrate.page.canvas import SERIES, Panel, draw, label_ends, style_of
from feedrate.page.display import Figure
from feedrate.page.palette import COLOURS
from feedrate.statistics.plateau import Plateau

CEILING_LINES = {"loader": "loader alone", "training": "training"}
"""Columns of a bottleneck table that change with the workers, and their names in the figure."""

LEVEL_LINES = {"step": "step alone", "resident": "on the device"}
"""Columns that are the same for all numbers of workers."""


def ceiling_figure(bottlenecks: pd.DataFrame, device: str) -> Figure:
    """Training against its ceilings by workers, a panel for each condition."""
    bottlenecks = worker_families(bottlenecks)
    by_condition = dict(tuple(bottlenecks.groupby("condition", sort=False)))
    panels = [
        Panel(str(condition), partial(_draw_ceilings, rows=rows))
        for condition, rows in by_condition.items()
    ]
    return Figure(
        name="ceilings",
        drawing=draw("ceilings", panels),
        device=device,
        values={
            "reached": [_reached(rows) for rows in by_condition.values()],
            "resident": bool(bottlenecks["resident"].notna().any()),
        },
        alt="Images per second by workers, medians. "
        + " ".join(_ceilings_in_words(rows, str(each)) for each, rows in by_condition.items()),
        data=rows_of(bottlenecks, ["condition", "num_workers", *CEILING_LINES, *LEVEL_LINES]),
    )


def _reached(rows: pd.DataFrame) -> dict[str, Any]:
    """What the fastest setting reaches of what its ceilings allow together."""
    fastest = rows.sort_values("training").iloc[-1]
    return {
        "condition": fastest["condition"],
        "workers": int(fastest["num_workers"]),
        "percent": f"{100 * fastest['reached']:.0f}",
        "bound": fastest["bound"],
    }


def _draw_ceilings(axes: Axes, rows: pd.DataFrame) -> None:
    levels = sorted(rows["num_workers"].unique())
    names = [*CEILING_LINES.values(), *LEVEL_LINES.values()]
    ends: dict[str, tuple[float, str]] = {}
    for column, name in CEILING_LINES.items():
        colour, marker, dash = style_of(names.index(name))
        medians = rows.groupby("num_workers")[column].median()
        axes.plot(
            range(len(levels)), medians[levels], marker=marker, color=colour, linestyle=dash,
            linewidth=2, markersize=5,
        )  # fmt: skip
        ends[name] = (float(medians[levels].iloc[-1]), colour)
    for column, name in LEVEL_LINES.items():
        level = rows[column].median()
        if pd.notna(level):
            colour, _, dash = style_of(names.index(name))
            axes.hlines(
                level, -0.5, len(levels) - 0.75, color=colour, linestyle=dash, linewidth=1.5
            )
            ends[name] = (float(level), colour)
    axes.set_xticks(range(len(levels)), [str(level) for level in levels])
    axes.set_ylim(0, 1.08 * axes.dataLim.ymax)  # a line may be highest before its end
    axes.set_xlabel("workers")
    axes.set_ylabel("images per second")
    label_ends(axes, ends, len(levels))


def _ceilings_in_words(rows: pd.DataFrame, condition: str) -> str:
    by_workers = rows.groupby("num_workers")[list(CEILING_LINES)].median()
    listed = "; ".join(
        f"{workers}: {row['training']:,.0f} training, {row['loader']:,.0f} loader alone"
        for workers, row in by_workers.iterrows()
    )
    levels = ", ".join(
        f"{name} {rows[column].median():,.0f}"
        for column, name in LEVEL_LINES.items()
        if rows[column].notna().any()
    )
    return f"{condition}: {listed}; {levels}."


def near_best_figure(advice: Sequence[Advice], near: float) -> Figure:
    """Every number of workers over the best other, with its interval, and the bound of near.

    A panel for each condition that has a plateau; at least one must.
    """
    plateaus = {each.condition: each.plateau for each in advice if each.plateau}
    rows = {
        condition: [
            {
                "condition": condition,
                "num_workers": workers,
                "ratio": ratio,
                "low": low,
                "high": high,
                "standing": _standing(found, workers),
            }
            for workers, (ratio, low, high) in found.over_best_other.items()
        ]
        for condition, found in plateaus.items()
    }
    panels = [
        Panel(condition, partial(_draw_near_best, rows=own, near=near))
        for condition, own in rows.items()
    ]
    return Figure(
        name="near-the-best",
        drawing=draw("near-the-best", panels, 4.0),
        device=advice[0].device,
        values={
            "near_percent": f"{100 * near:.0f}",
            "interval_percent": TWO_ONE_SIDED_PERCENT,
            "plateaus": [
                {
                    "condition": condition,
                    "excluded_below": _excluded_below(found),
                    "proven": found.smallest_proven,
                }
                for condition, found in plateaus.items()
            ],
        },
        alt="Throughput over that of the best other number, by workers. "
        + " ".join(
            f"{condition}: "
            + ", ".join(f"{row['num_workers']}: {row['ratio']:.2f} ({row['standing']})"
                        for row in own)
            + "."
            for condition, own in rows.items()
        ),
        data=[row for own in rows.values() for row in own],
    )  # fmt: skip


def _excluded_below(plateau: Plateau) -> int | None:
    """The number of workers below which all are excluded; None where none is."""
    lowest = plateau.smallest_not_excluded
    return lowest if lowest > min(plateau.over_best_other) else None


def _standing(plateau: Plateau, workers: int) -> str:
    if workers in plateau.proven:
        return "proven"
    return "not excluded" if workers in plateau.not_excluded else "excluded"


def _draw_near_best(axes: Axes, rows: Sequence[Mapping[str, Any]], near: float) -> None:
    colour = SERIES[0]
    axes.axhline(1 - near, color=COLOURS["muted"], linewidth=1)
    for position, row in enumerate(rows):
        axes.vlines(position, row["low"], row["high"], color=colour, linewidth=2)
        proven, excluded = row["standing"] == "proven", row["standing"] == "excluded"
        axes.plot(
            position, row["ratio"], "X" if excluded else "o", color=colour, markersize=8,
            markerfacecolor=colour if proven or excluded else COLOURS["paper"], markeredgewidth=1.6,
        )  # fmt: skip
    axes.set_xticks(range(len(rows)), [str(row["num_workers"]) for row in rows])
    axes.set_xlabel("workers")
    axes.set_ylabel("throughput over the best other's")
    label_ends(axes, {f"−{100 * near:.0f} %": (1 - near, COLOURS["muted"])}, len(rows))


def memory_figure(resources: pd.DataFrame, conditions: Sequence[str], device: str) -> Figure:
    """Memory by workers and, where it was measured, at the end of each epoch of the leak arm."""
    once = worker_families(resources[resources["arm"] == "instrumented"])
    by_workers = once.groupby(["condition", "num_workers"], sort=False)["total_memory_mib"]
    peaks = by_workers.max().reset_index().dropna()
    leak = resources[resources["arm"] == "leak"].dropna(subset=["end_memory_mib"])
    lines = [("By workers", peaks, "num_workers", "total_memory_mib")]
    if len(leak):
        lines.append(("Epoch after epoch", leak, "epoch", "end_memory_mib"))
    panels = [
        Panel(title, partial(_draw_lines, table=table, conditions=conditions, x=x, measure=measure))
        for title, table, x, measure in lines
    ]
    growth = medians_in_words(leak, conditions, "epoch", "end_memory_mib", thousands)
    return Figure(
        name="memory",
        drawing=draw("memory", panels),
        device=device,
        values={"most": _most_memory(peaks, conditions), "leak": bool(len(leak))},
        alt="Memory in MiB by workers. "
        + medians_in_words(peaks, conditions, "num_workers", "total_memory_mib", thousands)
        + (f" At the end of each epoch. {growth}" if growth else ""),
        data=[
            *rows_of(peaks, ["condition", "num_workers", "total_memory_mib"]),
            *rows_of(leak, ["condition", "num_workers", "epoch", "end_memory_mib"]),
        ],
    )


def _most_memory(peaks: pd.DataFrame, conditions: Sequence[str]) -> list[dict[str, Any]]:
    """Fewest and most workers of each condition, with their peaks."""
    found = []
    for condition in conditions:
        own = peaks[peaks["condition"] == condition].set_index("num_workers")["total_memory_mib"]
        if len(own):
            fewest, most = int(own.index.min()), int(own.index.max())
            found.append(
                {
                    "condition": condition,
                    "fewest": fewest,
                    "fewest_mib": thousands(own[fewest]),
                    "most": most,
                    "most_mib": thousands(own[most]),
                }
            )
    return found


def _draw_lines(
    axes: Axes, table: pd.DataFrame, conditions: Sequence[str], x: str, measure: str
) -> None:
    levels = sorted(table[x].unique())
    ends: dict[str, tuple[float, str]] = {}
    for condition, own in table.groupby("condition", sort=False):
        colour, marker, dash = style_of(conditions.index(str(condition)))
        medians = own.groupby(x)[measure].median()
        axes.plot(
            [levels.index(level) for level in medians.index], medians, linewidth=2, markersize=5,
            marker=marker, color=colour, linestyle=dash,
        )  # fmt: skip
        ends[str(condition)] = (float(medians.iloc[-1]), colour)
    axes.set_xticks(range(len(levels)), [str(level) for level in levels])
    axes.set_ylim(0, 1.12 * table[measure].max())
    axes.set_xlabel({"num_workers": "workers"}.get(x, x))
    axes.set_ylabel("MiB")
    label_ends(axes, ends, len(levels))
