"""Sessions: stretches of measuring without a long gap, each with its own state of the machine."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from feedrate.measurement.arm import Role
from feedrate.planning.cells import Combination, Expansion
from feedrate.planning.plan import Plan, PlannedCell
from feedrate.planning.settings import settings_of
from feedrate.planning.specification import role_of

Record = Mapping[str, Any]


def is_timed(cell: PlannedCell) -> bool:
    """Whether the times of `cell` are used, so that its session matters."""
    return role_of(cell.specification) is not Role.WATCHED


def timed_records(plan: Plan, results: Path) -> Iterator[Record]:
    """The records of all timed cells of `plan` that exist; what can't be read is left out.

    Those aren't refused here: the aggregation reports them.
    """
    for cell in (*plan.cells, *plan.reserve):
        record = _record(results / cell.path) if is_timed(cell) else None
        if record:
            yield record


def existing_anchors(sessions: Iterable[str], results: Path) -> Iterator[PlannedCell]:
    """The measured anchors of `sessions`, whatever setting was their sentinel."""
    wanted = set(sessions)
    for file in sorted(results.glob("cells/*/*/anchor-*.json")) if wanted else ():
        record = _record(file)
        if record and record["specification"].get("session") in wanted:
            path = file.relative_to(results).as_posix()
            yield PlannedCell(path, 0, record["specification"])


def anchor_combination(expansion: Expansion, first: Iterable[Record]) -> Combination | None:
    """The first combination of the sweeps that the records of the first session hold."""
    known = {
        (record["specification"]["condition"]["name"], settings_of(record["specification"]))
        for record in first
        if role_of(record["specification"]) is Role.TIMED
    }
    members = (each for combinations in expansion.sweeps.values() for each in combinations)
    return next((combination for combination in members if combination in known), None)


def _record(file: Path) -> Record | None:
    """The record in `file`; None if there is none or it can't be read."""
    try:
        record: Record = json.loads(file.read_text(encoding="utf-8"))
        datetime.fromisoformat(record["process"]["ended_at"])
        record["process"]["session"], record["specification"]["arm"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return record


def session_for(now: datetime, timed: Sequence[Record], gap_minutes: float) -> str:
    """The session in which a measurement at `now` takes place: the last one's, or a new one.

    `timed` are the records that exist. A session ends after `gap_minutes` without a measurement;
    its name is the time at which it was planned.
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
