from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from feedrate.configuration.model import Experiment
from feedrate.planning.cells import expand

workers = st.lists(st.integers(0, 8), min_size=1, max_size=4)
repetitions = st.integers(1, 4)


def experiment_with(**sweeps: dict[str, object]) -> Experiment:
    return Experiment.model_validate(
        {"conditions": {"light": ["ToTensor"], "augmented": ["ToTensor"]}, "sweeps": sweeps}
    )


def test_the_article_has_48_cells_without_an_accelerator_and_53_with_one() -> None:
    article = experiment_with(
        workers={
            "conditions": ["light", "augmented"],
            "num_workers": [0, 1, 2, 4, 8, 12, 16],
            "repetitions": 3,
        },
        plateau={"conditions": ["augmented"], "num_workers": [8, 12, 16], "repetitions": 5},
        pinning={
            "conditions": ["augmented"],
            "num_workers": 4,
            "pin_memory": [False, True],
            "repetitions": 5,
        },
    )
    # 2 conditions x 7 settings x 3, and 2 more rounds of 3 settings.
    assert len(expand(article, "cpu").cells) == 42 + 6
    # With pinning: 2 more rounds of a shared setting, and 5 rounds of the pageable one.
    assert len(expand(article, "cuda").cells) == 42 + 6 + 2 + 5


@given(workers, workers, repetitions, repetitions)
def test_a_combination_in_two_sweeps_has_the_larger_number_of_repetitions(
    first: list[int], second: list[int], few: int, many: int
) -> None:
    expansion = expand(
        experiment_with(
            a={"conditions": ["light"], "num_workers": first, "repetitions": few},
            b={"conditions": ["light"], "num_workers": second, "repetitions": many},
        ),
        "cpu",
    )
    counts = Counter(cell.settings.num_workers for cell in expansion.cells)
    expected = {
        count: max(few if count in first else 0, many if count in second else 0)
        for count in {*first, *second}
    }
    assert counts == expected
    assert len(set(expansion.cells)) == len(expansion.cells)


@given(workers, repetitions)
def test_repetitions_are_rounds(levels: list[int], rounds: int) -> None:
    cells = expand(
        experiment_with(a={"conditions": ["light"], "num_workers": levels, "repetitions": rounds}),
        "cpu",
    ).cells
    numbers = [cell.repetition for cell in cells]
    assert numbers == sorted(numbers)
    assert set(Counter(numbers).values()) == {len(set(levels))}


def test_the_order_is_seeded_and_differs_by_round() -> None:
    sweep = {"conditions": ["light"], "num_workers": list(range(9)), "repetitions": 2}
    cells = expand(experiment_with(a=sweep), "cpu").cells
    assert cells == expand(experiment_with(a=sweep), "cpu").cells
    first, second = ([c.settings for c in cells if c.repetition == n] for n in (1, 2))
    assert first != second
    assert set(first) == set(second)


def test_arguments_without_workers_are_left_out() -> None:
    (cell,) = expand(
        experiment_with(a={"conditions": ["light"], "num_workers": 0, "repetitions": 1}), "cpu"
    ).cells
    assert cell.settings.prefetch_factor is None
    assert cell.settings.persistent_workers is False
    assert cell.settings.start_method is None


def test_a_factor_that_changes_nothing_is_left_out_with_its_reason() -> None:
    pinning = {
        "conditions": ["light"],
        "num_workers": 2,
        "pin_memory": [True, False],
        "repetitions": 1,
    }
    expansion = expand(experiment_with(pinning=pinning), "cpu")
    (entry,) = expansion.not_applicable
    assert (entry.sweep, entry.factor) == ("pinning", "pin_memory")
    assert "cpu" in entry.reason
    assert expansion.cells == ()
    assert expand(experiment_with(pinning=pinning), "cuda").not_applicable == ()
