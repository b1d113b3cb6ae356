import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from feedrate.configuration.model import Experiment
from feedrate.planning.cells import expand
from feedrate.planning.plan import make_plan
from feedrate.planning.specification import (
    MeasurementCode,
    Surroundings,
    cell_path,
    dotted_paths,
    module_folders,
    module_path,
    specification,
    surroundings,
)

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


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


def test_the_kind_of_a_loader_has_code_of_its_own(
    experiment: Experiment, around: Surroundings
) -> None:
    asked = []

    class Code(dict[tuple[str, str], str]):
        def __missing__(self, key: tuple[str, str]) -> str:
            asked.append(key)
            return "digest"

    paths(changed(experiment, **MORE), replace(around, code=Code()))
    assert set(asked) == {
        (arm, "dataloader")
        for arm in ("training", "loader", "step", "resident", "instrumented", "leak")
    }


def test_all_images_are_as_many_as_the_workload_has(
    experiment: Experiment, around: Surroundings
) -> None:
    few = changed(experiment, dataset={"images": 100})
    for one, images in ((experiment, 60_000), (few, 100)):
        plan = make_plan(one, around)
        assert plan.experiment["dataset"]["images"] == images
        assert {cell.specification["workload"]["images"] for cell in plan.cells} == {images}


def test_a_workload_trains_its_own_model_where_none_is_named(
    experiment: Experiment, around: Surroundings
) -> None:
    named = changed(experiment, training={"model": "small-cnn"})
    assert paths(named, around) == paths(experiment, around)


# --- the code that measures -----------------------------------------------------------------------


ARM_NAMES = ["training", "anchor", "loader", "step", "resident", "instrumented", "leak"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the scripts' folder."""
    folder = tmp_path_factory.mktemp("copy") / "scripts"
    shutil.copytree(SCRIPTS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def unedited(library: Path) -> dict[str, str]:
    return codes(library)


def codes(scripts: Path) -> dict[str, str]:
    """The digest of every arm's code."""
    code = MeasurementCode(scripts, "fashion-mnist", "small-cnn")
    return {arm: code[arm, "dataloader"] for arm in ARM_NAMES}


@contextmanager
def edited(file: Path, old: str, new: str) -> Iterator[None]:
    text = file.read_text()
    assert text.count(old) == 1, "edits something that isn't there"
    file.write_text(text.replace(old, new))
    yield
    file.write_text(text)


@pytest.mark.parametrize(
    ("file", "old", "new", "arms"),
    [
        ("arms/instrumented.py", 'label="instrumented"', 'label="watched"', []),
        ("arms/training.py", 'meaning="training from', 'meaning="learning from', []),
        ("arms/training.py", "The timed arm:", "The arm:", []),
        ("arm.py", "Trains from the loader;", "Learns;", []),
        ("workloads/fashion_mnist.py", "Xiao, Rasul and Vollgraf", "Xiao et al.", []),
        ("workloads/fashion_mnist.py", "torch.randint(256", "torch.randint(255", []),
        ("models/small_cnn.py", "A CNN", "The CNN", []),
        ("loaders/dataloader.py", 'title="torch.utils.data.DataLoader"', 'title="x"', []),
        ("loaders/dataloader.py", "    {argument},", "  {argument},", []),
        ("rehearse.py", "SAMPLES = 512", "SAMPLES = 513", []),
        ("arms/step.py", "math.ceil(", "math.floor(", ["step"]),
        (
            "sampler.py",
            "def main",
            "NEW = 1\nif NEW:\n    pass\ndef main",
            ["instrumented", "leak"],
        ),
        ("steps.py", "steps += 1", "steps += 2", ["step", "resident"]),
        (
            "arms/training.py",
            "return time_epochs",
            "return 1 + time_epochs",
            ["training", "anchor"],
        ),
        (
            "epoch.py",
            "waiting += waited",
            "waiting += 2 * waited",
            ["training", "anchor", "loader", "instrumented", "leak"],
        ),
        ("models/small_cnn.py", "nn.Linear(64, 10)", "nn.Linear(64, 11)", ARM_NAMES),
        ("workloads/fashion_mnist.py", "CLASSES = 10", "CLASSES = 11", ARM_NAMES),
        ("loaders/dataloader.py", "shuffle=True,\n        timeout", "timeout", ARM_NAMES),
        ("process.py", '"MKL_DYNAMIC"', '"MKL_DYNAMICS"', ARM_NAMES),
        (
            "state.py",  # which the step, without transforms, has no use for
            "ENDING_SECONDS = 5.0",
            "ENDING_SECONDS = 6.0",
            [arm for arm in ARM_NAMES if arm != "step"],
        ),
        ("run.py", '"torch": torch.__version__', '"torch": ""', ARM_NAMES),
    ],
)
def test_only_arms_that_measure_with_it_are_other_ones(
    library: Path, unedited: dict[str, str], file: str, old: str, new: str, arms: list[str]
) -> None:
    with edited(library / "feedrate/measurement" / file, old, new):
        after = codes(library)
    assert [arm for arm in ARM_NAMES if after[arm] != unedited[arm]] == [
        arm for arm in ARM_NAMES if arm in arms
    ]


# --- the code of the user's -----------------------------------------------------------------------


def user_code_of(path: str, experiment: Experiment, beside: list[Path]) -> str:
    """The digest of a condition with this dotted path."""
    conditions = {"light": path, "augmented": ["ToTensor"]}
    around = surroundings(changed(experiment, conditions=conditions), "cpu", SCRIPTS, beside)
    assert around.user_code["augmented"] == ""
    return around.user_code["light"]


def test_modules_are_found_beside_the_configuration_and_on_the_users_path(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, other, own = (tmp_path / name for name in ("root", "other", "own"))
    for folder in (root, other, own):
        folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(own))
    for folder in (other, own):
        module = f"crops_{folder.name}"
        (folder / f"{module}.py").write_text("EDGE = 1\n")
        before = user_code_of(f"{module}.crop", experiment, [root, other])
        (folder / f"{module}.py").write_text("EDGE = 2\n")
        assert "" != user_code_of(f"{module}.crop", experiment, [root, other]) != before


def test_the_folders_come_in_the_order_in_which_python_will_search_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/own", str(root)]))
    assert module_path(SCRIPTS, [root, other]) == [
        *(str(SCRIPTS), str(root), str(other), "/own"),
    ]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(module_path(SCRIPTS, [root, other])))
    code = "import sys; print(sys.path)"
    measuring = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    searched = [
        "" if each == os.getcwd() else each for each in module_folders(SCRIPTS, [root, other])
    ]
    assert searched[:5] == ast.literal_eval(measuring.stdout.decode())[:5]


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        (["ToTensor"], []),
        ("mine.crop", ["mine.crop"]),
        ([{"mine.Crop": {"size": 3}}, "mine.flip"], ["mine.Crop", "mine.flip"]),
        ([{"RandomApply": {"transforms": [{"mine.Crop": None}]}}], ["mine.Crop"]),
        ([{"mine.Crop": None}], ["mine.Crop"]),
    ],
)
def test_dotted_paths_are_found_however_deep(steps: Any, found: list[str]) -> None:
    assert list(dotted_paths(steps)) == found
