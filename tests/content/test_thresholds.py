"""The thresholds as the words state them, and words that would state them by hand."""

import re
from pathlib import Path

import pytest
import yaml

from feedrate.content import thresholds
from feedrate.content.comparison_tables import more_rounds
from feedrate.measurement.models.small_cnn import MODEL, build
from feedrate.notebooks.section import read_section

REPORT = Path(__file__).resolve().parents[2] / "report"
SECTIONS = sorted((REPORT / "sections").rglob("*.py"))
MESSAGES = sorted((REPORT / "messages").glob("*.yaml"))
TYPED_PERCENT = re.compile(r"\d\s*[%％](?!\})")


def test_a_verdict_goes_by_95_percent_and_two_bounds_at_it_by_90() -> None:
    assert thresholds.CONFIDENCE_PERCENT == 95
    assert thresholds.TWO_ONE_SIDED_PERCENT == 90
    assert thresholds.ERROR_PERCENT == 5


def test_more_rounds_than_are_projected_are_given_as_the_limit() -> None:
    assert more_rounds(None) == "more than 1,000"


@pytest.mark.parametrize("file", SECTIONS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_no_percentage_is_typed_in_prose(file: Path) -> None:
    for cell in read_section(file).cells:
        if cell["cell_type"] == "markdown":
            assert TYPED_PERCENT.findall(cell["source"]) == []


@pytest.mark.parametrize("file", MESSAGES, ids=lambda file: file.stem)
def test_no_percentage_is_typed_in_a_caption(file: Path) -> None:
    for group in yaml.safe_load(file.read_text(encoding="utf-8")).values():
        for text in group.values():
            assert TYPED_PERCENT.findall(text) == []


def test_the_model_has_as_many_parameters_as_it_says() -> None:
    """The report's environment has no torch, so that the page can't count them itself."""
    assert sum(each.numel() for each in build().parameters()) == MODEL.parameters
