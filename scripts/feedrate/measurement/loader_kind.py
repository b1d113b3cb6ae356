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
    """A kind of loader as the plan and the report describe it; its module's `make` builds one.

    `call` gives the code to paste for the levels of the factors that apply, in their order;
    `without` are the factors that don't apply to it.
    """

    title: str
    workers: Workers
    call: Callable[[Mapping[str, Any]], str]
    without: frozenset[str] = frozenset()
