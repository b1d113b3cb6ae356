"""Find before a run what would fail hours into it: shared memory, files, memory, other load."""

import math
import resource
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import psutil

from feedrate.environment.description import available_memory, shared_memory
from feedrate.measurement.workloads import WORKLOADS
from feedrate.planning.settings import settings_of
from feedrate.planning.specification import Specification

MIB = 2**20
FLOAT_BYTES, LABEL_BYTES = 4, 8
"""Of a float32 number of an image and of an int64 label, as a worker passes them on."""

FILES_PER_BATCH = 2
"""Descriptors of the shared memory of a batch: its images and its labels."""

FILES_PER_WORKER = 6
"""Pipe ends and locks of a worker's queues, in the main process."""

FILES_BESIDE = 100
"""Libraries, data and logs that are open in any case."""

BUSY_CORES = 0.25
"""Use of the machine by other programs that counts as load, in cores."""


@dataclass(frozen=True)
class Finding:
    """Something to report before the first cell; an error ends the run."""

    is_error: bool
    text: str


@dataclass(frozen=True)
class Capacity:
    """What this machine has free now; None where that is unknown."""

    shared_memory_free_bytes: int | None
    open_files: int | None
    memory_available_bytes: int
    busy_cores: float


def capacity() -> Capacity:
    """The capacity of this machine; takes half a second, to see what other programs use."""
    shared = shared_memory()
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    busy_share = psutil.cpu_percent(interval=0.5) / 100
    return Capacity(
        shared_memory_free_bytes=shared.free if shared else None,
        open_files=None if files == resource.RLIM_INFINITY else files,
        memory_available_bytes=available_memory(),
        busy_cores=busy_share * (psutil.cpu_count() or 1),
    )


def preflight(
    missing: Iterable[Specification], process_bytes: int, available: Capacity
) -> list[Finding]:
    """What could go wrong when the `missing` cells are measured, errors first.

    `process_bytes` is the memory of a process that has imported torch and the transforms.
    """
    cells = list(missing)
    if not cells:
        return []
    findings = [
        *_shared_memory(cells, available),
        *_open_files(cells, available),
        *_memory(cells, process_bytes, available),
        *_load(available),
    ]
    return sorted(findings, key=lambda finding: not finding.is_error)


def shared_memory_bytes(cell: Specification) -> int:
    """Bytes of all batches that workers may hold ready: workers x prefetch factor x batch."""
    settings = settings_of(cell)
    shape = WORKLOADS[cell["workload"]["name"]].image_shape
    image_bytes = math.prod(shape) * FLOAT_BYTES + LABEL_BYTES
    return settings.batches_ahead * settings.batch_size * image_bytes


def shm_size(needed_bytes: int) -> str:
    """The value for Docker's `--shm-size`: twice the need, rounded up to a power of two in MiB."""
    return f"{_power_of_two(max(64, 2 * needed_bytes / MIB))}m"


def _power_of_two(number: float) -> int:
    """The smallest power of two that is not below `number`."""
    return int(2 ** math.ceil(math.log2(number)))


def _shared_memory(cells: list[Specification], available: Capacity) -> Iterator[Finding]:
    largest = max(cells, key=shared_memory_bytes)
    loader = settings_of(largest)
    needed, free = shared_memory_bytes(largest), available.shared_memory_free_bytes
    if free is not None and needed > free:
        yield Finding(
            True,
            f"{loader.workers} workers that prefetch {loader['prefetch_factor']} batches of "
            f"{loader.batch_size} images need {needed / MIB:,.0f} MiB in /dev/shm, but only "
            f"{free / MIB:,.0f} MiB are free: they would die of a bus error. In Docker, start "
            f"the container with --shm-size={shm_size(needed)}; elsewhere, mount a larger /dev/shm "
            "or lower num_workers, prefetch_factor or batch_size.",
        )


def _open_files(cells: list[Specification], available: Capacity) -> Iterator[Finding]:
    def files(cell: Specification) -> int:
        loader = settings_of(cell)
        return (
            FILES_BESIDE
            + FILES_PER_WORKER * loader.worker_processes
            + FILES_PER_BATCH * loader.batches_ahead
        )

    needed = max(map(files, cells))
    if available.open_files is not None and needed > available.open_files:
        yield Finding(
            True,
            f"about {needed:,} files will be open at once, but this shell allows "
            f"{available.open_files:,}. Allow more with: ulimit -n {_power_of_two(needed)}",
        )


def _memory(
    cells: list[Specification], process_bytes: int, available: Capacity
) -> Iterator[Finding]:
    workers = max(settings_of(cell).worker_processes for cell in cells)
    needed, free = (workers + 1) * process_bytes, available.memory_available_bytes
    if needed > free:
        yield Finding(
            False,
            f"{workers} workers and the main process may take up to {needed / MIB:,.0f} MiB, but "
            f"{free / MIB:,.0f} MiB are available. Forked workers share most of it; if a cell is "
            "killed, lower num_workers or close other programs.",
        )


def _load(available: Capacity) -> Iterator[Finding]:
    if available.busy_cores > BUSY_CORES:
        yield Finding(
            False,
            f"other programs are using {available.busy_cores:.1f} cores; measurements scatter more "
            "while they run. Stop them, or wait.",
        )
