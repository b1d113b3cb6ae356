from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from feedrate.configuration.model import Experiment
from feedrate.planning.cells import expand
from feedrate.planning.specification import (
    Surroundings,
    cell_path,
    specification,
)


def paths(experiment: Experiment, around: Surroundings) -> set[str]:
    return {
        cell_path(cell, specification(cell, experiment, around))
        for cell in expand(experiment, around.device).cells
    }


def changed(experiment: Experiment, **sections: Any) -> Experiment:
    return Experiment.model_validate(experiment.model_dump() | sections)


def test_a_path_names_condition_settings_and_repetition(
    experiment: Experiment, around: Surroundings
) -> None:
    some = {path.rpartition("-")[0] for path in paths(experiment, around)}
    assert "cells/light/workers-0_batch-256/rep-1" in some


@pytest.mark.parametrize(
    "change",
    [
        {"machine": {"cpu": "another"}},
        {"packages": {"torch": "9.9"}},
        {"code": {("training", "dataloader"): "another"}},
        {"threads": 1},
    ],
)
def test_other_surroundings_give_other_paths(
    experiment: Experiment, around: Surroundings, change: dict[str, Any]
) -> None:
    assert not paths(experiment, around) & paths(experiment, replace(around, **change))


def test_only_the_changed_condition_gets_other_paths(
    experiment: Experiment, around: Surroundings
) -> None:
    before = paths(experiment, around)
    after = paths(
        changed(experiment, conditions={"light": ["ToTensor"], "augmented": ["PILToTensor"]}),
        around,
    )
    assert {path.split("/")[1] for path in before & after} == {"light"}
    assert {path.split("/")[1] for path in after - before} == {"augmented"}


@pytest.mark.parametrize(
    "section", [{"limits": {"cell_seconds": 5}}, {"report": {"title": "x"}}, {"results": "other"}]
)
def test_what_cannot_change_a_number_is_not_specified(
    experiment: Experiment, around: Surroundings, section: dict[str, Any]
) -> None:
    assert paths(experiment, around) == paths(changed(experiment, **section), around)


MORE: dict[str, Any] = {
    "ceilings": {"arms": ["loader", "step", "resident"]},
    "resources": {"instrumented": True, "leak": {"conditions": ["light"]}},
}


def test_measuring_more_leaves_every_timed_cell_as_it_was(
    experiment: Experiment, around: Surroundings
) -> None:
    before = paths(experiment, around)
    after = paths(changed(experiment, **MORE), around)
    assert before < after
    assert {path.rpartition("/")[2].partition("-")[0] for path in after - before} == {
        "loader", "step", "resident", "instrumented", "leak",
    }  # fmt: skip


def test_the_code_of_an_arm_counts_for_that_arm_only(
    experiment: Experiment, around: Surroundings
) -> None:
    more = changed(experiment, **MORE)
    other = replace(around, code={**around.code, ("instrumented", "dataloader"): "another"})
    gone = paths(more, around) - paths(more, other)
    assert gone
    assert all("/instrumented-1-" in path for path in gone)


def test_the_real_code_of_the_timed_arm_knows_nothing_of_the_sampler() -> None:
    from feedrate.code.imports import first_party_closure

    scripts = Path(__file__).resolve().parents[2] / "scripts"
    arms = scripts / "feedrate/measurement/arms"
    entries = [scripts / "feedrate/measurement/__main__.py", arms / "training.py"]
    names = {file.stem for file in first_party_closure(entries, scripts)}
    assert {"training", "epoch", "trainer"} <= names
    assert not names & {"sampler", "usage", "events", "instrumented", "resident"}
