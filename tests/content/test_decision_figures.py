"""Ceilings, plateaus and memory as drawings."""

import pytest
from matplotlib.figure import Figure

from feedrate.content.decision_figures import (
    _draw_ceilings,
    ceiling_figure,
    memory_figure,
    near_best_figure,
)
from tests.content.decided import ADVICE, SINGLE, bottlenecks, resources


@pytest.mark.filterwarnings("error")
def test_figures_say_in_words_what_they_draw() -> None:
    ceilings = ceiling_figure(bottlenecks(), "emulated")
    assert "4: 704 training, 1,000 loader alone" in ceilings.alt
    assert "step alone 3,000" in ceilings.alt
    assert ceilings.device == "emulated"
    assert ceilings.values["reached"] == [
        {"condition": "light", "workers": 4, "percent": "95", "bound": "contention"}
    ]
    assert ceilings.data[0]["resident"] is None
    near = near_best_figure([ADVICE, SINGLE], 0.05)
    assert "2: 0.94 (not excluded)" in near.alt
    assert "0: 0.30 (excluded)" in near.alt
    assert near.values["plateaus"] == [{"condition": "light", "excluded_below": 2, "proven": 4}]
    memory = memory_figure(resources(), ["light"], "cpu")
    assert "900 with 2" in memory.alt
    assert "883 with 3" in memory.alt
    assert memory.values["most"][0]["most_mib"] == "900"
    for figure in (ceilings, near, memory):
        assert figure.drawing.wide.startswith("<?xml")


def test_a_ceiling_that_is_highest_before_its_end_is_drawn_whole() -> None:
    rows = bottlenecks()
    rows.loc[rows["num_workers"] == 1, "loader"] = 9000.0
    axes = Figure().subplots()
    _draw_ceilings(axes, rows)
    assert axes.get_ylim()[1] > 9000
