"""What a kind of loader is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Workers(StrEnum):
    """What the workers of a kind of loader are."""

    PROCESSES = "processes"
    THREADS = "threads"


@dataclass(frozen=True)
class LoaderKind:
    """A kind of loader as the plan and the words know it; its module's `make` makes one.

    `call` is the text to paste for the levels of the factors that apply, in their order; `without`
    are the factors that mean nothing to it.
    """

    title: str
    workers: Workers
    call: Callable[[Mapping[str, Any]], str]
    without: frozenset[str] = frozenset()
