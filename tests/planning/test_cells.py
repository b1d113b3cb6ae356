from collections import Counter
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from feedrate.configuration.model import Experiment
from feedrate.planning.cells import Expansion, anchors, expand

workers = st.lists(st.integers(0, 8), min_size=1, max_size=4)
repetitions = st.integers(1, 4)


def experiment_with(
    sections: Mapping[str, object] | None = None, **sweeps: Mapping[str, object]
) -> Experiment:
    conditions = {"light": ["ToTensor"], "augmented": ["ToTensor"]}
    return Experiment.model_validate(
        {"conditions": conditions, "sweeps": sweeps, **(sections or {})}
    )


def test_the_article_has_50_cells_without_an_accelerator_and_55_with_one() -> None:
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
    # 2 conditions x 7 settings x 3, 2 more rounds of 3 settings, and of the sentinel.
    assert len(expand(article, "cpu").cells) == 42 + 6 + 2
    # With pinning: 2 more rounds of a shared setting, and 5 rounds of the pageable one.
    assert len(expand(article, "cuda").cells) == 42 + 6 + 2 + 2 + 5


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
    counts = Counter(cell.settings.workers for cell in expansion.cells)
    expected = {
        count: max(few if count in first else 0, many if count in second else 0)
        for count in {*first, *second}
    }
    expected[first[0]] = max(few, many)  # the sentinel, in every round
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
    assert cell.settings["prefetch_factor"] is None
    assert cell.settings["persistent_workers"] is False
    assert cell.settings["start_method"] is None


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


def test_a_crossed_sweep_keeps_the_factors_that_apply() -> None:
    crossed = {
        "conditions": ["light"],
        "num_workers": [0, 2],
        "pin_memory": [True, False],
        "repetitions": 1,
    }
    expansion = expand(experiment_with(crossed=crossed), "cpu")
    assert sorted(cell.settings.workers for cell in expansion.cells) == [0, 2]
    (entry,) = expansion.not_applicable
    assert entry.factor == "pin_memory"


def counted(expansion: Expansion) -> Counter[tuple[str, str, int]]:
    return Counter((cell.arm, cell.condition, cell.settings.workers) for cell in expansion.cells)


def test_ceilings_depend_on_no_more_than_they_must() -> None:
    sweep = {"conditions": ["light", "augmented"], "num_workers": [0, 2], "repetitions": 3}
    ceilings = {"ceilings": {"arms": ["loader", "step", "resident"]}}
    counts = counted(expand(experiment_with(ceilings, a=sweep), "cpu"))
    for condition in ("light", "augmented"):
        assert counts["resident", condition, 0] == 3
        for workers in (0, 2):
            assert counts["loader", condition, workers] == counts["training", condition, workers]
    assert counts["step", "", 0] == 3
    assert sum(counts.values()) == 12 + 12 + 3 + 6


def test_ceilings_take_part_in_the_rounds() -> None:
    sweep = {"conditions": ["light"], "num_workers": [0, 1, 2, 3], "repetitions": 2}
    cells = expand(experiment_with({"ceilings": {"arms": ["loader"]}}, a=sweep), "cpu").cells
    assert [cell.repetition for cell in cells] == [1] * 8 + [2] * 8
    arms = [cell.arm for cell in cells[:8]]
    assert arms not in (sorted(arms), sorted(arms, reverse=True))


def test_what_is_instrumented_comes_last_and_once() -> None:
    sweep = {"conditions": ["light"], "num_workers": [0, 2], "repetitions": 3}
    resources = {
        "instrumented": True,
        "leak": {"conditions": ["augmented"], "num_workers": 3, "epochs": 9},
    }
    expansion = expand(experiment_with({"resources": resources}, a=sweep), "cpu")
    assert [cell.arm for cell in expansion.cells[-3:]] == ["instrumented", "instrumented", "leak"]
    leak = expansion.cells[-1]
    assert (leak.condition, leak.settings.workers) == ("augmented", 3)
    assert leak.settings["persistent_workers"]


def test_auto_has_its_minimum_for_certain_and_the_rest_in_reserve() -> None:
    sections = {"auto_repetitions": {"minimum": 4, "maximum": 6}}
    auto = {"conditions": ["light"], "num_workers": [0, 2], "repetitions": "auto"}
    fixed = {"conditions": ["augmented"], "num_workers": [0], "repetitions": 2}
    expansion = expand(experiment_with(sections, auto=auto, fixed=fixed), "cpu")
    assert counted(expansion) == {
        ("training", "light", 0): 4,
        ("training", "light", 2): 4,
        ("training", "augmented", 0): 2,
    }
    assert [(cell.repetition, cell.condition) for cell in expansion.reserve] == [
        (5, "light"), (5, "light"), (6, "light"), (6, "light"),
    ]  # fmt: skip


def test_anchors_are_the_sentinel_under_their_sessions_name() -> None:
    sweep = {"conditions": ["light"], "num_workers": [0, 2], "repetitions": 1}
    sentinel = expand(experiment_with(a=sweep), "cpu").sentinel
    assert sentinel is not None
    assert [(cell.arm, cell.session, cell.repetition) for cell in anchors(sentinel, "s2", 2)] == [
        ("anchor", "s2", 1),
        ("anchor", "s2", 2),
    ]
