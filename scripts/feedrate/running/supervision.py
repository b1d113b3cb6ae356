"""The measuring process from outside: started fresh, ended in time, its failure put in words."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


class CellFailed(Exception):
    """The measuring process gave no result; the message says why."""


def run_measuring_process(
    arguments: Sequence[str], specification: str, log: Path, limit_seconds: int, lock: int
) -> None:
    """Run `python -m feedrate.measurement` with `arguments`, its words in `log`.

    It gets a session of its own, so that it and its workers end together: after `limit_seconds`,
    or when this process is interrupted. It inherits the descriptor `lock`. Raises CellFailed.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as words:
        process = subprocess.Popen(
            [sys.executable, "-m", "feedrate.measurement", *arguments],
            stdin=subprocess.PIPE,
            stdout=words,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            pass_fds=[lock],
        )
        try:
            process.communicate(specification, timeout=limit_seconds)
        except subprocess.TimeoutExpired:
            raise CellFailed(f"hung: not finished after {limit_seconds} s") from None
        finally:
            _end_group(process)
    if process.returncode:
        raise CellFailed(_reason(process.returncode, log))


def _end_group(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _reason(status: int, log: Path) -> str:
    if status == -signal.SIGKILL:
        return "killed by SIGKILL, as the kernel does when memory runs out"
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return last_line(log) or f"ended with status {status} and no word"


def last_line(log: Path) -> str:
    """The last line of `log` that isn't empty; "" if there is none."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
