"""The progress of a transfer, as plain text."""

from typing import Protocol, TextIO

BAR_WIDTH = 30
PLAIN_STEP = 25
"""Percent between two lines where nothing can be redrawn: logs stay short."""


class Reporter(Protocol):
    """What a source reports while it works."""

    def progress(self, label: str, fraction: float) -> None:
        """The transfer called `label` has reached `fraction` (0 to 1)."""

    def note(self, text: str) -> None:
        """Something happened that the user should know."""


def reporter_for(stream: TextIO) -> Reporter:
    """A bar that is redrawn in place on a terminal, a few percentages anywhere else."""
    return RedrawnBar(stream) if stream.isatty() else PlainLines(stream)


class RedrawnBar:
    """One line, drawn over itself."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn = ""

    def progress(self, label: str, fraction: float) -> None:
        filled = int(fraction * BAR_WIDTH)
        bar = "#" * filled + "." * (BAR_WIDTH - filled)
        line = f"{label} [{bar}] {int(fraction * 100):3d} %"
        if line != self._drawn:
            self._stream.write(f"\r{line}" + ("\n" if fraction >= 1 else ""))
            self._stream.flush()
        self._drawn = "" if fraction >= 1 else line

    def note(self, text: str) -> None:
        # An unfinished bar keeps its line.
        self._stream.write(("\n" if self._drawn else "") + text + "\n")
        self._stream.flush()
        self._drawn = ""


class PlainLines:
    """A line at every `PLAIN_STEP` percent of each transfer."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last = ("", 0)

    def progress(self, label: str, fraction: float) -> None:
        reached = (label, int(fraction * 100) // PLAIN_STEP * PLAIN_STEP)
        if reached != self._last and reached[1] > 0:
            self.note(f"{label} {reached[1]} %")
        self._last = reached

    def note(self, text: str) -> None:
        print(text, file=self._stream, flush=True)
