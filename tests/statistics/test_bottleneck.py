import pytest

from feedrate.statistics.bottleneck import Bottleneck, Bound, bottleneck


def found(
    training: list[float], loader: list[float], step: list[float], overlap: bool
) -> Bottleneck:
    result = bottleneck(training, loader, step, overlap)
    assert result is not None
    return result


def test_overlapping_the_slower_one_is_expected() -> None:
    result = found([960, 980, 970], [1000, 990, 1010], [3000, 3100, 2900], True)
    assert (result.bound, result.expected, result.reached) == (Bound.LOADER, 1000, 0.97)
    assert result.rule == (
        "The loader at 1,000 and the step at 3,000 images/s overlap and allow 1,000; training "
        "reaches 970, 97.0 % of that, and the loader is the slower one."
    )


def test_a_fast_loader_leaves_the_step_as_the_bound() -> None:
    result = found([900, 900], [3000, 3100], [1000, 1000], True)
    assert (result.bound, result.expected, result.reached) == (Bound.COMPUTE, 1000, 0.9)


def test_without_overlap_they_alternate() -> None:
    # 1 / 300 + 1 / 600 seconds per image.
    result = found([198], [300], [600], False)
    assert result.expected == pytest.approx(200)
    assert result.reached == pytest.approx(0.99)
    assert result.bound is Bound.LOADER
    assert "alternate" in result.rule
    # Overlapping, the same numbers would fall short of either ceiling.
    assert found([198], [300], [600], True).bound is Bound.CONTENTION


def test_falling_short_of_both_is_contention() -> None:
    result = found([700, 710, 690], [1000, 1000, 1000], [1200, 1200, 1200], True)
    assert (result.bound, result.reached) == (Bound.CONTENTION, 0.7)
    assert "70.0 % of that, less than 90 %" in result.rule


def test_overlapping_ranges_leave_it_undecided() -> None:
    result = found([1000, 1000], [990, 1030], [1020, 1050], True)
    assert result.bound is Bound.UNDECIDED
    assert found([1000, 1000], [990, 1020], [1020, 1050], True).bound is Bound.UNDECIDED
    assert found([1000, 1000], [990, 1019], [1020, 1050], True).bound is Bound.LOADER


@pytest.mark.parametrize("missing", ["training", "loader", "step"])
def test_nothing_is_said_where_one_is_missing(missing: str) -> None:
    samples = {"training": [100.0], "loader": [100.0], "step": [100.0]} | {missing: []}
    assert bottleneck(**samples, overlap=True) is None


def test_a_throughput_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="not positive"):
        bottleneck([1.0], [0.0], [1.0], False)
