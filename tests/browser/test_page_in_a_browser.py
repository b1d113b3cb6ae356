"""The page as it is read: in a browser, by keyboard alone, without a network, and as HTML."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.browser import tools
from tests.workflow.project import Project

pytestmark = [pytest.mark.slow, pytest.mark.browser]

Findings = dict[str, Any]
WIDTHS = (1280, 390)

UNDERSTOOD: dict[str, str] = {}
"""Messages of the HTML checker that stay: a pattern each, and the reason."""

BROKEN = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Everything wrong</title>
<style>
:focus { outline: none; }
.pale { color: #bbb; background: #fff; }
.wide { width: 2000px; }
.scroll { width: 100px; overflow: hidden; }
</style>
</head>
<body>
<p class="pale" id="twice">Hardly to be read</p>
<p class="wide" id="twice"><a href="#nowhere">Nowhere</a></p>
<img src="https://example.invalid/x.png">
<div class="scroll" tabindex="0"><p class="wide">Out of reach</p></div>
<p aria-describedby="nobody"><a href="#twice" tabindex="2">Before its turn</a></p>
</body>
</html>
"""


@pytest.fixture(scope="module")
def finished_page(complete: Project) -> Path:
    return complete.results / "report.html"


@pytest.fixture(scope="module")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("screenshots")


@pytest.fixture(scope="module")
def findings(browser_tools: None, finished_page: Path, screenshots: Path) -> Findings:
    return tools.inspect(finished_page, screenshots)


@pytest.fixture(scope="module")
def broken_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("broken") / "page.html"
    page.write_text(BROKEN)
    return page


@pytest.fixture(scope="module")
def broken(browser_tools: None, broken_page: Path) -> Findings:
    return tools.inspect(broken_page)


def lines(items: Iterable[object]) -> str:
    return "\n".join(map(str, items))


def at(width: int, findings: Iterable[Findings], **others: Any) -> Findings:
    """The one finding for `width`."""
    wanted = {"width": width, **others}
    (found,) = (each for each in findings if wanted.items() <= each.items())
    return found


def test_the_html_checker_has_nothing_to_say(browser_tools: None, finished_page: Path) -> None:
    said = [
        f"{message.get('subType', message['type'])}, line {message.get('lastLine', '?')}: "
        f"{message['message']}\n    {message.get('extract', '')!r}"
        for message in tools.check_html(finished_page)
        if not any(re.search(pattern, message["message"]) for pattern in UNDERSTOOD)
    ]
    assert not said, lines(said)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_no_violation(findings: Findings, width: int, scheme: str) -> None:
    violations = at(width, findings["axe"], scheme=scheme)["violations"]
    assert not violations, lines(
        f"{each['id']} ({each['impact']}): {each['help']}\n  {each['why']}\n"
        f"  at {', '.join(each['targets'])}"
        for each in violations
    )


def test_it_asks_for_nothing_with_the_network_cut(findings: Findings) -> None:
    assert not findings["requests"], lines(findings["requests"])
    assert not findings["console"], lines(findings["console"])


def test_every_fragment_and_label_arrives(findings: Findings) -> None:
    fragments = findings["fragments"]
    assert fragments["checked"] > 10
    assert not fragments["missing"], lines(fragments["missing"])
    assert not fragments["duplicates"], lines(fragments["duplicates"])


@pytest.mark.parametrize("width", WIDTHS)
def test_it_can_be_used_by_keyboard_alone(findings: Findings, width: int) -> None:
    keyboard = at(width, findings["keyboard"])
    assert len(keyboard["stops"]) > 10
    assert not keyboard["problems"], lines(keyboard["problems"])


@pytest.mark.parametrize("width", WIDTHS)
def test_it_never_scrolls_sideways(findings: Findings, screenshots: Path, width: int) -> None:
    overflow = at(width, findings["overflow"])
    assert overflow["pixels"] == 0, lines([*overflow["culprits"], f"see {screenshots}"])


def test_downloads_arrive(findings: Findings) -> None:
    assert findings["downloads"]
    assert all(each["bytes"] > 0 for each in findings["downloads"]), lines(findings["downloads"])
    names = [each["filename"] for each in findings["downloads"]]
    assert all(re.fullmatch(r"[\w.-]+\.\w+", name or "") for name in names), lines(names)
    assert len(names) == len(set(names))


def test_it_can_be_pictured_and_printed(findings: Findings, screenshots: Path) -> None:
    looks = {f"{width}-{scheme}.png" for width in WIDTHS for scheme in ("light", "dark")}
    assert {file.name for file in screenshots.iterdir()} == {*looks, "print.pdf"}
    assert (screenshots / "print.pdf").read_bytes().startswith(b"%PDF")


class TestABrokenPage:
    """A check that finds nothing here would find nothing anywhere."""

    def test_violates_rules_of_axe(self, broken: Findings) -> None:
        assert len(broken["axe"]) == 4
        for look in broken["axe"]:
            rules = {each["id"] for each in look["violations"]}
            assert {"image-alt", "color-contrast"} <= rules

    def test_asks_for_something(self, broken: Findings) -> None:
        assert set(broken["requests"]) == {"https://example.invalid/x.png"}
        assert broken["console"]

    def test_has_dead_fragments_and_an_id_twice(self, broken: Findings) -> None:
        missing = {each["target"] for each in broken["fragments"]["missing"]}
        assert missing == {"nowhere", "nobody"}
        assert broken["fragments"]["duplicates"] == ["twice"]

    @pytest.mark.parametrize("width", WIDTHS)
    @pytest.mark.parametrize(
        "problem", ["no skip link", "out of order", "no focus indicator", "arrow keys don't scroll"]
    )
    def test_is_hard_to_use_by_keyboard(self, broken: Findings, width: int, problem: str) -> None:
        problems = at(width, broken["keyboard"])["problems"]
        assert any(problem in each for each in problems), lines(problems)

    @pytest.mark.parametrize("width", WIDTHS)
    def test_scrolls_sideways(self, broken: Findings, width: int) -> None:
        overflow = at(width, broken["overflow"])
        assert overflow["pixels"] > 0
        assert any('class="wide"' in tag for tag in overflow["culprits"])

    def test_is_not_valid_html(self, browser_tools: None, broken_page: Path) -> None:
        errors = [each for each in tools.check_html(broken_page) if each["type"] == "error"]
        assert any("alt" in each["message"] for each in errors), lines(errors)
        assert any("twice" in each["message"] for each in errors), lines(errors)
