"""The picture that a link to the report shows where links are previewed."""

import io
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.figure import Figure

from feedrate.page.palette import COLOURS
from feedrate.wording import counted_workers

WIDTH, HEIGHT = 1200, 630
"""Pixels, the size that previews are cut for."""

_DPI = 100
_MARGIN = 70
_TITLE_LINES = 3
_SHOWN = 4

_FONTS = (
    "DejaVu Sans",
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans SC"),
    *("Source Han Sans JP", "Source Han Sans SC", "IPAexGothic", "IPAGothic", "TakaoGothic"),
    *("WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback"),
    *("Hiragino Sans", "PingFang SC", "Yu Gothic", "Meiryo", "Microsoft YaHei", "SimHei"),
    "Arial Unicode MS",
)
"""For each letter the first of these that is installed and has it."""


def social_card(title: str, advice: Sequence[Mapping[str, Any]], footer: str) -> bytes:
    """A PNG of WIDTH by HEIGHT: `title`, a line per condition of `advice`, and `footer`.

    The same arguments and fonts give the same bytes. A letter that no installed font has is
    drawn as a box.
    """
    style: dict[Any, Any] = {"font.family": _installed(_FONTS)}
    with warnings.catch_warnings(), mpl.rc_context(style):
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure = Figure(figsize=(WIDTH / _DPI, HEIGHT / _DPI), dpi=_DPI)
        figure.set_facecolor(COLOURS["paper"])
        _draw(figure, title, advice, footer)
        png = io.BytesIO()
        figure.savefig(png, format="png", dpi=_DPI, metadata={"Software": None})
    return png.getvalue()


def _draw(figure: Figure, title: str, advice: Sequence[Mapping[str, Any]], footer: str) -> None:
    top = HEIGHT - _MARGIN
    for line in shortened(wrapped(title, _fits(figure, 46, "bold")), _TITLE_LINES):
        _write(figure, top, line, 46, "ink", "bold")
        top -= 76
    top -= 24
    for line, colour in _answers(advice):
        _write(figure, top, _one_line(line, _fits(figure, 24)), 24, colour)
        top -= 48
    _write(figure, _MARGIN, _one_line(footer, _fits(figure, 18)), 18, "muted")


def _one_line(text: str, fits: Callable[[str], bool]) -> str:
    return shortened(wrapped(text, fits), 1)[0]


def _answers(advice: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The lines of the first conditions, each with the name of its colour."""
    series = [name for name in COLOURS if name.startswith("series-")]
    for index, each in enumerate(advice[:_SHOWN]):
        yield answer(each), series[index % len(series)]
    if len(advice) > _SHOWN:
        yield f"and {len(advice) - _SHOWN} more", "muted"


def answer(advice: Mapping[str, Any]) -> str:
    """One condition's advice, as `light: 12 workers, 1.29 times none [1.02, 1.62], proven`."""
    workers, compared, gain = advice["workers"], advice["compared_workers"], advice["gain"]
    parts = [f"{advice['condition']}: {counted_workers(workers)}"]
    if gain:
        named = "" if compared == workers else f"{counted_workers(compared)} give "
        size = f"{gain['ratio']:.2f} times none [{gain['low']:.2f}, {gain['high']:.2f}]"
        parts.append(named + size)
    parts.append("proven" if advice["proven"] else "for the time being")
    label = " (emulated device)" if advice["device"] == "emulated" else ""
    return ", ".join(parts) + label


# --- text that fits -------------------------------------------------------------------------------


def wrapped(text: str, fits: Callable[[str], bool]) -> list[str]:
    """`text` in lines that `fits` accepts, broken at spaces and between East Asian characters.

    A single word that doesn't fit has a line of its own. At least one line, perhaps empty.
    """
    lines = [""]
    for piece in _pieces(text):
        longer = lines[-1] + piece
        if not lines[-1].strip() or fits(longer.rstrip()):
            lines[-1] = longer
        else:
            lines.append(piece)
    return [line.strip() for line in lines]


def _pieces(text: str) -> Iterator[str]:
    """Stretches after which a line may end; spaces end the stretch that they follow."""
    piece = ""
    for character in " ".join(text.split()):
        if piece and _may_break(piece[-1], character):
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece


def _may_break(before: str, after: str) -> bool:
    if after == " " or _must_follow(after):
        return False
    return before == " " or _is_wide(before) or _is_wide(after)


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _must_follow(character: str) -> bool:
    """Whether no line may begin with it: closing brackets, commas, full stops and question marks.

    (JIS X 4051 forbids more; a title hardly has them.)
    """
    return unicodedata.category(character) in ("Pe", "Pf", "Po")


def shortened(lines: Sequence[str], most: int) -> list[str]:
    """At most `most` lines; an ellipsis ends the last one where some are left out."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], lines[most - 1].rstrip(" ,.;:") + " …"]


# --- matplotlib -----------------------------------------------------------------------------------


def _installed(families: Sequence[str]) -> list[str]:
    known = {font.name for font in font_manager.fontManager.ttflist}
    return [family for family in families if family in known]


def _write(
    figure: Figure, top: float, text: str, pixels: int, colour: str, weight: str = "normal"
) -> Any:
    """One line whose upper edge lies `top` pixels above the lower edge of the card."""
    return figure.text(
        _MARGIN / WIDTH,
        top / HEIGHT,
        text,
        va="top",
        fontsize=pixels * 72 / _DPI,
        fontweight=weight,
        color=COLOURS[colour],
        parse_math=False,
    )


def _fits(figure: Figure, pixels: int, weight: str = "normal") -> Callable[[str], bool]:
    """Whether a text is as narrow as the card allows."""

    def fits(text: str) -> bool:
        trial = _write(figure, 0, text, pixels, "ink", weight)
        width = trial.get_window_extent().width
        trial.remove()
        return bool(width <= WIDTH - 2 * _MARGIN)

    return fits
