"""How the measuring process is started, answers and ends."""

import ctypes
import json
import multiprocessing
import os
import signal
import sys
from typing import Any

PR_SET_PDEATHSIG = 1

FOREIGN_SETTINGS = ("OMP_", "GOMP_", "KMP_")
"""Variables that set OpenMP's threads, waiting and binding; binding shrinks torch's affinity."""

THREAD_LIMITS = ("MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_DYNAMIC")


def die_with(parent: int) -> None:
    """Ask the kernel to kill this process when `parent` ends, so that no orphan goes on.

    The parent passes its own id: if it had already ended, another process's would be read
    here. Linux only (prctl(2), PR_SET_PDEATHSIG); elsewhere an orphan ends when its work does.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the parent process has ended")


def start_worker(worker_id: int) -> None:
    """`worker_init_fn` of every loader: a hung worker must not outlive the measurement.

    Its parent process is the measuring process or, with forkserver, the server.
    """
    die_with(os.getppid())
    measuring = multiprocessing.parent_process()
    if measuring and not measuring.is_alive():
        sys.exit("the measuring process has ended")


def read_request() -> Any:
    """The parent's request, JSON on standard input; from now on this process ends with the parent.

    Afterwards standard input is empty, as for a program that runs unattended.
    """
    request = json.load(sys.stdin)
    die_with(request["parent"])
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return request


def take_answer() -> int:
    """A descriptor for the answer alone: from now on, prints go to standard error."""
    answer = os.dup(1)
    os.dup2(2, 1)
    return answer


def forget_foreign_settings() -> None:
    """Drop thread settings that the caller exports for other programs, before torch reads them.

    Snakemake exports OMP_NUM_THREADS and its kin from a rule's `threads`.
    """
    for name in list(os.environ):
        if name.startswith(FOREIGN_SETTINGS) or name in THREAD_LIMITS:
            del os.environ[name]
