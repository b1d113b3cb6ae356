"""The cells of an experiment: condition by settings by repetition."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from feedrate.configuration.model import FACTORS, Experiment, Sweep
from feedrate.planning.settings import LoaderSettings, resolve, why_not_applicable


@dataclass(frozen=True, order=True)
class Cell:
    """What one measuring process measures."""

    repetition: int
    condition: str
    settings: LoaderSettings


@dataclass(frozen=True)
class NotApplicable:
    """A sweep that has nothing to compare on this machine."""

    sweep: str
    factor: str
    reason: str


@dataclass(frozen=True)
class Expansion:
    """All cells in the order in which they are measured, and the sweeps that were left out."""

    cells: tuple[Cell, ...]
    sweeps: dict[str, tuple[tuple[str, LoaderSettings], ...]]
    not_applicable: tuple[NotApplicable, ...]


def expand(experiment: Experiment, device: str) -> Expansion:
    """The cells of all sweeps that apply on `device`.

    A combination in several sweeps is one, with the largest number of repetitions. Repetitions
    are rounds: every combination once in each, in a seeded random order that differs by round
    (blocking, as in Box, Hunter and Hunter, Statistics for Experimenters).
    """
    repetitions: dict[tuple[str, LoaderSettings], int] = {}
    sweeps: dict[str, tuple[tuple[str, LoaderSettings], ...]] = {}
    left_out: list[NotApplicable] = []
    for name, sweep in experiment.sweeps.items():
        idle = _idle_factor(experiment, sweep, device)
        if idle:
            left_out.append(NotApplicable(name, idle, why_not_applicable(idle, device)))
            continue
        sweeps[name] = tuple(
            (condition, settings)
            for condition in dict.fromkeys(sweep.conditions)
            for settings in dict.fromkeys(_combinations(experiment, sweep, device))
        )
        for combination in sweeps[name]:
            repetitions[combination] = max(repetitions.get(combination, 0), sweep.repetitions)
    return Expansion(tuple(_rounds(repetitions, experiment.seed)), sweeps, tuple(left_out))


def _combinations(experiment: Experiment, sweep: Sweep, device: str) -> Iterator[LoaderSettings]:
    base = experiment.loader.model_dump()
    varied = {factor: levels for factor in FACTORS if (levels := getattr(sweep, factor))}
    for levels in product(*varied.values()):
        yield resolve(base | dict(zip(varied, levels, strict=True)), device)


def _idle_factor(experiment: Experiment, sweep: Sweep, device: str) -> str | None:
    """A factor that the sweep varies and whose levels all come to the same on `device`."""
    combinations = list(_combinations(experiment, sweep, device))
    for factor in FACTORS:
        levels = getattr(sweep, factor)
        if levels and len(set(levels)) > 1 and len({getattr(c, factor) for c in combinations}) == 1:
            return factor
    return None


def _rounds(repetitions: dict[tuple[str, LoaderSettings], int], seed: int) -> Iterator[Cell]:
    for repetition in range(1, max(repetitions.values(), default=0) + 1):
        cells = sorted(
            Cell(repetition, condition, settings)
            for (condition, settings), count in repetitions.items()
            if repetition <= count
        )
        random.Random(f"{seed} {repetition}").shuffle(cells)
        yield from cells
