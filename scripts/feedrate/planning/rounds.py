"""Rounds that are added one at a time, as long as `repetitions: auto` needs them."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from feedrate.measurement.arm import Role
from feedrate.planning.plan import Plan, PlannedCell, missing_cells
from feedrate.planning.records import RecordsRefused, read_record, warm_images_per_second
from feedrate.planning.specification import role_of

if TYPE_CHECKING:
    from feedrate.statistics.stopping import Stopping

OpenRounds = dict[str, list[PlannedCell]]
"""For each combination that may get another round, its cells so far, in the order of rounds."""


def first_rounds(plan: Plan) -> OpenRounds:
    """The certain cells of every combination that has cells in reserve."""
    open_ended = dict.fromkeys(cell.combination for cell in plan.reserve)
    rounds: OpenRounds = {combination: [] for combination in open_ended}
    for cell in plan.cells:
        if role_of(cell.specification) is Role.TIMED and cell.combination in rounds:
            rounds[cell.combination].append(cell)
    return rounds


def next_rounds(rounds: OpenRounds, enough: Mapping[str, bool], plan: Plan) -> OpenRounds:
    """The combinations that get another round, each with the next of its cells in reserve."""
    longer = {}
    for combination, cells in rounds.items():
        after = cells[-1].specification["repetition"] + 1
        further = [
            cell
            for cell in plan.reserve
            if cell.combination == combination and cell.specification["repetition"] == after
        ]
        if not enough[combination] and further:
            longer[combination] = [*cells, *further]
    return longer


def decide(rounds: OpenRounds, plan: Plan, results: Path) -> "dict[str, Stopping]":
    """For each combination, whether its measured rounds are enough.

    RecordsRefused if a cell can't be read.
    """
    # Imported here: statistics take a second to import, and only open rounds need them.
    from feedrate.statistics.stopping import stopping

    rule = plan.experiment["auto_repetitions"]
    return {
        combination: stopping(
            [warm_images_per_second(read_record(cell, results / cell.path)) for cell in cells],
            **rule,
        )
        for combination, cells in rounds.items()
    }


def decide_after(added: int, plan: Plan, results: Path) -> "dict[str, Stopping]":
    """The decisions about the combinations that are still open after `added` further rounds."""
    _, decisions = next(islice(_decided(plan, results), added, None), ({}, {}))
    return decisions


def needed_rounds(plan: Plan, results: Path) -> "tuple[list[PlannedCell], dict[str, Stopping]]":
    """The cells in reserve that were needed, and why each open-ended combination stopped.

    RecordsRefused if one of the cells can't be read.
    """
    needed: list[PlannedCell] = []
    reasons: dict[str, Stopping] = {}
    for added, (rounds, decisions) in enumerate(_decided(plan, results)):
        needed += [cells[-1] for cells in rounds.values()] if added else []
        reasons |= decisions
    return needed, reasons


def _decided(plan: Plan, results: Path) -> "Iterator[tuple[OpenRounds, dict[str, Stopping]]]":
    """The open rounds with their decisions, one added round after another."""
    rounds = first_rounds(plan)
    while rounds:
        decisions = decide(rounds, plan, results)
        yield rounds, decisions
        rounds = next_rounds(rounds, _enough(decisions), plan)


def replay(plan: Plan, results: Path) -> tuple[list[list[PlannedCell]], OpenRounds]:
    """What the measured rounds have decided: the cells of each added round, and the open rounds.

    Open rounds are those with missing cells. There are none if all combinations have enough, or if
    a cell can't be read: the aggregation will report that one.
    """
    rounds, added = first_rounds(plan), list[list[PlannedCell]]()
    while rounds:
        cells = [cell for members in rounds.values() for cell in members]
        if not all((results / cell.path).exists() for cell in cells):
            return added, rounds
        try:
            rounds = next_rounds(rounds, _enough(decide(rounds, plan, results)), plan)
        except RecordsRefused:
            return added, {}
        if rounds:
            added.append([members[-1] for members in rounds.values()])
    return added, {}


def _enough(decisions: "Mapping[str, Stopping]") -> dict[str, bool]:
    return {combination: each.enough for combination, each in decisions.items()}


def still_missing(plan: Plan, results: Path) -> list[PlannedCell]:
    """The cells that are to be measured now: the certain ones, or else the next round's."""
    missing = list(missing_cells(plan, results))
    if missing or not plan.reserve:
        return missing
    _, rounds = replay(plan, results)
    cells = [cell for members in rounds.values() for cell in members]
    return [cell for cell in cells if not (results / cell.path).exists()]
