"""A loader whose workers are threads of the main process."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from feedrate.measurement.loader_kind import LoaderKind, Workers

KIND = LoaderKind(
    title="a pool of threads",
    workers=Workers.THREADS,
    call=lambda levels: f"ThreadLoader(dataset, {dict(levels)})",
    without=frozenset(
        ("prefetch_factor", "persistent_workers", "start_method", "pin_memory", "in_order")
    ),
)


class ThreadLoader:
    """Batches in a new random order each time, their images made by threads."""

    def __init__(self, dataset: Any, batch_size: int, num_workers: int) -> None:
        self._dataset = dataset
        self._batch_size = batch_size
        self._threads = num_workers

    def __iter__(self) -> Iterator[Any]:
        import torch
        from torch.utils.data import default_collate

        with ThreadPoolExecutor(self._threads) as pool:
            order = torch.randperm(len(self._dataset)).tolist()
            for first in range(0, len(order), self._batch_size):
                chosen = order[first : first + self._batch_size]
                yield default_collate(list(pool.map(self._dataset.__getitem__, chosen)))


def make(
    dataset: Any,
    levels: Mapping[str, Any],
    batch_timeout_seconds: int,
    start_worker: Callable[[int], None],
) -> ThreadLoader:
    """A loader of `num_workers` threads."""
    return ThreadLoader(dataset, levels["batch_size"], levels["num_workers"])
