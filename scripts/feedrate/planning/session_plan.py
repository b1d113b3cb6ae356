"""The plan of the session that measures now."""

from datetime import UTC, datetime
from pathlib import Path

from feedrate.configuration.model import Experiment
from feedrate.measurement.arm import Role
from feedrate.planning.cells import expand
from feedrate.planning.plan import Plan, make_plan, planned_anchors, with_cells
from feedrate.planning.rounds import still_missing
from feedrate.planning.sessions import (
    anchor_combination,
    existing_anchors,
    is_timed,
    session_for,
    sessions_in_order,
    timed_records,
)
from feedrate.planning.specification import Surroundings, role_of


class NothingToMeasure(Exception):
    """No sweep applies on this machine; the message says why."""


def plan_session(experiment: Experiment, around: Surroundings, results: Path) -> tuple[Plan, str]:
    """The plan with the anchors of its later sessions, and the session that measures now.

    What is added to an earlier session comes with anchors; a session that has ended keeps those
    that it has. NothingToMeasure if no sweep has anything to measure on this machine.
    """
    plan = make_plan(experiment, around)
    if not any(role_of(cell.specification) is Role.TIMED for cell in plan.cells):
        reasons = "; ".join(f"{each['sweep']}: {each['reason']}" for each in plan.not_applicable)
        raise NothingToMeasure(f"No sweep has anything to measure on this machine: {reasons}")
    timed = list(timed_records(plan, results))
    now = session_for(datetime.now(UTC), timed, experiment.sessions.gap_minutes)
    sessions = sessions_in_order(timed)
    later = [session for session in sessions[1:] if session != now]
    plan = with_cells(plan, existing_anchors(later, results))
    if not sessions or now == sessions[0]:
        return plan, now
    if any(map(is_timed, still_missing(plan, results))):
        first = [record for record in timed if record["process"]["session"] == sessions[0]]
        sentinel = anchor_combination(expand(experiment, around.device), first)
        added = planned_anchors(sentinel, now, experiment, around) if sentinel else []
    else:
        added = list(existing_anchors([now], results))
    return with_cells(plan, added), now
