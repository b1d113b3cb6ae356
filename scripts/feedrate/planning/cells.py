"""The cells of an experiment: arm by condition by settings by repetition."""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from feedrate.canonical import canonical_json
from feedrate.configuration.model import Experiment, Sweep
from feedrate.measurement.arm import Scope
from feedrate.measurement.arms import ARMS
from feedrate.planning.settings import Settings, resolve, why_not_applicable

EVERY_CONDITION = ""
"""The condition of an arm that loads nothing."""

Combination = tuple[str, Settings]
"""A condition and settings of its loader."""


@dataclass(frozen=True)
class Cell:
    """What one measuring process measures.

    `arm` names what runs; `session` is the one that an anchor belongs to.
    """

    repetition: int
    arm: str
    condition: str
    settings: Settings
    session: str = ""


@dataclass(frozen=True)
class NotApplicable:
    """A factor of a sweep whose levels make no difference on this machine."""

    sweep: str
    factor: str
    reason: str


@dataclass(frozen=True)
class Expansion:
    """All cells in the order in which they are measured, and the sweeps that were left out.

    `reserve` are the cells of `repetitions: auto` that are measured only if they are needed, in
    rounds of their own; `sentinel` is measured in every certain round, so that drift shows; None
    if nothing is measured. A sweep all of whose factors are not applicable is not in `sweeps`.
    """

    cells: tuple[Cell, ...]
    reserve: tuple[Cell, ...]
    sentinel: Combination | None
    sweeps: dict[str, tuple[Combination, ...]]
    not_applicable: tuple[NotApplicable, ...]


def expand(experiment: Experiment, device: str) -> Expansion:
    """The cells of all sweeps that apply on `device`.

    A combination in several sweeps counts as one, with the largest number of repetitions.
    Repetitions are rounds: every combination once in each, in a seeded random order that differs
    by round (blocking, as in Box, Hunter and Hunter, Statistics for Experimenters). Ceilings take
    part in the rounds; watched cells come after them. The sentinel is the first combination of the
    first sweep.
    """
    auto = experiment.auto_repetitions
    repetitions: dict[Combination, int] = {}
    open_ended: dict[Combination, None] = {}
    sweeps: dict[str, tuple[Combination, ...]] = {}
    left_out: list[NotApplicable] = []
    for name, sweep in experiment.sweeps.items():
        left_out += [
            NotApplicable(name, factor, reason)
            for factor, reason in _idle_factors(experiment, sweep, device)
        ]
        if _is_idle(experiment, sweep, device):
            continue
        sweeps[name] = tuple(
            (condition, settings)
            for condition in dict.fromkeys(sweep.conditions)
            for settings in dict.fromkeys(_combinations(experiment, sweep, device))
        )
        asked = auto.minimum if sweep.repetitions == "auto" else sweep.repetitions
        for combination in sweeps[name]:
            repetitions[combination] = max(repetitions.get(combination, 0), asked)
            if sweep.repetitions == "auto":
                open_ended[combination] = None
    sentinel = next(iter(repetitions), None)
    if sentinel:
        repetitions[sentinel] = max(repetitions.values())
    timed = _repeated("training", repetitions)
    rounds = _rounds([*timed, *_ceilings(experiment, repetitions)], experiment.seed)
    reserve = [
        Cell(repetition, "training", *combination)
        for combination in open_ended
        for repetition in range(repetitions[combination] + 1, auto.maximum + 1)
    ]
    return Expansion(
        cells=(*rounds, *_watched(experiment, repetitions, device)),
        reserve=tuple(_rounds(reserve, experiment.seed)),
        sentinel=sentinel,
        sweeps=sweeps,
        not_applicable=tuple(left_out),
    )


def anchors(combination: Combination, session: str, count: int) -> list[Cell]:
    """A combination measured `count` times in `session`, to compare it with earlier ones."""
    return [Cell(repetition, "anchor", *combination, session) for repetition in range(1, count + 1)]


def _combinations(experiment: Experiment, sweep: Sweep, device: str) -> Iterator[Settings]:
    base = experiment.loader.model_dump()
    for levels in product(*sweep.levels.values()):
        yield resolve(base | dict(zip(sweep.levels, levels, strict=True)), device)


def _idle_factors(experiment: Experiment, sweep: Sweep, device: str) -> Iterator[tuple[str, str]]:
    """Factors that the sweep varies but whose levels make no difference on `device`."""
    combinations = list(_combinations(experiment, sweep, device))
    kinds = sorted({str(combination["kind"]) for combination in combinations})
    for factor in _varied(sweep):
        if len({combination[factor] for combination in combinations}) == 1:
            yield factor, why_not_applicable(factor, kinds, device)


def _is_idle(experiment: Experiment, sweep: Sweep, device: str) -> bool:
    """Whether the sweep varies something, but it all amounts to one combination on `device`."""
    return bool(_varied(sweep)) and len(set(_combinations(experiment, sweep, device))) == 1


def _varied(sweep: Sweep) -> list[str]:
    return [factor for factor, levels in sweep.levels.items() if len(set(levels)) > 1]


def _repeated(arm: str, repetitions: Mapping[Combination, int]) -> Iterator[Cell]:
    for combination, count in repetitions.items():
        for repetition in range(1, count + 1):
            yield Cell(repetition, arm, *combination)


def _ceilings(experiment: Experiment, repetitions: Mapping[Combination, int]) -> Iterator[Cell]:
    """Each ceiling once for all training that it bounds, in the certain rounds of that training."""
    for arm in dict.fromkeys(experiment.ceilings.arms):
        counts: dict[Combination, int] = {}
        for (condition, settings), count in repetitions.items():
            bounding = (
                EVERY_CONDITION if ARMS[arm].scope is Scope.BATCH else condition,
                settings if ARMS[arm].scope is Scope.SETTINGS else settings.of_batches_alone,
            )
            counts[bounding] = max(counts.get(bounding, 0), count)
        yield from _repeated(arm, counts)


def _watched(
    experiment: Experiment, combinations: Iterable[Combination], device: str
) -> Iterator[Cell]:
    if experiment.resources.instrumented:
        yield from (Cell(1, "instrumented", *combination) for combination in combinations)
    leak = experiment.resources.leak
    if leak:
        requested = experiment.loader.model_dump() | {
            "num_workers": leak.num_workers,
            "persistent_workers": True,
        }
        for condition in dict.fromkeys(leak.conditions):
            yield Cell(1, "leak", condition, resolve(requested, device))


def _rounds(cells: Iterable[Cell], seed: int) -> Iterator[Cell]:
    """Round after round, each shuffled."""
    rounds: dict[int, list[Cell]] = {}
    for cell in cells:
        rounds.setdefault(cell.repetition, []).append(cell)
    for repetition, members in sorted(rounds.items()):
        ordered = sorted(members, key=_name)
        random.Random(f"{seed} {repetition}").shuffle(ordered)
        yield from ordered


def _name(cell: Cell) -> str:
    """A key that sorts cells before the seeded shuffle, whatever their factors are."""
    return canonical_json([cell.arm, cell.condition, cell.settings.specification, cell.session])
