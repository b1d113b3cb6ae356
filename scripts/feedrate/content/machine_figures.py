"""Several machines in one drawing, and in tables."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from matplotlib.axes import Axes

from feedrate.analysis.machines import MachineRun
from feedrate.claims.ledger import Entry
from feedrate.content.rows import Row
from feedrate.page.canvas import Panel, draw, label_ends, style_of
from feedrate.page.display import UNKNOWN, Figure, Table
from feedrate.page.palette import COLOURS

Machines = Sequence[MachineRun]


def speedup_rows(machines: Machines, conditions: Sequence[str]) -> list[Row]:
    """A row per condition, machine and workers, over the machine's own rate without workers."""
    return [
        {
            "condition": condition,
            "machine": each.name,
            "num_workers": workers,
            "warm_images_per_second": images,
            "speedup": images / own[0],
        }
        for condition in conditions
        for each in machines
        if 0 in (own := each.throughput.get(condition, {})) and len(own) > 1
        for workers, images in own.items()
    ]


def machines_figure(machines: Machines, conditions: Sequence[str], device: str) -> Figure:
    """Warm throughput over that without workers, a panel per condition, a line per machine.

    At least one of them must have rows in `speedup_rows`.
    """
    rows = speedup_rows(machines, conditions)
    names = [each.name for each in machines]
    by_condition = {
        condition: own
        for condition in conditions
        if (own := [row for row in rows if row["condition"] == condition])
    }
    return Figure(
        name="machines",
        drawing=draw(
            "machines",
            [
                Panel(condition, partial(_draw_speedups, rows=own, names=names))
                for condition, own in by_condition.items()
            ],
        ),
        device=device,
        values={
            "best": [
                {"condition": condition, "machines": _best_by_machine(own)}
                for condition, own in by_condition.items()
            ]
        },
        alt="Times the throughput without workers, medians. "
        + " ".join(_in_words(condition, own) for condition, own in by_condition.items()),
        data=rows,
    )


def _by_machine(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["machine"], []).append(row)
    return found


def _best_by_machine(rows: Sequence[Row]) -> list[dict[str, Any]]:
    best = {name: max(own, key=_speedup) for name, own in _by_machine(rows).items()}
    return [
        {"machine": name, "times": f"{row['speedup']:.2f}", "workers": row["num_workers"]}
        for name, row in best.items()
    ]


def _speedup(row: Row) -> float:
    return float(row["speedup"])


def _in_words(condition: str, rows: Sequence[Row]) -> str:
    machines = "; ".join(
        f"{name} " + ", ".join(f"{row['speedup']:.2f} with {row['num_workers']}" for row in own)
        for name, own in _by_machine(rows).items()
    )
    return f"{condition}: {machines}."


def _draw_speedups(axes: Axes, rows: Sequence[Row], names: Sequence[str]) -> None:
    levels = sorted({row["num_workers"] for row in rows})
    ends: dict[str, tuple[float, str]] = {}
    for name, own in _by_machine(rows).items():
        colour, marker, dash = style_of(names.index(name))
        axes.plot(
            [levels.index(row["num_workers"]) for row in own], [row["speedup"] for row in own],
            marker=marker, color=colour, linestyle=dash, linewidth=2, markersize=5,
        )  # fmt: skip
        end = own[-1]["speedup"]
        axes.hlines(
            end, levels.index(own[-1]["num_workers"]), len(levels) - 0.65, color=colour,
            linestyle="dotted", linewidth=1, alpha=0.6,
        )  # fmt: skip
        ends[name] = (end, colour)
    axes.axhline(1, color=COLOURS["muted"], linewidth=1)
    axes.set_xticks(range(len(levels)), [str(level) for level in levels])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("workers")
    axes.set_ylabel("times the rate without workers")
    label_ends(axes, ends, len(levels))


def machine_table(machines: Machines, conditions: Sequence[str]) -> Table:
    """A row per machine: what it is, when it was measured, and what was recommended."""
    return Table(
        name="machines",
        columns=["name", "machine", "measured", *(f"{each}: workers" for each in conditions)],
        rows=[
            [
                each.name,
                each.machine,
                each.measured or UNKNOWN,
                *(_recommended(each, condition) for condition in conditions),
            ]
            for each in machines
        ],
    )


def _recommended(machine: MachineRun, condition: str) -> str:
    if condition in machine.other_conditions:
        return "other transforms"
    if condition in machine.recommended:
        workers = machine.recommended[condition]
        return "none proven" if workers is None else str(workers)
    throughput = machine.throughput.get(condition)
    if not throughput:
        return UNKNOWN
    return f"fastest: {max(throughput, key=throughput.__getitem__)}"


def conclusion_table(ledger: Sequence[Entry], machines: Machines) -> Table:
    """A row per claim, a column per machine that judged it by its own measurement."""
    judged = [each for each in machines if each.verdicts]
    return Table(
        name="conclusions",
        columns=["claim", "article", *(each.name for each in judged)],
        rows=[
            [
                entry.claim,
                entry.article,
                *(each.verdicts.get(entry.id, UNKNOWN) for each in judged),
            ]
            for entry in ledger
        ],
    )


def conclusion_counts(ledger: Sequence[Entry], machines: Machines) -> dict[str, int]:
    """How many claims hold on all machines that could decide them, on some, on none, or are open.

    Keys: `all`, `some`, `none`, `open`; open are those that no machine could decide.
    """
    counts = dict.fromkeys(("all", "some", "none", "open"), 0)
    for entry in ledger:
        found = {each.verdicts.get(entry.id, UNKNOWN) for each in machines}
        decided = found & {"reproduced", "contradicted"}
        key = {
            frozenset({"reproduced"}): "all",
            frozenset({"contradicted"}): "none",
            frozenset({"reproduced", "contradicted"}): "some",
        }.get(frozenset(decided), "open")
        counts[key] += 1
    return counts
