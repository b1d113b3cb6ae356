"""What a user's module changes in the measuring process, detected and undone.

Importing such a module can change torch's threads, the working directory and more, and so a cell's
number, though its specification says nothing about it.
"""

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch


class StateChanged(RuntimeError):
    """The process is no longer as specified, and that can't be undone."""


@dataclass(frozen=True)
class Trait:
    """A property of this process: how to read it, and how to set it (None if it can't be set)."""

    name: str
    read: Callable[[], Any]
    write: Callable[[Any], object] | None = None

    def change(self, before: Any) -> str:
        """How it has changed, in words; for a dictionary, only the names that differ."""
        after = self.read()
        if isinstance(before, dict):
            names = {key for key in before | after if before.get(key) != after.get(key)}
            return f"{self.name} ({', '.join(sorted(map(str, names)))})"
        return f"{self.name} ({before!r}, now {after!r})"


def _signal_handlers() -> dict[int, Any]:
    return {number: signal.getsignal(number) for number in signal.valid_signals()}


def _set_signal_handlers(handlers: dict[int, Any]) -> None:
    for number, handler in handlers.items():
        if handler is not None and signal.getsignal(number) is not handler:
            signal.signal(number, handler)


def _set_environment(variables: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(variables)


def _streams() -> tuple[Any, ...]:
    return sys.stdin, sys.stdout, sys.stderr


def _set_streams(streams: tuple[Any, ...]) -> None:
    sys.stdin, sys.stdout, sys.stderr = streams


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _affinity() -> frozenset[int] | None:
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def _set_affinity(cores: frozenset[int]) -> None:
    os.sched_setaffinity(0, cores)


def _running_threads() -> dict[str, int | None]:
    return {thread.name: thread.ident for thread in threading.enumerate()}


TRAITS = (
    Trait("the working directory", os.getcwd, os.chdir),
    Trait("environment variables", lambda: dict(os.environ), _set_environment),
    Trait(
        "the command line",
        lambda: list(sys.argv),
        lambda words: sys.argv.__setitem__(slice(None), words),
    ),
    Trait("standard streams", _streams, _set_streams),
    Trait("the mask for new files", _umask, os.umask),
    Trait("signal handlers", _signal_handlers, _set_signal_handlers),
    Trait("the cores to run on", _affinity, _set_affinity),
    Trait("the priority of the process", lambda: os.getpriority(os.PRIO_PROCESS, 0)),
    Trait("running threads", _running_threads),
    Trait(
        "automatic garbage collection", gc.isenabled, lambda on: gc.enable() if on else gc.disable()
    ),
    Trait("the interpreter's switch interval", sys.getswitchinterval, sys.setswitchinterval),
    Trait("torch's threads", torch.get_num_threads, torch.set_num_threads),
    Trait("torch's threads between operators", torch.get_num_interop_threads),
    Trait("torch's default dtype", torch.get_default_dtype, torch.set_default_dtype),
    Trait(
        "torch's default device",
        torch.get_default_device,
        lambda _: torch.set_default_device(None),  # setting a device would slow every call
    ),
    Trait(
        "torch's detection of anomalies",
        torch.is_anomaly_enabled,
        torch.autograd.set_detect_anomaly,
    ),
    Trait(
        "when garbage is collected",
        gc.get_threshold,
        lambda thresholds: gc.set_threshold(*thresholds),
    ),
    Trait("torch's gradients", torch.is_grad_enabled, torch.set_grad_enabled),
    Trait(
        "torch's deterministic algorithms",
        torch.are_deterministic_algorithms_enabled,
        torch.use_deterministic_algorithms,
    ),
    Trait(
        "cuDNN's benchmark mode",
        lambda: torch.backends.cudnn.benchmark,
        lambda on: setattr(torch.backends.cudnn, "benchmark", on),
    ),
    Trait(
        "how torch shares memory between processes",
        torch.multiprocessing.get_sharing_strategy,
        torch.multiprocessing.set_sharing_strategy,
    ),
)
"""Seeds aren't among them: they are set after all imports, from the specification."""

OF_LIBRARIES = ("running threads", "signal handlers", "environment variables", "standard streams")
"""Traits that torch and its loader may change while they run; no number depends on them."""

ENDING_SECONDS = 5.0
"""How long to wait for the end of a thread that an import started."""

undone: list[str] = []
"""What was undone in this process, in words, for the cell's record."""


@contextmanager
def keeping_state() -> Iterator[None]:
    """Undo, on leaving, what changed in the process; StateChanged for what can't be undone."""
    before = {trait: trait.read() for trait in TRAITS}
    threads = set(threading.enumerate())
    try:
        yield
    finally:
        for thread in set(threading.enumerate()) - threads:
            thread.join(ENDING_SECONDS)
        for trait in changed(before):
            if trait.write:
                trait.write(before[trait])
                undone.append(trait.name)
    left = ", ".join(trait.change(before[trait]) for trait in changed(before))
    if left:
        raise StateChanged(
            f"a module of the condition changes, when it is imported, {left}, and that can't be "
            "undone; do it elsewhere, or not at all"
        )


@contextmanager
def same_state() -> Iterator[None]:
    """StateChanged if the process is different on leaving, so that no number is recorded."""
    before = {trait: trait.read() for trait in TRAITS if trait.name not in OF_LIBRARIES}
    yield
    for trait in changed(before):
        raise StateChanged(
            f"the measurement changed {trait.change(before[trait])}; a transform must leave the "
            "process as it is"
        )


def changed(before: dict[Trait, Any]) -> list[Trait]:
    """The traits that aren't as they were `before`."""
    return [trait for trait, value in before.items() if trait.read() != value]
