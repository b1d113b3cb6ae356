"""The canvas of every figure: its style, and the two files that come of it."""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.ticker import FuncFormatter, MaxNLocator

from feedrate.report.display import Figure
from feedrate.report.palette import COLOURS

MARKERS = ("o", "s", "^", "D")
DASHES = ("-", "--", "-.", ":")
SERIES = tuple(colour for name, colour in COLOURS.items() if name.startswith("series-"))

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


class Canvas:
    """A drawing under way, and afterwards its two files."""

    def __init__(self, name: str, drawing: Drawing) -> None:
        self._name = name
        self._drawing = drawing
        self.axes: list[Axes] = list(drawing.axes)
        self.svg = ""
        self.png = b""

    def close(self) -> None:
        self._drawing.tight_layout(w_pad=2.5)
        text, image = io.StringIO(), io.BytesIO()
        self._drawing.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        self._drawing.savefig(image, format="png", dpi=160, facecolor=COLOURS["paper"])
        self.svg, self.png = text.getvalue(), image.getvalue()

    def figure(self, caption: str, alt: str, data: Sequence[Mapping[str, Any]]) -> Figure:
        return Figure(
            name=self._name, svg=self.svg, png=self.png, caption=caption, alt=alt, data=data
        )


@contextmanager
def drawing_of(name: str, width: float, height: float, columns: int = 1) -> Iterator[Canvas]:
    """A canvas of `width` by `height` inches, drawn in the report's style when left."""
    # seaborn takes the jitter of its marks from numpy's global generator.
    state = np.random.get_state()
    np.random.seed(0)
    with mpl.rc_context(STYLE | {"svg.hashsalt": name}):
        drawing = Drawing(figsize=(width, height))
        drawing.subplots(1, columns)
        canvas = Canvas(name, drawing)
        yield canvas
        canvas.close()
    np.random.set_state(state)


def label_ends(
    axes: Axes, ends: Mapping[str, float], conditions: Sequence[str], levels: int
) -> None:
    """Name each line beside its end, apart enough to be read where lines end together."""
    low, high = axes.get_ylim()
    gap = 0.075 * (high - low)
    floor = low
    for condition, end in sorted(ends.items(), key=lambda item: item[1]):
        floor = max(end, floor)
        axes.text(
            levels - 0.6,
            floor,
            condition,
            va="center",
            color=SERIES[conditions.index(condition) % len(SERIES)],
            fontweight="bold",
        )
        floor += gap
    axes.set_xlim(-0.5, levels - 0.5 + 0.2 * levels)
    axes.yaxis.set_major_locator(MaxNLocator(6))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def emulated_note(device: str) -> str:
    return " *Emulated accelerator: a wait in place of training.*" if device == "emulated" else ""
