import json
import math
from typing import Any

import pytest

from feedrate.canonical import digest
from feedrate.running.record import record_of, utc
from feedrate.running.supervision import Answer, CellFailed


def record(*losses: float | None) -> dict[str, Any]:
    """A record whose epochs have these mean losses."""
    epochs = [{"epoch": number, "mean_loss": loss} for number, loss in enumerate(losses, start=1)]
    content = {"measurement": {"epochs": epochs}, "process": {"threads": 2}}
    answer = Answer(content, started=1_767_225_600.0, ended=1_767_225_603.25)
    return record_of({"arm": "training"}, answer, {"cpu": "a processor"}, "a session")


def test_a_record_says_what_was_asked_measured_on_what_and_when() -> None:
    found = record(1.5, None)
    assert found["specification"] == {"arm": "training"}
    assert [epoch["mean_loss"] for epoch in found["measurement"]["epochs"]] == [1.5, None]
    assert found["machine"] == {"cpu": "a processor"}
    assert found["process"] == {
        "started_at": "2026-01-01T00:00:00.000+00:00",
        "ended_at": "2026-01-01T00:00:03.250+00:00",
        "session": "a session",
        "threads": 2,
    }


def test_the_checksum_is_that_of_all_the_rest() -> None:
    found = json.loads(json.dumps(record(1.5)))
    assert found.pop("checksum") == digest(found)


@pytest.mark.parametrize("loss", [math.nan, math.inf])
def test_a_training_that_diverged_is_no_record(loss: float) -> None:
    with pytest.raises(CellFailed, match=rf"epoch 2 is {loss}.*lower training\.learning_rate"):
        record(1.5, loss)


def test_what_has_no_epochs_has_no_losses() -> None:
    content = {"measurement": {"not_applicable": "why"}, "process": {}}
    found = record_of({}, Answer(content, 0.0, 1.0), {}, "s")
    assert found["measurement"] == {"not_applicable": "why"}


def test_times_are_in_utc() -> None:
    assert utc(0.0) == "1970-01-01T00:00:00.000+00:00"
