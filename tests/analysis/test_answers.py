from typing import Any

from feedrate.analysis.answers import answers


def row(condition: str, workers: int, median: float) -> dict[str, Any]:
    return {
        "condition": condition,
        "device": "cpu",
        "num_workers": str(workers),  # as csv gives it
        "settings": f"workers-{workers}",
        "repetitions": 3,
        "warm_images_per_second_median": median,
        "warm_images_per_second_minimum": median - 1,
        "warm_images_per_second_maximum": median + 1,
    }


def test_the_articles_light_condition() -> None:
    medians = {0: 30_268, 2: 60_881, 4: 108_782, 8: 116_828, 12: 119_045, 16: 117_262}
    (answer,) = answers(row("light", workers, median) for workers, median in medians.items())
    assert answer.best.num_workers == 12
    assert answer.fewest_near_best.num_workers == 8  # 116,828 is 98 % of the best, 108,782 is 91 %
    assert answer.speedup is not None
    assert round(answer.speedup, 2) == 3.93
    assert answer.overlapping == ()


def test_ranges_that_reach_into_the_best_ones_are_told() -> None:
    (answer,) = answers([row("a", 0, 9), row("a", 1, 11), row("a", 2, 8)])
    assert [each.num_workers for each in answer.overlapping] == [0]


def test_conditions_are_apart_and_without_workers_may_be_missing() -> None:
    first, second = answers([row("a", 1, 10), row("b", 0, 20), row("a", 2, 30)])
    assert (first.condition, first.best.num_workers, first.speedup) == ("a", 2, None)
    assert (second.condition, second.best.num_workers, second.speedup) == ("b", 0, 1)
