"""The cells' records, read back, and refused where they aren't what the plan asked for."""

import json
import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from feedrate.canonical import digest
from feedrate.planning.plan import PlannedCell

Record = dict[str, Any]

FIRST_WARM_EPOCH = 2
"""The first epoch starts the workers and fills their queues; all others are warm."""


class RecordsRefused(Exception):
    """Some cells can't be trusted; the message names every one with its reason and the remedy."""


def read_records(cells: Iterable[PlannedCell], results: Path) -> list[Record]:
    """The records of `cells`, in their order; RecordsRefused if any is not as planned."""
    records: list[Record] = []
    refusals: list[str] = []
    for cell in cells:
        try:
            records.append(read_record(cell, results / cell.path))
        except RecordsRefused as refusal:
            refusals.append(f"  {results / cell.path}: {refusal}")
    if refusals:
        raise RecordsRefused(
            "Some cells are refused:\n"
            + "\n".join(refusals)
            + "\nDelete these files and start the run again: only they will be measured."
        )
    return records


def read_record(cell: PlannedCell, file: Path) -> Record:
    """The record of `cell` in `file`; RecordsRefused says why it can't be trusted."""
    try:
        record: Record = json.loads(file.read_text(encoding="utf-8"))
        checksum = record.pop("checksum")
        specification = record["specification"]
    except FileNotFoundError:
        raise RecordsRefused("is missing") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RecordsRefused("isn't a record of a cell") from None
    if digest(record) != checksum:
        raise RecordsRefused("was changed after it was written: its checksum doesn't match")
    if digest(specification) != digest(cell.specification):
        raise RecordsRefused(
            "belongs to another plan: it differs from this one in "
            + ", ".join(_differences(specification, cell.specification))
        )
    return record


def _differences(recorded: Mapping[str, Any], planned: Mapping[str, Any]) -> list[str]:
    return sorted(
        key for key in recorded.keys() | planned.keys() if recorded.get(key) != planned.get(key)
    )


def warm_images_per_second(record: Mapping[str, Any]) -> float:
    """Throughput of a repetition: the median of its warm epochs."""
    epochs = record["measurement"]["epochs"]
    warm = [epoch for epoch in epochs if epoch["epoch"] >= FIRST_WARM_EPOCH]
    return float(statistics.median(epoch["images"] / epoch["seconds"] for epoch in warm))
