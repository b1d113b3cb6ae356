"""Whether the rounds of `repetitions: auto` are enough, from what they measured."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from feedrate.analysis.records import RecordsRefused, read_record, warm_images_per_second
from feedrate.planning.plan import Plan, PlannedCell
from feedrate.planning.rounds import OpenRounds, first_rounds, next_rounds
from feedrate.statistics.stopping import Stopping, stopping


def decide(rounds: OpenRounds, plan: Plan, results: Path) -> dict[str, Stopping]:
    """For each combination, whether its measured rounds are enough.

    RecordsRefused if a cell can't be read.
    """
    rule = plan.experiment["auto_repetitions"]
    return {
        combination: stopping(
            [warm_images_per_second(read_record(cell, results / cell.path)) for cell in cells],
            **rule,
        )
        for combination, cells in rounds.items()
    }


def decide_after(added: int, plan: Plan, results: Path) -> dict[str, Stopping]:
    """The decisions about the combinations that are still open when `added` rounds were added."""
    _, decisions = next(islice(_decided(plan, results), added, None), ({}, {}))
    return decisions


def needed_rounds(plan: Plan, results: Path) -> tuple[list[PlannedCell], dict[str, Stopping]]:
    """The cells in reserve that were needed, and why each open-ended combination stopped.

    RecordsRefused if a cell on the way can't be read.
    """
    needed, reasons = list[PlannedCell](), dict[str, Stopping]()
    for added, (rounds, decisions) in enumerate(_decided(plan, results)):
        needed += [cells[-1] for cells in rounds.values()] if added else []
        reasons |= decisions
    return needed, reasons


def _decided(plan: Plan, results: Path) -> Iterator[tuple[OpenRounds, dict[str, Stopping]]]:
    """The open rounds with their decisions, one added round after another."""
    rounds = first_rounds(plan)
    while rounds:
        decisions = decide(rounds, plan, results)
        yield rounds, decisions
        rounds = next_rounds(rounds, _enough(decisions), plan)


def replay(plan: Plan, results: Path) -> tuple[list[list[PlannedCell]], OpenRounds]:
    """What the measured rounds have decided: the cells of each added round, and what is open.

    Open are the rounds of which cells are missing; none where all are enough, or where a cell
    can't be read: the aggregation refuses it by name.
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


def _enough(decisions: Mapping[str, Stopping]) -> dict[str, bool]:
    return {combination: each.enough for combination, each in decisions.items()}
