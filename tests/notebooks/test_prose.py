"""Numbers in prose."""

from pathlib import Path
from typing import Any

import pytest

from feedrate.notebooks.prose import facts_of, fill_in
from feedrate.notebooks.section import Section, SectionError
from feedrate.page.display import FACTS_MIME
from feedrate.page.messages import read_messages

MESSAGES = Path(__file__).resolve().parents[2] / "report" / "messages"
ENGLISH = read_messages(MESSAGES, "en")


def section(*sources: str) -> Section:
    cells = tuple({"cell_type": "markdown", "source": source, "metadata": {}} for source in sources)
    return Section(Path("report/sections/03_x.py"), cells)


def emitted(**facts: Any) -> list[dict[str, Any]]:
    return [{"output_type": "display_data", "data": {FACTS_MIME: facts}}]


def test_facts_and_conditions_are_filled_in() -> None:
    prose = fill_in(
        section(
            "{{ best }} of {{ '{:,}'.format(rate) }}", "a\n{% if flat %}\nflat\n{% endif %}\nb"
        ),
        {"best": 4, "rate": 62103, "flat": True},
        ENGLISH,
    )
    assert prose == {0: "4 of 62,103", 1: "a\nflat\nb"}


@pytest.mark.parametrize("template", ["{{ bset }}", "{% if bset %}x{% endif %}", "{{ 1 + bset }}"])
def test_a_missing_fact_names_section_cell_and_the_facts_there_are(template: str) -> None:
    with pytest.raises(SectionError) as error:
        fill_in(section("fine", template), {"worst": 1, "best": 4}, ENGLISH)
    assert "report/sections/03_x.py, cell 2" in str(error.value)
    assert "'bset' is undefined" in str(error.value)
    assert "best, worst" in str(error.value)


def test_workers_and_verdicts_are_named_in_the_language() -> None:
    source = section("{{ 1 | workers }}, {{ 4 | workers }}, {{ 'faster' | term }}")
    assert fill_in(source, {}, ENGLISH)[0] == "1 worker, 4 workers, faster"
    japanese = read_messages(MESSAGES, "ja")
    assert fill_in(source, {}, japanese)[0] == "1 ワーカー, 4 ワーカー, 速い"


def test_a_malformed_template_names_its_cell() -> None:
    with pytest.raises(SectionError, match="cell 1"):
        fill_in(section("{% if %}"), {}, ENGLISH)


def test_facts_are_collected_from_all_cells() -> None:
    outputs = {0: emitted(a=1), 1: [{"output_type": "stream", "text": "x"}, *emitted(b=2)]}
    assert facts_of(section("", ""), outputs) == {"a": 1, "b": 2}


def test_a_fact_emitted_twice_is_refused() -> None:
    with pytest.raises(SectionError, match=r"cell 2 .*'a' already exists"):
        facts_of(section("", ""), {0: emitted(a=1), 1: emitted(a=2)})
