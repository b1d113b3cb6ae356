"""Drawings inside the page."""

import re

from feedrate.page.svg import inline_svg

DRAWING = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
     width="72pt" height="36pt" viewBox="0 0 72 36" version="1.1">
 <metadata><made-by>http://example.org</made-by></metadata>
 <defs>
  <style type="text/css">*{stroke-linecap: butt}</style>
  <path id="marker" d="M 0 3"/>
  <clipPath id="clip"><rect width="1" height="1"/></clipPath>
 </defs>
 <!-- a comment -->
 <g id="axes_1" clip-path="url(#clip)" style="fill: url(#clip)"><use xlink:href="#marker"/></g>
</svg>"""


def test_only_the_element_is_left() -> None:
    html = inline_svg(DRAWING, "a--", "Label")
    assert html.startswith("<svg ")
    for unwanted in ("xmlns", "xlink", "http", "metadata", "a comment", "72pt"):
        assert unwanted not in html


def test_it_scales_by_its_view_box_and_has_a_name() -> None:
    html = inline_svg(DRAWING, "a--", 'A "label"')
    assert '<svg viewBox="0 0 72 36" width="72" role="img" aria-label="A &quot;label&quot;"' in html
    unboxed = inline_svg('<svg width="72pt" height="36pt"/>', "a--", "")
    assert 'viewBox="0 0 72 36"' in unboxed


def test_references_follow_their_ids_and_unused_ids_go() -> None:
    html = inline_svg(DRAWING, "a--", "")
    assert re.findall(r'\bid="([^"]*)"', html) == ["a--marker", "a--clip"]
    assert 'clip-path="url(#a--clip)"' in html
    assert 'style="fill: url(#a--clip)"' in html
    assert 'href="#a--marker"' in html


def test_two_drawings_share_no_id_and_no_style() -> None:
    first, second = (inline_svg(DRAWING, prefix, "") for prefix in ("a--", "b--"))
    ids = re.findall(r'\bid="([^"]*)"', first + second)
    assert len(ids) == len(set(ids))
    assert ".a--svg *{stroke-linecap" in first
