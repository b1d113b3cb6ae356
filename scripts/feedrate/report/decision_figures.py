"""The drawings of what was decided: ceilings, plateaus and memory."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from feedrate.analysis.samples import worker_family
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

CEILING_LINES = {"loader": "loader alone", "training": "training"}
"""Columns of a bottleneck table that change with the workers, and their names in the figure."""

LEVEL_LINES = {"step": "step alone", "resident": "dataset on the device"}
"""Columns that are the same for all numbers of workers."""


def ceiling_figure(bottlenecks: pd.DataFrame, device: str) -> Figure:
    """Training against its ceilings by workers, a panel for each condition."""
    bottlenecks = _families(bottlenecks)
    conditions = list(dict.fromkeys(bottlenecks["condition"]))
    with drawing_of(
        "ceilings", width=_width(len(conditions)), height=4.4, columns=len(conditions)
    ) as canvas:
        for axes, condition in zip(canvas.axes, conditions, strict=True):
            _draw_ceilings(axes, bottlenecks[bottlenecks["condition"] == condition])
            axes.set_title(condition)
    measures = [*CEILING_LINES, *LEVEL_LINES]
    return canvas.figure(
        caption="Images per second of training from the loader, and of what bounds it: the loader "
        "alone and the training step alone"
        + (
            "; and of the whole dataset on the device, which needs no workers at all"
            if bottlenecks["resident"].notna().any()
            else ""
        )
        + f". Medians.{emulated_note(device)}",
        alt="Images per second by workers, medians. "
        + " ".join(
            _ceilings_in_words(bottlenecks[bottlenecks["condition"] == condition], condition)
            for condition in conditions
        ),
        data=_rows(bottlenecks, ["condition", "num_workers", *measures]),
    )


def _families(table: pd.DataFrame) -> pd.DataFrame:
    """For each condition the rows that differ in their number of workers only."""
    families = [worker_family(own) for _, own in table.groupby("condition", sort=False)]
    return pd.concat(families) if families else table


def _width(panels: int) -> float:
    """Inches for so many panels; one alone doesn't fill the page with itself."""
    return max(8.0, 5.4 * panels)


def _draw_ceilings(axes: Axes, rows: pd.DataFrame) -> None:
    levels = sorted(rows["num_workers"].unique())
    names = [*CEILING_LINES.values(), *LEVEL_LINES.values()]
    ends: dict[str, float] = {}
    for column, name in CEILING_LINES.items():
        style = names.index(name)
        medians = rows.groupby("num_workers")[column].median()
        axes.plot(
            range(len(levels)), medians[levels], marker=MARKERS[style], color=SERIES[style],
            linestyle=DASHES[style], linewidth=2, markersize=5,
        )  # fmt: skip
        ends[name] = float(medians[levels].iloc[-1])
    for column, name in LEVEL_LINES.items():
        level = rows[column].median()
        if pd.notna(level):
            style = names.index(name)
            axes.hlines(
                level, -0.5, len(levels) - 0.75, color=SERIES[style], linestyle=DASHES[style],
                linewidth=1.5,
            )  # fmt: skip
            ends[name] = float(level)
    axes.set_xticks(range(len(levels)), [str(level) for level in levels])
    axes.set_ylim(bottom=0)
    label_ends(axes, ends, names, len(levels))
    axes.set_xlim(-0.5, len(levels) - 0.5 + 0.5 * len(levels))
    axes.set_xlabel("workers")
    axes.set_ylabel("images per second")


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


def near_best_figure(decisions: Mapping[str, Any], near: float) -> Figure:
    """Every number of workers over the best one, with its interval, and the near band."""
    advice = [each for each in decisions["advice"] if each["plateau"]]
    rows = [
        {
            "condition": each["condition"],
            "num_workers": int(workers),
            "ratio": ratio[0],
            "low": ratio[1],
            "high": ratio[2],
            "standing": _standing(each["plateau"], int(workers)),
        }
        for each in advice
        for workers, ratio in each["plateau"]["ratio_to_best"].items()
    ]
    device = advice[0]["device"]
    with drawing_of(
        "near-the-best", width=_width(len(advice)), height=4.0, columns=len(advice)
    ) as canvas:
        for axes, each in zip(canvas.axes, advice, strict=True):
            own = [row for row in rows if row["condition"] == each["condition"]]
            _draw_near_best(axes, own, near)
            axes.set_title(each["condition"])
    return canvas.figure(
        caption="Throughput over that of the best estimate (the line at 1), with 90 % intervals. "
        f"The band is within {100 * near:.0f} % of the best. Filled: proven to be within it; "
        "hollow: neither proven nor excluded; crossed: excluded, as proven worse than "
        f"another.{emulated_note(device)}",
        alt="Ratio to the best by workers. "
        + " ".join(
            f"{each['condition']}: "
            + ", ".join(
                f"{row['num_workers']}: {row['ratio']:.2f} ({row['standing']})"
                for row in rows
                if row["condition"] == each["condition"]
            )
            + "."
            for each in advice
        ),
        data=rows,
    )


def _standing(plateau: Mapping[str, Any], workers: int) -> str:
    if workers in plateau["proven"]:
        return "proven"
    return "not excluded" if workers in plateau["not_excluded"] else "excluded"


def _draw_near_best(axes: Axes, rows: Sequence[Mapping[str, Any]], near: float) -> None:
    colour = SERIES[0]
    axes.axhspan(1 - near, 1, color=COLOURS["grid"], zorder=0)
    axes.axhline(1, color=COLOURS["muted"], linewidth=1)
    for position, row in enumerate(rows):
        axes.vlines(position, row["low"], row["high"], color=colour, linewidth=2)
        proven, excluded = row["standing"] == "proven", row["standing"] == "excluded"
        axes.plot(
            position, row["ratio"], "X" if excluded else "o", color=colour, markersize=8,
            markerfacecolor=colour if proven or excluded else COLOURS["paper"], markeredgewidth=1.6,
        )  # fmt: skip
    axes.set_xticks(range(len(rows)), [str(row["num_workers"]) for row in rows])
    axes.set_xlim(-0.5, len(rows) - 0.5)
    axes.set_xlabel("workers")
    axes.set_ylabel("throughput over the best's")


def memory_figure(resources: pd.DataFrame, device: str) -> Figure:
    """Left, memory by workers; right, memory at the end of each epoch of the leak arm."""
    once = _families(resources[resources["arm"] == "instrumented"])
    by_workers = once.groupby(["condition", "num_workers"], sort=False)["total_memory_mib"]
    peaks = by_workers.max().reset_index().dropna()
    leak = resources[resources["arm"] == "leak"].dropna(subset=["end_memory_mib"])
    conditions = list(dict.fromkeys(resources["condition"]))
    columns = 2 if len(leak) else 1
    with drawing_of("memory", width=_width(columns), height=4.2, columns=columns) as canvas:
        _draw_lines(canvas.axes[0], peaks, conditions, "num_workers", "total_memory_mib")
        canvas.axes[0].set_title("By workers")
        canvas.axes[0].set_xlabel("workers")
        if len(leak):
            _draw_lines(canvas.axes[1], leak, conditions, "epoch", "end_memory_mib")
            canvas.axes[1].set_title("Epoch after epoch")
            canvas.axes[1].set_xlabel("epoch")
    return canvas.figure(
        caption="Memory of the main process and all workers, as proportional set size. **Left:** "
        "at its peak, one instrumented repetition for each number of workers. "
        + ("**Right:** at the end of each epoch over one loader." if len(leak) else "")
        + emulated_note(device),
        alt="Memory in MiB by workers. "
        + _in_words(peaks, conditions, "num_workers", "total_memory_mib")
        + (
            " At the end of each epoch. " + _in_words(leak, conditions, "epoch", "end_memory_mib")
            if len(leak)
            else ""
        ),
        data=[
            *_rows(peaks, ["condition", "num_workers", "total_memory_mib"]),
            *_rows(leak, ["condition", "num_workers", "epoch", "end_memory_mib"]),
        ],
    )


def _draw_lines(
    axes: Axes, table: pd.DataFrame, conditions: Sequence[str], x: str, measure: str
) -> None:
    levels = sorted(table[x].unique())
    ends: dict[str, float] = {}
    for condition, own in table.groupby("condition", sort=False):
        style = conditions.index(str(condition))
        medians = own.groupby(x)[measure].median()
        axes.plot(
            [levels.index(level) for level in medians.index], medians, linewidth=2, markersize=5,
            marker=MARKERS[style % len(MARKERS)], color=SERIES[style % len(SERIES)],
            linestyle=DASHES[style % len(DASHES)],
        )  # fmt: skip
        ends[str(condition)] = float(medians.iloc[-1])
    axes.set_xticks(range(len(levels)), [str(level) for level in levels])
    axes.set_ylim(0, 1.12 * table[measure].max())
    axes.set_ylabel("MiB")
    label_ends(axes, ends, conditions, len(levels))


def _in_words(table: pd.DataFrame, conditions: Sequence[str], x: str, measure: str) -> str:
    sentences = []
    for condition in conditions:
        medians = table[table["condition"] == condition].groupby(x)[measure].median()
        if len(medians):
            listed = ", ".join(f"{value:,.0f} with {level}" for level, value in medians.items())
            sentences.append(f"{condition}: {listed}.")
    return " ".join(sentences)


def _rows(table: pd.DataFrame, columns: Sequence[str]) -> list[Mapping[str, Any]]:
    chosen = table[[*columns]].astype(object)
    records = chosen.where(chosen.notna(), None).to_dict("records")
    return [{str(key): value for key, value in record.items()} for record in records]
