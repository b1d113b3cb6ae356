"""The measuring process from outside: started afresh, ended in time, its failure put in words."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class CellFailed(Exception):
    """The measuring process gave no result; the message says why."""


@dataclass(frozen=True)
class Answer:
    """What the measuring process answered, and when it started and ended (seconds since 1970)."""

    content: Any
    started: float
    ended: float


def ask_measuring_process(
    request: Mapping[str, Any], log: Path, limit_seconds: float, lock: int
) -> Answer:
    """Run `python -m feedrate.measurement` with `request`, its messages in `log`.

    It gets a session of its own, so that it and its workers end together: after `limit_seconds`,
    or when this process is interrupted. It inherits the descriptor `lock`. Raises CellFailed.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        log.open("w", encoding="utf-8") as words,
        # Files rather than pipes: a worker that hangs would hold a pipe open.
        tempfile.TemporaryFile("w+", encoding="utf-8") as question,
        tempfile.TemporaryFile("w+", encoding="utf-8") as answer,
    ):
        json.dump({**request, "parent": os.getpid()}, question)
        question.seek(0)
        # Not the process's own time of creation, which the system tells to the second of its boot.
        started = time.time()
        process = subprocess.Popen(
            [sys.executable, "-m", "feedrate.measurement"],
            stdin=question,
            stdout=answer,
            stderr=words,
            start_new_session=True,
            pass_fds=[lock],
        )
        try:
            process.wait(limit_seconds)
            ended = time.time()
        except subprocess.TimeoutExpired:
            raise CellFailed(f"hung: not finished after {limit_seconds} s") from None
        finally:
            _end_group(process)
        if process.returncode:
            raise CellFailed(_reason(process.returncode, log))
        answer.seek(0)
        try:
            return Answer(json.load(answer), started, ended)
        except ValueError:
            raise CellFailed(
                "ended without an answer; a condition's modules must not exit the process"
            ) from None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _reason(status: int, log: Path) -> str:
    if status == -signal.SIGKILL:
        return "killed by SIGKILL, as the kernel does when memory runs out"
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return last_line(log) or f"ended with status {status} and without a message"


def last_line(log: Path) -> str:
    """The last line of `log` that isn't empty; "" if there is none."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
