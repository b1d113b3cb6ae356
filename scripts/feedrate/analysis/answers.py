"""What the summary comes to, condition by condition."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

NEAR_BEST = 0.95
"""Share of the best median from which settings count as near it."""


@dataclass(frozen=True)
class Throughput:
    """Warm throughput of one condition and settings, in images per second."""

    num_workers: int
    settings: str
    median: float
    minimum: float
    maximum: float
    repetitions: int


@dataclass(frozen=True)
class Answer:
    """A condition's highest median and what to hold against it.

    `overlapping` are the settings whose range reaches into that of the best: the medians alone
    don't set them apart.
    """

    condition: str
    device: str
    best: Throughput
    fewest_near_best: Throughput
    overlapping: tuple[Throughput, ...]
    without_workers: Throughput | None

    @property
    def speedup(self) -> float | None:
        """The best median over the one without workers; None where that wasn't measured."""
        return self.best.median / self.without_workers.median if self.without_workers else None


def answers(summary: Iterable[Mapping[str, Any]]) -> list[Answer]:
    """An answer per condition, in the order of the rows of summary.csv."""
    rows: dict[tuple[str, str], list[Throughput]] = {}
    for row in summary:
        rows.setdefault((row["condition"], row["device"]), []).append(_throughput(row))
    return [_answer(condition, device, each) for (condition, device), each in rows.items()]


def _throughput(row: Mapping[str, Any]) -> Throughput:
    median, minimum, maximum = (
        float(row[f"warm_images_per_second_{statistic}"])
        for statistic in ("median", "minimum", "maximum")
    )
    workers, repetitions = int(row["num_workers"]), int(row["repetitions"])
    return Throughput(workers, row["settings"], median, minimum, maximum, repetitions)


def _answer(condition: str, device: str, settings: list[Throughput]) -> Answer:
    best = max(settings, key=lambda each: each.median)
    near = [each for each in settings if each.median >= NEAR_BEST * best.median]
    return Answer(
        condition,
        device,
        best,
        fewest_near_best=min(near, key=lambda each: (each.num_workers, -each.median)),
        overlapping=tuple(
            each for each in settings if each is not best and each.maximum >= best.minimum
        ),
        without_workers=next((each for each in settings if each.num_workers == 0), None),
    )


def counted_workers(count: int) -> str:
    """`1 worker`, `4 workers`."""
    return "1 worker" if count == 1 else f"{count} workers"
