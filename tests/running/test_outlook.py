import pytest

from feedrate.running.outlook import Outlook


def start(cells: int = 4, left: int = 3, open_ended: bool = False) -> Outlook:
    return Outlook(cells, left, open_ended, foretold_left=600.0, foretold_done=0.0, taken=0.0)


def test_without_a_measured_cell_the_forecast_stands() -> None:
    assert start().left_seconds == 600
    assert str(start()) == "1 of 4 cells measured, about 10 min left"


def test_what_cells_take_corrects_the_forecast_of_the_others() -> None:
    # 200 of 600 s foretold are done and took half as much again: 400 s become 600 s.
    after = start().after(foretold=200, taken=300)
    assert after.left == 2
    assert after.left_seconds == pytest.approx(600)
    assert str(after) == "2 of 4 cells measured, about 10 min left"


def test_the_last_certain_cell_ends_the_count_and_further_rounds_dont_restart_it() -> None:
    done = start(left=1, open_ended=True).after(600, 600)
    assert str(done) == "all 4 cells are measured, rounds are added as needed"
    assert done.after(100, 100).left == 0
    assert str(start(left=0)) == "all 4 cells are measured"
