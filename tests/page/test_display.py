"""What the display objects put into a notebook."""

import base64
from typing import Any

import numpy
import pytest

from feedrate.page.display import FACTS_MIME, FIGURE_MIME, TABLE_MIME, Drawing, Facts, Figure, Table

SVG = (
    '<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg" width="10pt" '
    'height="5pt" viewBox="0 0 10 5"><path d="M0 0"/></svg>'
)


def bundle(shown: Any) -> dict[str, Any]:
    result: dict[str, Any] = shown._repr_mimebundle_()
    return result


def figure(**changes: Any) -> Figure:
    values: dict[str, Any] = {
        "name": "rates",
        "drawing": Drawing(wide=SVG, narrow=SVG, png=b"\x89PNG"),
        "alt": 'Rates "rise" & <fall>',
        "device": "emulated",
        "values": {"best": numpy.int64(4)},
        "data": [{"workers": 1, "rate": 2.5}, {"workers": 2, "rate": None}],
    }
    return Figure(**(values | changes))


def test_facts_carry_plain_values() -> None:
    facts = bundle(Facts(best=numpy.int64(4), rates=[1.5], flag=numpy.True_))
    assert facts[FACTS_MIME] == {"best": 4, "rates": [1.5], "flag": True}
    assert type(facts[FACTS_MIME]["best"]) is int


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object()])
def test_a_fact_that_json_cannot_hold_is_refused_by_name(value: object) -> None:
    with pytest.raises(ValueError, match="fact 'ratio' is not JSON"):
        Facts(ratio=value)


def test_a_figure_carries_the_drawing_the_picture_and_the_data() -> None:
    shown = bundle(figure())
    assert base64.b64decode(shown["image/png"]) == b"\x89PNG"
    assert shown[FIGURE_MIME]["wide"] == shown[FIGURE_MIME]["narrow"] == SVG
    assert shown[FIGURE_MIME]["values"] == {"best": 4}
    assert shown[FIGURE_MIME]["emulated"]
    assert shown[FIGURE_MIME]["columns"] == ["workers", "rate"]
    assert shown[FIGURE_MIME]["rows"] == [[1, 2.5], [2, None]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Two words"}, "'Two words' can't name"),
        ({"drawing": Drawing("<svg", SVG, b"")}, "not XML"),
        ({"drawing": Drawing(SVG, "<html/>", b"")}, "its root is <html>"),
        ({"data": [{"rate": float("nan")}]}, "data of figure 'rates' is not JSON"),
    ],
)
def test_a_bad_figure_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bundle(figure(**changes))


def test_a_table_has_scoped_headers_and_right_aligned_numbers() -> None:
    table = Table(
        name="spread",
        columns=["workers", "range", "verdict"],
        rows=[[1, "61,716–62,660", "faster"], [1234, "n/a", "<undecided>"]],
    )
    assert bundle(table)[TABLE_MIME]["message"] == "spread"
    html = bundle(table)["text/html"]
    assert '<th scope="col" class="number">workers</th>' in html
    assert '<th scope="col">verdict</th>' in html
    assert '<th scope="row" class="number">1,234</th>' in html
    assert '<td class="number">n/a</td>' in html
    assert "<td>&lt;undecided&gt;</td>" in html


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "—"), (True, "yes"), (8630.0, "8,630"), (1.6351, "1.635"), (62103.4, "62,103")],
)
def test_values_in_tables_are_readable(value: Any, shown: str) -> None:
    table = Table(name="t", columns=["a", "b"], rows=[["x", value]])
    assert f">{shown}</td>" in bundle(table)["text/html"]
