"""Locks that the kernel releases when their holder dies, however it dies."""

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def machine_lock_path() -> Path:
    """The lock that all users and all copies of the workflow on this machine share."""
    return Path(tempfile.gettempdir()) / "feedrate-measuring.lock"


@contextmanager
def only_one_measurement(path: Path, on_waiting: Callable[[], None]) -> Iterator[int]:
    """Hold the machine's measuring lock; call `on_waiting` once if another process has it.

    Yields the descriptor, for child processes to inherit: the lock lasts as long as any of them.
    """
    descriptor = _open(path)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_waiting()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def take_folder(folder: Path) -> int | None:
    """Take the lock of a results folder; None if another run has it.

    Held until the returned descriptor is closed, at the latest when this process ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = _open(folder / ".lock")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _open(path: Path) -> int:
    # Opened without O_CREAT first: creating refuses another user's file in a sticky folder.
    try:
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
