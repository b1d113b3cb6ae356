"""What was decided, in words and tables: advice, plateaus, comparisons, bottlenecks, rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from feedrate.analysis.samples import worker_family
from feedrate.analysis.tables import comparable
from feedrate.report.display import Table
from feedrate.wording import counted_workers

Decisions = Mapping[str, Any]
UNKNOWN = "n/a"
PAIRS = {
    "pinned": "memory", "pageable": "memory", "persistent": "life", "respawned": "life",
    "fork": "start", "forkserver": "start", "spawn": "start",
}  # fmt: skip
"""Parts of a name of settings that exclude each other."""


def advice_facts(decisions: Decisions) -> list[dict[str, Any]]:
    """The recommendation for each condition, as texts for the prose."""
    return [_advice(each) for each in decisions["advice"]]


def _advice(advice: Mapping[str, Any]) -> dict[str, Any]:
    throughput, gain = advice["throughput"], advice["gain"]
    return {
        "condition": advice["condition"],
        "workers": counted_workers(advice["workers"]),
        "proven": advice["proven"],
        "more_rounds": advice["more_rounds"],
        "call": advice["call"],
        "help": advice["help"],
        "throughput": throughput
        and {
            "median": f"{throughput['median']:,.0f}",
            "low": f"{throughput['low']:,.0f}",
            "high": f"{throughput['high']:,.0f}",
            "coverage": f"{100 * throughput['coverage']:.4g}",
        },
        "gain": gain
        and comparison_facts(gain) | {"compared": counted_workers(advice["compared_workers"])},
        "plateau": advice["plateau"] and plateau_facts(advice["plateau"]),
        "cost": _cost(advice["cost"]) if advice["workers"] else None,
        "paybacks": [_payback(each) for each in advice["paybacks"]],
        "start": f"{advice['start_seconds']:.2f}"
        if advice["workers"] and advice["start_seconds"] > 0
        else None,
        "persistent": advice["persistent"],
    }


def _payback(payback: Mapping[str, Any]) -> str:
    against = counted_workers(payback["against_workers"])
    match payback["epochs"]:
        case None:
            return f"never against {against}: a warm epoch saves {payback['saved_seconds']:.2f} s"
        case 1:
            return f"within the first epoch against {against}"
        case epochs:
            return f"after {epochs} epochs against {against}"


def comparison_facts(comparison: Mapping[str, Any]) -> dict[str, Any]:
    """A comparison's verdict and numbers, as texts."""
    return {
        "verdict": comparison["verdict"],
        "ratio": f"{comparison['ratio']:.3f}",
        "low": f"{comparison['low']:.3f}",
        "high": f"{comparison['high']:.3f}",
        "rounds": int(comparison["rounds"]),
        "more_rounds": _count(comparison["more_rounds"]),
    }


def plateau_facts(plateau: Mapping[str, Any]) -> dict[str, Any]:
    """A plateau's bounds, as texts."""
    proven = plateau["smallest_proven"]
    return {
        "best": counted_workers(plateau["best"]),
        "from": plateau["smallest_not_excluded"],
        "to": "not proven" if proven is None else str(proven),
        "proven": proven is not None,
        "declines_from": plateau["declines_from"],
    }


def advice_table(decisions: Decisions, near_percent: int) -> Table:
    """A row per condition: the interval in which the fewest workers near the best lie."""
    rows = []
    for advice in decisions["advice"]:
        found = advice["plateau"]
        if found is None:
            rows.append([advice["condition"], UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN])
            continue
        proven, declines = found["smallest_proven"], found["declines_from"]
        rows.append(
            [
                advice["condition"],
                str(found["best"]),
                str(found["smallest_not_excluded"]),
                "none" if proven is None else str(proven),
                "no decline shown" if declines is None else f"from {declines} on",
                "" if proven is not None else _more(advice["more_rounds"]),
            ]
        )
    return Table(
        name="plateaus",
        columns=[
            "condition", "best estimate", "smallest not excluded", "smallest proven",
            "beyond the peak", "rounds that might prove one",
        ],
        rows=rows,
        caption="The fewest workers that come within "
        f"{near_percent} % of the best lie between the smallest not excluded and the smallest "
        "proven. Rounds are a projection from the spread so far.",
    )  # fmt: skip


def comparison_table(comparisons: pd.DataFrame, sweep: str, name: str, caption: str) -> Table:
    """Every comparison of `sweep`: ratio, interval, verdict."""
    rows = [
        [
            row["condition"],
            settings_in_words(row["settings"], row["against"]),
            settings_in_words(row["against"], row["settings"]),
            *_ratio_cells(row),
            row["verdict"],
            _more(row["more_rounds"]) if row["verdict"] == "undecided" else "",
        ]
        for row in comparisons[comparisons["sweep"] == sweep].to_dict("records")
    ]
    return Table(
        name=name,
        columns=[
            "condition", "settings", "against", "ratio", "95 % interval", "rounds", "verdict",
            "rounds that might decide",
        ],
        rows=rows,
        caption=caption,
    )  # fmt: skip


def settings_in_words(settings: str, other: str) -> str:
    """`4 workers`, and what else sets one name of settings apart from the other: `, pinned`.

    What a loader without workers doesn't have makes no difference to one that has it.
    """
    workers, *parts = settings.split("_")
    kinds = {_kind(part) for part in other.split("_")}
    differing = [
        part.replace("-", " ")
        for part in parts
        if part not in other.split("_") and _kind(part) in kinds
    ]
    return ", ".join([counted_workers(int(workers.partition("-")[2])), *differing])


def setting_labels(names: Iterable[str]) -> dict[str, str]:
    """For each name of settings its workers, and what else differs among the names: `4, pinned`."""
    parts = {name: name.split("_")[1:] for name in names}
    seen: dict[str, set[str]] = {}
    for each in parts.values():
        for part in each:
            seen.setdefault(_kind(part), set()).add(part)
    return {
        name: ", ".join(
            [
                name.split("_")[0].partition("-")[2],
                *(part.replace("-", " ") for part in each if len(seen[_kind(part)]) > 1),
            ]
        )
        for name, each in parts.items()
    }


def _kind(part: str) -> str:
    """What a part of a name of settings is about."""
    return PAIRS.get(part, part.partition("-")[0])


def _ratio_cells(row: Mapping[Any, Any]) -> list[Any]:
    if pd.isna(row["ratio"]):
        return [UNKNOWN, UNKNOWN, UNKNOWN]
    return [f"{row['ratio']:.3f}", f"{row['low']:.3f}–{row['high']:.3f}", int(row["rounds"])]


def bottleneck_table(bottlenecks: pd.DataFrame) -> Table:
    """A row per condition and settings: the ceilings, what training reaches, and what bounds it."""
    labels = setting_labels(bottlenecks["settings"])
    return Table(
        name="bottlenecks",
        columns=[
            "condition", "workers", "loader alone, images/s", "step alone, images/s",
            "together allow", "training reaches", "of that", "bound",
        ],
        rows=[
            [
                row["condition"],
                labels[row["settings"]],
                *(f"{row[key]:,.0f}" for key in ("loader", "step", "expected", "training")),
                f"{100 * row['reached']:.0f} %",
                row["bound"],
            ]
            for row in bottlenecks.to_dict("records")
        ],
        caption="Medians. Below 90 % of what loader and step allow, the two share something "
        "(contention); otherwise the slower one is the bound.",
    )  # fmt: skip


def bounds_by_condition(bottlenecks: pd.DataFrame) -> list[dict[str, str]]:
    """For each condition, which bound holds for which settings, and one rule in full."""
    labels = setting_labels(bottlenecks["settings"])
    found = []
    for condition, own in bottlenecks.groupby("condition", sort=False):
        rows = own.sort_values("num_workers", kind="stable").to_dict("records")
        by_bound: dict[str, list[str]] = {}
        for row in rows:
            by_bound.setdefault(row["bound"], []).append(labels[row["settings"]])
        found.append(
            {
                "condition": str(condition),
                "bounds": "; ".join(
                    f"{bound} with {_listed(settings)}" for bound, settings in by_bound.items()
                ),
                "rule": str(rows[-1]["rule"]),
                "rule_workers": counted_workers(int(rows[-1]["num_workers"])),
            }
        )
    return found


def _listed(labels: Sequence[str]) -> str:
    separator = "; " if any("," in label for label in labels) else ", "
    return separator.join(labels) + (" worker" if list(labels) == ["1"] else " workers")


def resident_facts(ceilings: pd.DataFrame) -> list[dict[str, str]]:
    """Throughput of each condition with the dataset on the device, median."""
    known = ceilings[ceilings["arm"] == "resident"].dropna(subset=["images_per_second"])
    medians = known.groupby("condition", sort=False)["images_per_second"].median()
    return [
        {"condition": str(condition), "throughput": f"{value:,.0f}"}
        for condition, value in medians.items()
    ]


def rule_table(decisions: Decisions) -> Table:
    """The rules of thumb, what they say here, and how that does against the best."""
    rows = []
    for advice in decisions["advice"]:
        for each in advice["rules"]:
            prediction = each["prediction"]
            said = prediction["workers"]
            rows.append(
                [
                    advice["condition"],
                    prediction["rule"],
                    UNKNOWN if said is None else str(said),
                    UNKNOWN if each["tested"] is None else str(each["tested"]),
                    UNKNOWN
                    if each["ratio"] is None
                    else f"{each['ratio']:.2f} [{each['low']:.2f}–{each['high']:.2f}]",
                    each["verdict"] if said is not None else prediction["reason"],
                ]
            )
    return Table(
        name="rules-of-thumb",
        columns=["condition", "rule", "says", "nearest measured", "of the best", "verdict"],
        rows=rows,
        caption="Rules of thumb against the measured optimum. *Of the best* is the throughput "
        "over that of the best estimate, with a 90 % interval.",
    )


def resource_table(resources: pd.DataFrame) -> Table:
    """A row per condition and settings of the instrumented repetition: CPU and memory."""
    return Table(
        name="resources",
        columns=[
            "condition", "workers", "samples", "CPU cores, main", "CPU cores, workers",
            "MiB per worker",
            "MiB, all workers", "MiB in all", "MiB of /dev/shm", "MiB pinned",
        ],
        rows=[
            [
                *setting,
                str(int(epochs["samples"].min())),
                _number(warm["main_cpu_cores"].median(), ".2f"),
                _number(warm["workers_cpu_cores"].median(), ".2f"),
                _number(epochs["worker_memory_mib"].max(), ",.0f"),
                _number(epochs["workers_memory_mib"].max(), ",.0f"),
                _number(epochs["total_memory_mib"].max(), ",.0f"),
                _number(epochs["shared_memory_mib"].max(), ",.1f"),
                _number(epochs["pinned_memory_mib"].max(), ",.0f"),
            ]
            for setting, epochs, warm in _watched(resources)
        ],
        caption="One instrumented repetition per setting, never used for timing. Memory is "
        "proportional set size (a page that n processes share counts as 1/n), at its peak. "
        "Samples are those of the epoch that has fewest: of few, peaks and shares are rough. n/a "
        "where this machine can't tell.",
    )  # fmt: skip


def gpu_table(resources: pd.DataFrame) -> Table:
    """A row per condition and settings of the instrumented repetition: the GPU."""
    return Table(
        name="gpu",
        columns=["condition", "workers", "busy, %", "use by NVML, %", "memory, MiB", "clock, MHz",
                 "clock held by"],
        rows=[
            [
                *setting,
                _number(warm["gpu_busy_percent"].median(), ".0f"),
                _number(warm["gpu_utilisation_percent"].median(), ".0f"),
                _number(epochs["gpu_memory_mib"].max(), ",.0f"),
                _number(warm["gpu_clock_mhz"].median(), ",.0f"),
                "; ".join(sorted(set(epochs["gpu_clock_events"].dropna()))) or UNKNOWN,
            ]
            for setting, epochs, warm in _watched(resources)
        ],
        caption="The GPU in the instrumented repetitions. *Busy* is time inside training steps by "
        "the device's own events; NVML's use is the share of time with any kernel running; n/a "
        "where it isn't supported.",
    )  # fmt: skip


def has_gpu_use(resources: pd.DataFrame) -> bool:
    """Whether anything at all is known of a GPU."""
    columns = [column for column in resources if str(column).startswith("gpu_")]
    return bool(resources[columns].notna().any(axis=None))


def _watched(
    resources: pd.DataFrame,
) -> Iterator[tuple[list[str], pd.DataFrame, pd.DataFrame]]:
    """Condition and workers, all epochs and the warm ones of each instrumented repetition."""
    once = resources[resources["arm"] == "instrumented"]
    labels = setting_labels(once["settings"])
    for (condition, settings), epochs in once.groupby(["condition", "settings"], sort=False):
        setting = [str(condition), labels[str(settings)]]
        yield setting, epochs, epochs[epochs["epoch"] > 1]


def ledger_table(ledger: Sequence[Mapping[str, Any]], article: str) -> Table:
    """The claims of `article`: what it printed, what was measured, and the verdict."""
    return Table(
        name=f"claims-{article.lower()}",
        columns=["claim", "published", "measured here", "verdict", "published size within"],
        rows=[
            [
                entry["claim"],
                entry["published"] or "no figure",
                entry["reason"] + (f" {entry['note']}" if entry["note"] else ""),
                entry["verdict"],
                entry["published_in_interval"],
            ]
            for entry in ledger
            if entry["article"] == article
        ],
        caption=f"Claims of article {article}. The last column says whether the published size "
        "lies in the interval measured here.",
    )


def verdict_counts(ledger: Sequence[Mapping[str, Any]]) -> str:
    """`3 reproduced, 2 contradicted, …`, without verdicts that nothing got."""
    verdicts = [entry["verdict"] for entry in ledger]
    order = ("reproduced", "contradicted", "undecided", "not testable here")
    return ", ".join(f"{verdicts.count(each)} {each}" for each in order if each in verdicts)


def published_table(table: Mapping[str, Any], summary: pd.DataFrame) -> Table:
    """An article's own table, with what was measured here beside it."""
    columns, measured = table["columns"], table["measured"]
    beside = measured["columns"] if measured else {}
    keys = [column for column in columns if column not in beside]
    headings = [f"{_heading(column)}, {unit}" for column, unit in columns.items()]
    headings += [f"here: {_heading(column)}, {columns[column]}" for column in beside]
    rows = []
    for row in table["rows"]:
        named = dict(zip(columns, row, strict=True))
        here = _measured_row(summary, measured, {key: named[key] for key in keys})
        rows.append([*map(_entry, row), *(_entry(here.get(source)) for source in beside.values())])
    note = f" {table['note']}" if table["note"] else ""
    return Table(
        name=f"published-{table['id']}",
        columns=headings,
        rows=rows,
        caption=f"Article {table['article']}, {table['place']}: {table['title']}.{note}",
    )


def _measured_row(
    summary: pd.DataFrame, measured: Mapping[str, Any] | None, named: Mapping[str, Any]
) -> Mapping[Any, Any]:
    if measured is None:
        return {}
    wanted = measured["where"] | named
    found = comparable(summary)
    found = found[found["condition"] == wanted["condition"]]
    # A number of workers alone means the loader of the widest sweep, not its variants.
    found = found if "pin_memory" in wanted or found.empty else worker_family(found)
    for column, value in wanted.items():
        found = found[found[column] == value]
    return found.iloc[0].to_dict() if len(found) == 1 else {}


def _heading(column: str) -> str:
    words = column.replace("_", " ")
    return {"num workers": "workers", "pin memory": "pinned"}.get(words, words)


def _entry(value: Any) -> str | None:
    if value is None or pd.isna(value):
        return UNKNOWN
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}" if value >= 1000 else str(value)
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3f}"


def steadiness_facts(steadiness: Mapping[str, Any]) -> dict[str, Any]:
    """Drift of all settings and of the sentinel, as texts; None where too little was measured."""

    def spelled(drift: Mapping[str, Any] | None) -> str | None:
        if drift is None:
            return None
        shown = "a drift" if drift["low"] > 0 or drift["high"] < 0 else "no drift shown"
        return (
            f"{drift['percent_per_hour']:+.1f} % per hour (95 % interval {drift['low']:+.1f} to "
            f"{drift['high']:+.1f}; {drift['measurements']} repetitions): {shown}"
        )

    return {
        "hours": f"{steadiness['hours']:.1f}",
        "all_cells": spelled(steadiness["all_cells"]),
        "sentinel": spelled(steadiness["sentinel"]),
    }


def outlier_texts(steadiness: Mapping[str, Any]) -> list[str]:
    """Each flagged repetition, with its throughput."""
    return [
        f"{each['condition']}, `{each['settings']}`, repetition {each['repetition']}: "
        f"{each['warm_images_per_second']:,.0f} images/s"
        for each in steadiness["outliers"]
    ]


def session_texts(sessions: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Each later session, and whether it counts together with the first."""
    found = []
    for each in sessions:
        comparison = each["comparison"]
        if comparison is None:
            text = (
                f"is kept apart: it can't be compared with the first, with {each['repetitions']} "
                f"and {each['first_repetitions']} repetitions of one setting, where two each are "
                "needed"
            )
        else:
            standing = "counts together with the first" if each["merged"] else "is kept apart"
            text = (
                f"{standing}: `{each['setting']}` reaches {comparison['ratio']:.3f} times its "
                f"throughput there (90 % interval {comparison['low90']:.3f} to "
                f"{comparison['high90']:.3f}), {comparison['verdict']}"
            )
        found.append({"session": each["session"], "text": text})
    return found


def _number(value: Any, form: str) -> str:
    return UNKNOWN if pd.isna(value) else format(value, form)


def _cost(cost: Mapping[str, float | None]) -> dict[str, str] | None:
    """Each known cost in MiB; None where none is known."""
    known = {key: f"{value:,.1f} MiB" for key, value in cost.items() if value is not None}
    return dict.fromkeys(cost, UNKNOWN) | known if known else None


def _count(value: Any) -> int | None:
    return None if value is None or pd.isna(value) else int(value)


def _more(rounds: Any) -> str:
    count = _count(rounds)
    return "more than 1,000" if count is None else f"{count:,}"
