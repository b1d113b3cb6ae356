"""Rounds that are added one at a time, as long as `repetitions: auto` needs them."""

from collections.abc import Mapping

from feedrate.planning.plan import Plan, PlannedCell

OpenRounds = dict[str, list[PlannedCell]]
"""For each combination that may go on, its cells so far, in the order of their rounds."""


def first_rounds(plan: Plan) -> OpenRounds:
    """The certain cells of every combination that has cells in reserve."""
    open_ended = dict.fromkeys(cell.combination for cell in plan.reserve)
    rounds: OpenRounds = {combination: [] for combination in open_ended}
    for cell in plan.cells:
        if cell.specification["arm"] == "training" and cell.combination in rounds:
            rounds[cell.combination].append(cell)
    return rounds


def next_rounds(rounds: OpenRounds, enough: Mapping[str, bool], plan: Plan) -> OpenRounds:
    """The combinations that go on, each with the next of its cells in reserve."""
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
