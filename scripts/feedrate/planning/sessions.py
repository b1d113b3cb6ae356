"""Sessions: stretches of measuring without a long gap, each with its own state of the machine."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from feedrate.planning.plan import Plan, PlannedCell
from feedrate.planning.specification import INSTRUMENTED_ARMS

Record = Mapping[str, Any]


def is_timed(cell: PlannedCell) -> bool:
    """Whether the times of `cell` are used, so that its session matters."""
    return cell.specification["arm"] not in INSTRUMENTED_ARMS


def timed_records(plan: Plan, results: Path) -> Iterator[Record]:
    """The records of all timed cells of `plan` that exist; what can't be read is left out.

    Nothing is refused here: the aggregation does that, by name.
    """
    for cell in (*plan.cells, *plan.reserve):
        file = results / cell.path
        if is_timed(cell) and file.exists():
            try:
                record = json.loads(file.read_text(encoding="utf-8"))
                datetime.fromisoformat(record["process"]["ended_at"])
                record["process"]["session"]
            except (ValueError, KeyError, TypeError):
                continue
            yield record


def session_for(now: datetime, timed: Sequence[Record], gap_minutes: float) -> str:
    """The session in which a measurement at `now` takes place: the last one's, or a new one.

    `timed` are the records that exist. A session ends with `gap_minutes` without a measurement;
    it is named after the time at which it was planned.
    """
    last = max(timed, key=_ended_at, default=None)
    if last and now - _ended_at(last) <= timedelta(minutes=gap_minutes):
        return str(last["process"]["session"])
    return now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def sessions_in_order(timed: Sequence[Record]) -> list[str]:
    """The sessions of `timed` records, the earliest first."""
    ordered = sorted(timed, key=_ended_at)
    return list(dict.fromkeys(str(record["process"]["session"]) for record in ordered))


def _ended_at(record: Record) -> datetime:
    return datetime.fromisoformat(record["process"]["ended_at"])
