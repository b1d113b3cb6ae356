"""A cell's record: what was asked, what was measured, on what, and when."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from feedrate.canonical import digest
from feedrate.running.supervision import Answer, CellFailed


def record_of(
    specification: Mapping[str, Any], answer: Answer, machine: Mapping[str, Any], session: str
) -> dict[str, Any]:
    """The record with its checksum. CellFailed for a measurement that can't be recorded."""
    measurement = answer.content["measurement"]
    _require_numbers(measurement)
    record = {
        "specification": specification,
        "measurement": measurement,
        "machine": machine,
        "process": {
            "started_at": utc(answer.started),
            "ended_at": utc(answer.ended),
            "session": session,
            **answer.content["process"],
        },
    }
    return record | {"checksum": digest(record)}


def _require_numbers(measurement: Mapping[str, Any]) -> None:
    for epoch in measurement.get("epochs", ()):
        loss = epoch.get("mean_loss")
        if loss is not None and not math.isfinite(loss):
            raise CellFailed(
                f"the mean loss of epoch {epoch['epoch']} is {loss}: the training diverged; lower "
                "training.learning_rate, or look for a division by zero in the transforms"
            )


def utc(seconds: float) -> str:
    """Seconds since 1970 as an ISO 8601 time in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
