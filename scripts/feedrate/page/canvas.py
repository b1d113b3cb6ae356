"""The canvas of every figure: its style, and its panels drawn side by side and stacked."""

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Sheet
from matplotlib.ticker import FuncFormatter, MaxNLocator

from feedrate.page.display import Drawing
from feedrate.page.palette import COLOURS

MARKERS = ("o", "s", "^", "D")
DASHES = ("-", "--", "-.", ":")
SERIES = tuple(colour for name, colour in COLOURS.items() if name.startswith("series-"))

SIDE_BY_SIDE = 3
"""Panels in a row of the wide drawing, at most."""

WIDE_INCHES = {1: 9.0, 2: 11.5, 3: 11.5}
"""Width of the wide drawing by panels in a row. A unit of a drawing, a point, is a pixel of the
page: two or three panels fill the page's width, one alone doesn't."""

NARROW_INCHES = 4.3
"""Width of the stacked drawing: its text stays as large as the page's on a phone."""

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": COLOURS["ink"],
    "axes.edgecolor": COLOURS["muted"],
    "axes.facecolor": "none",
    "axes.labelcolor": COLOURS["ink"],
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlepad": 14,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "grid.color": COLOURS["grid"],
    "grid.linewidth": 0.8,
    "xtick.color": COLOURS["muted"],
    "ytick.color": COLOURS["muted"],
    "xtick.labelcolor": COLOURS["ink"],
    "ytick.labelcolor": COLOURS["ink"],
    "ytick.left": False,
    "figure.facecolor": "none",
}


@dataclass(frozen=True)
class Panel:
    """One set of axes of a figure: its title, and what draws on it."""

    title: str
    draw: Callable[[Axes], None]


def draw(name: str, panels: Sequence[Panel], panel_inches: float = 4.3) -> Drawing:
    """The panels in rows, and stacked; `panel_inches` is the height of one.

    The same panels give the same bytes, whoever draws them and whenever.
    """
    in_row = min(len(panels), SIDE_BY_SIDE)
    rows = math.ceil(len(panels) / in_row)
    with mpl.rc_context(STYLE | {"svg.hashsalt": name}):
        wide = _sheet(panels, rows, in_row, WIDE_INCHES[in_row], panel_inches)
        narrow = _sheet(panels, len(panels), 1, NARROW_INCHES, 0.82 * panel_inches)
        return Drawing(wide=_svg(wide), narrow=_svg(narrow), png=_png(wide))


def _sheet(
    panels: Sequence[Panel], rows: int, columns: int, width: float, panel_height: float
) -> Sheet:
    sheet = Sheet(figsize=(width, rows * panel_height))
    with _same_jitter():
        for number, panel in enumerate(panels, start=1):
            axes = sheet.add_subplot(rows, columns, number)
            panel.draw(axes)
            axes.set_title(panel.title)
    sheet.tight_layout(w_pad=2.5, h_pad=2.5)
    return sheet


@contextmanager
def _same_jitter() -> Iterator[None]:
    """seaborn takes the jitter of its marks from numpy's global generator."""
    state = np.random.get_state()
    np.random.seed(0)
    try:
        yield
    finally:
        np.random.set_state(state)


def _svg(sheet: Sheet) -> str:
    text = io.StringIO()
    sheet.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


def _png(sheet: Sheet) -> bytes:
    image = io.BytesIO()
    sheet.savefig(
        image, format="png", dpi=160, facecolor=COLOURS["paper"], metadata={"Software": None}
    )
    return image.getvalue()


def style_of(index: int) -> tuple[str, str, str]:
    """Colour, marker and dash of the series at `index`: distinct in greyscale, too."""
    return (
        SERIES[index % len(SERIES)],
        MARKERS[index % len(MARKERS)],
        # Shifted in each round of colours, so that the fifth series isn't the first again.
        DASHES[(index + index // len(SERIES)) % len(DASHES)],
    )


def label_ends(axes: Axes, ends: Mapping[str, tuple[float, str]], levels: int) -> None:
    """Name each line beside its end, spaced so that names stay legible where lines end together.

    No grid line runs through a name. `ends` maps a name to the height of its line's end and its
    colour.
    """
    low, high = axes.get_ylim()
    gap = 0.075 * (high - low)
    floor = low
    for name, (end, colour) in sorted(ends.items(), key=lambda item: item[1]):
        floor = max(end, floor)
        axes.text(
            levels - 0.6, floor, name, va="center", color=colour, fontweight="bold",
            bbox={"facecolor": COLOURS["paper"], "edgecolor": "none", "pad": 1.5},
        )  # fmt: skip
        floor += gap
    axes.set_xlim(-0.5, levels - 0.5 + 0.2 * levels)
    grouped_thousands(axes)


def grouped_thousands(axes: Axes) -> None:
    """Few ticks on the measure's axis, with separators."""
    axes.yaxis.set_major_locator(MaxNLocator(6))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
