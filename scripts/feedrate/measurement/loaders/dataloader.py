"""PyTorch's own loader, torch.utils.data.DataLoader: its workers are processes."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from feedrate.measurement.loader_kind import LoaderKind, Workers

if TYPE_CHECKING:
    from torch.utils.data import DataLoader, Dataset

ARGUMENTS = {"start_method": "multiprocessing_context"}
"""Factors whose argument is called something else."""


def call(levels: Mapping[str, Any]) -> str:
    """The call to paste, a line for each argument that applies."""
    given = {ARGUMENTS.get(factor, factor): _literal(level) for factor, level in levels.items()}
    batch_size = given.pop("batch_size")
    arguments = ["dataset", f"batch_size={batch_size}", "shuffle=True"]
    arguments += [f"{argument}={literal}" for argument, literal in given.items()]
    return "DataLoader(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def _literal(level: Any) -> str:
    return f'"{level}"' if isinstance(level, str) else repr(level)


KIND = LoaderKind(title="torch.utils.data.DataLoader", workers=Workers.PROCESSES, call=call)


def make(
    dataset: "Dataset[Any]",
    levels: Mapping[str, Any],
    batch_timeout_seconds: int,
    start_worker: Callable[[int], None],
) -> "DataLoader[Any]":
    """The loader with these levels of factors; for all others DataLoader's defaults hold.

    The loader raises an error if its workers give no batch for `batch_timeout_seconds`.
    """
    from torch.utils.data import DataLoader

    workers = levels["num_workers"]
    return DataLoader(
        dataset,
        shuffle=True,
        timeout=batch_timeout_seconds if workers else 0,
        worker_init_fn=start_worker if workers else None,
        **{ARGUMENTS.get(factor, factor): level for factor, level in levels.items()},
    )
