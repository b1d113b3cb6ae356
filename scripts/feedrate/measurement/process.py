"""The measuring process among other processes."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends, so that no orphan goes on.

    Linux only (prctl(2), PR_SET_PDEATHSIG); elsewhere an orphan ends when its work does.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the parent process has ended")


def start_worker(worker_id: int) -> None:
    """`worker_init_fn` of every loader: a hung worker must not outlive the measurement."""
    die_with_parent()


def forget_thread_limits() -> None:
    """Drop limits that the caller exports for its own jobs, before torch reads them.

    Snakemake exports OMP_NUM_THREADS and its kin from a rule's `threads`.
    """
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS"):
        os.environ.pop(name, None)
