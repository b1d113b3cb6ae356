"""The page."""

import base64
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from feedrate.page.assembly import Cover, drawings, page
from feedrate.page.display import Drawing, Facts, Figure, Table
from feedrate.page.illustration import as_csv, themed
from feedrate.page.markdown import PageError
from feedrate.page.messages import Messages, read_messages
from feedrate.page.palette import COLOURS

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "report" / "template"
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path id="m" d="M0 0"/>'
    '<use href="#m" style="fill: #0072b2; stroke: #C44E00"/><text fill="#1a1a1a">1</text></svg>'
)


COVER = Cover("Title & more", "social-card.png", "Not audited")
SHIPPED = read_messages(ROOT / "report" / "messages", "en")
CAPTIONS = {
    "figures": dict.fromkeys(("a", "b"), "Rises by {{ n }} with **workers** & <b>"),
    "tables": {"spread": "Spread of `x`"},
}
MESSAGES = Messages("en", {**SHIPPED.groups, **CAPTIONS}, {**SHIPPED.english, **CAPTIONS})


def prose(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code(*shown: Any, source: str = "x = 1", **behind: Any) -> dict[str, Any]:
    outputs = [{"output_type": "display_data", "data": one._repr_mimebundle_()} for one in shown]
    metadata = {"behind": behind} if behind else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": outputs}


def figure(name: str, device: str = "cpu") -> Figure:
    return Figure(
        name=name,
        drawing=Drawing(SVG, SVG, b"png"),
        alt='Rates "rise" & <fall>',
        data=[{"a": 1, "b": None}],
        device=device,
        values={"n": 3},
    )


def rendered(*cells: dict[str, Any], messages: Messages = MESSAGES) -> str:
    return page([{"cells": cells}], COVER, messages, TEMPLATE)


@pytest.fixture(scope="module")
def full_page() -> str:
    table = Table(name="spread", columns=["a"], rows=[[1]])
    return page(
        [
            {
                "cells": [
                    prose("## Workers\n\n### More\n\n| a | b |\n|--|--:|\n| 1 | 2 |"),
                    code(figure("a")),
                ]
            },
            {"cells": [prose("## Workers\n\n```python\nx = 1\n```"), code(figure("b"), table)]},
        ],
        COVER,
        MESSAGES,
        TEMPLATE,
    )


class Elements(HTMLParser):
    """Every start tag with its attributes; fails on an end tag that does not match."""

    VOID = frozenset({"meta", "link", "br", "hr", "img", "input"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def attributes(html: str, name: str) -> list[str]:
    return [found[name] or "" for _, found in Elements(html).found if name in found]


def test_it_needs_nothing_from_outside(full_page: str) -> None:
    assert "script" not in Counter(tag for tag, _ in Elements(full_page).found)
    assert not re.search(r"@import|url\((?!#)", full_page)
    assert not [link for link in attributes(full_page, "src") if not link.startswith("data:")]
    assert not [
        link for link in attributes(full_page, "href") if not link.startswith(("#", "data:"))
    ]
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in full_page


def test_ids_are_unique_and_every_local_link_arrives(full_page: str) -> None:
    ids = attributes(full_page, "id")
    assert {"workers", "workers-2", "more", "figure-a", "figure-b", "table-spread"} <= set(ids)
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in attributes(full_page, "href") if link.startswith("#")} <= set(ids)


def test_contents_list_the_sections_in_order(full_page: str) -> None:
    contents = full_page.partition("<nav")[2].partition("</nav>")[0]
    assert re.findall(r'href="#([^"]*)" lang="en">([^<]*)<', contents) == [
        ("workers", "Workers"),
        ("workers-2", "Workers"),
    ]


def test_a_heading_that_would_take_a_figures_id_gets_another() -> None:
    ids = attributes(rendered(prose("## Figure a"), code(figure("a"))), "id")
    assert sorted(set(ids) & {"figure-a", "figure-a-2"}) == ["figure-a", "figure-a-2"]


def test_the_palette_becomes_custom_properties_in_drawings_only(full_page: str) -> None:
    assert 'style="fill: var(--series-1); stroke: var(--series-2)"' in full_page
    assert '<text fill="var(--ink)">' in full_page
    for name, colour in COLOURS.items():
        assert themed(f'style="fill: {colour}; x"') == f'style="fill: var(--{name}); x"'
    assert "#0072b2" in rendered(prose("The colour #0072b2"))


def test_html_in_prose_and_outputs_is_text() -> None:
    html = rendered(
        prose("a <script>x()</script> `<b>` [l](javascript:x)\n\n<div>block</div>"),
        {
            "cell_type": "code",
            "metadata": {},
            "source": "'<i>'",
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": "<u>\n"},
                {"output_type": "display_data", "data": {"text/html": "<em>", "text/plain": "<s>"}},
            ],
        },
    )
    assert {tag for tag, _ in Elements(html).found} & {"script", "b", "i", "u", "em", "s"} == set()
    assert "&lt;script&gt;x()&lt;/script&gt;" in html
    assert "&lt;u&gt;" in html
    assert "&lt;s&gt;" in html
    assert "javascript:" not in html


def test_under_a_figure_are_its_data_its_code_and_its_inputs() -> None:
    function = {"name": "feedrate.content.x.drawn", "source": "def drawn(): ..."}
    html = rendered(
        code(source="needed = 1"),
        code(source="other = 1"),
        code(
            figure("a"),
            source="draw = 1",
            needs=[0],
            inputs={"epochs.csv": "ab" * 32},
            functions=[function],
        ),
    )
    behind, rest = html.partition('<div class="behind">')[2].split('<details class="code"')
    for part in (">draw<", "feedrate.content.x.drawn", "epochs.csv", "ab" * 32, 'href="#code-1"'):
        assert part in behind
    for part in ('id="code-1"', ">needed<", ">other<"):
        assert part in rest


def test_data_can_be_saved_from_the_page_itself(full_page: str) -> None:
    files = {
        attributes["download"]: base64.b64decode((attributes["href"] or "").partition(",")[2])
        for tag, attributes in Elements(full_page).found
        if "download" in attributes
    }
    assert files["figure-a.csv"] == b"a,b\n1,\n"
    assert json.loads(files["figure-a.json"]) == [{"a": 1, "b": None}]
    assert json.loads(files["table-spread.json"]) == [{"a": 1}]
    content = {"columns": ["a", "b"], "rows": [[1, None], [2, "x,y"]]}
    assert as_csv(content) == 'a,b\n1,\n2,"x,y"\n'


def test_figures_and_tables_are_numbered_named_and_linked(full_page: str) -> None:
    assert re.findall(r'class="label">([^<]+)<', full_page) == [
        "Figure 1.",
        "Figure 2.",
        "Table 1.",
    ]
    assert {"#figure-a", "#figure-b", "#table-spread"} <= set(attributes(full_page, "href"))
    assert 'aria-label="Rates &quot;rise&quot; &amp; &lt;fall&gt;"' in full_page
    assert "Rises by 3 with <strong>workers</strong> &amp; &lt;b&gt;" in full_page


def test_an_emulated_device_is_named_in_the_caption() -> None:
    assert "Emulated accelerator" in rendered(code(figure("a", device="emulated")))
    assert "mulated" not in rendered(code(figure("a")))


def test_captions_and_the_frame_follow_the_language() -> None:
    japanese = read_messages(ROOT / "report" / "messages", "ja")
    words = {**japanese.groups, "figures": {"a": "{{ n }} 倍"}}
    html = rendered(
        code(figure("a"), figure("b")), messages=Messages("ja", words, MESSAGES.english)
    )
    assert '<html lang="ja">' in html
    assert '<figcaption lang="ja">\n<p><span class="label">図 1.</span> 3 倍' in html
    assert '<figcaption lang="en">\n<p><span class="label">図 2.</span> Rises' in html


def test_terms_are_translated_and_names_are_not() -> None:
    japanese = read_messages(ROOT / "report" / "messages", "ja")
    messages = Messages("ja", {**japanese.groups, **CAPTIONS}, MESSAGES.english)
    table = Table(name="spread", columns=["name", "verdict"], rows=[["condition", "faster"]])
    html = rendered(code(table), messages=messages)
    assert ">判定</th>" in html
    assert '<th scope="row">condition</th><td>速い</td>' in html


def test_facts_stay_out_of_the_page() -> None:
    html = rendered(code(Facts(secret=1, byline="Measured here"), source="silent = 1"))
    assert "secret" not in html
    assert "Measured here" in html.partition("<main")[0]


def test_banners_appear_once_at_the_top() -> None:
    html = rendered(code(Facts(banner="Emulated <here>")), code(Facts(banner="Emulated <here>")))
    assert html.count("Emulated &lt;here&gt;") == 1
    assert html.index("Emulated") < html.index("<main")
    assert 'role="note"' not in rendered(code(Facts(a=1)))


def test_a_name_used_twice_is_refused() -> None:
    with pytest.raises(PageError, match="two code cells emit a figure named 'a'"):
        rendered(code(figure("a")), code(figure("a")))


def test_an_image_in_prose_is_refused() -> None:
    with pytest.raises(PageError, match=r"http://x/y.png"):
        rendered(prose("![alt](http://x/y.png)"))


def test_drawings_come_with_their_picture_and_data() -> None:
    found = list(
        drawings([{"cells": [prose("x"), code(Facts(a=1), figure("a")), code(figure("b"))]}])
    )
    assert [drawing["name"] for drawing, _ in found] == ["a", "b"]
    drawing, png = found[0]
    assert (drawing["wide"], drawing["narrow"], png) == (SVG, SVG, "cG5n")
    assert (drawing["columns"], drawing["rows"]) == (["a", "b"], [[1, None]])


def test_the_bytes_do_not_depend_on_the_process(tmp_path: Path) -> None:
    notebook = tmp_path / "a.ipynb"
    cells = [prose("## A\n\n## A"), code(figure("a"), figure("b"), Facts(banner="b"))]
    notebook.write_text(json.dumps({"cells": cells}))
    messages = tmp_path / "messages"
    messages.mkdir()
    (messages / "en.yaml").write_text(json.dumps(MESSAGES.english))
    pages = set()
    for seed in ("1", "2"):
        output = tmp_path / f"{seed}.html"
        subprocess.run(
            [
                *(sys.executable, ROOT / "scripts" / "assemble_report.py", "--title", "T"),
                *("--sections", notebook, "--messages", messages),
                *("--figures", tmp_path / "figures", "--output", output),
            ],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "scripts")},
            check=True,
        )
        pages.add(output.read_bytes())
    assert len(pages) == 1
    assert sorted(file.name for file in (tmp_path / "figures").iterdir()) == sorted(
        f"{name}{ending}" for name in "ab" for ending in (".csv", ".png", ".svg", "-narrow.svg")
    )


def properties(mode: int) -> dict[str, str]:
    """Colours of the style sheet: 0 light, 1 dark."""
    blocks = re.findall(r":root \{([^}]*)\}", (TEMPLATE / "page.css").read_text())
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", blocks[mode]))


def contrast(first: str, second: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def on(background: str, *names: str) -> Sequence[tuple[str, str]]:
    return [(name, background) for name in names]


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "background"),
    [
        *on("paper", "ink", "muted", "link", "series-1", "series-2", "series-3", "series-4"),
        *on("wash", "ink", "muted", "series-1", "series-3", "series-4"),
        *on("notice", "ink"),
    ],
)
def test_text_has_enough_contrast(text: str, background: str, mode: int) -> None:
    colours = properties(mode)
    assert contrast(colours[text], colours[background]) >= 4.5


def test_in_light_the_style_sheet_shows_the_palette_as_drawn() -> None:
    assert COLOURS.items() <= properties(0).items()
    assert COLOURS.keys() <= properties(1).keys()
