"""Figures, each on its own: one that fails or takes too long doesn't end the others."""

import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Figures = Mapping[str, Callable[[], str]]
"""Functions that measure and say in a line what they found, by name."""

Result = TypeVar("Result")


class Failed(Exception):
    """A figure can't be had; the message is the reason, in a line."""


def chosen(names: Iterable[str], figures: Figures) -> Figures:
    """Those of `figures` that are named, or begin with a name and a hyphen; all for no names.

    KeyError with what is allowed for a name of nothing.
    """
    prefixes = {
        name: {each for each in figures if f"{each}-".startswith(f"{name}-")} for name in names
    }
    unknown = [name for name, found in prefixes.items() if not found]
    if unknown:
        raise KeyError(f"no figure {', '.join(unknown)}; there are {', '.join(figures)}")
    wanted = set().union(*prefixes.values()) or figures.keys()
    return {name: figure for name, figure in figures.items() if name in wanted}


def print_figures(figures: Figures) -> int:
    """Print every figure, or why there is none; the exit status, 1 if any failed."""
    failed = 0
    for name, figure in figures.items():
        try:
            print(f"{name}: {figure()}", flush=True)
        except Exception as error:
            failed += 1
            print(f"{name}: FAILED: {reason(error)}", flush=True)
    return 1 if failed else 0


def reason(error: Exception) -> str:
    """Why a figure failed, in a line."""
    if isinstance(error, Failed):
        return str(error)
    if isinstance(error, subprocess.TimeoutExpired):
        return f"not finished after {error.timeout:.0f} s"
    return " ".join(f"{type(error).__name__}: {error}".split())


def repeat(action: Callable[[], Result], most: int, seconds: float, least: int = 1) -> list[Result]:
    """What `action` gave, `most` times, or as often as it could begin within `seconds`.

    A slow machine gets fewer rounds that way, and not a longer wait; but `least` in any case.
    """
    ends = time.monotonic() + seconds
    results: list[Result] = []
    while len(results) < least or (len(results) < most and time.monotonic() < ends):
        results.append(action())
    return results
