"""A new member of a dimension is one file, or one entry, of the library."""

import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from tests.conftest import shared_run
from tests.workflow.project import Project

pytestmark = pytest.mark.slow

MEMBERS = Path(__file__).parent / "members"
ROOM = "scripts/feedrate/measurement"
FILES = {
    "workload": ("workloads/test_images.py", f"{ROOM}/workloads"),
    "model": ("models/one_layer.py", f"{ROOM}/models"),
    "kind of loader": ("loaders/thread_pool.py", f"{ROOM}/loaders"),
    "arm": ("arms/copying.py", f"{ROOM}/arms"),
}
ENTRY = '''
    Factor(
        name="in_order",
        level=bool,
        default=True,
        description="Batches in the order of their indices.",
        column="whether batches come in the order of their indices",
        name_of=lambda level: "ordered" if level else "unordered",
        words_of=lambda level: "in order" if level else "as they come",
        neutral=True,
        needs_workers=True,
    ),
)
"""In the order'''


def add(project: Project, dimension: str) -> None:
    """Add a member to the project's copy of the library."""
    if dimension == "factor":
        factors = "scripts/feedrate/configuration/factors.py"
        project.edit(factors, '\n)\n"""In the order', ENTRY)
        return
    source, room = FILES[dimension]
    shutil.copy(MEMBERS / source, project.folder / room)


@pytest.mark.parametrize("dimension", [*FILES, "factor"])
def test_another_member_leaves_measured_cells_fresh(
    finished: Project, tmp_path: Path, dimension: str
) -> None:
    project = finished.copied(tmp_path / "project")
    add(project, dimension)
    assert project.plan().jobs["measure_cell"] == 0


@pytest.fixture(scope="module")
def extended(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A run with a new member in every dimension, to the page."""

    def configure(config: dict[str, Any]) -> None:
        config["workload"] = "test-images"
        config["training"] = {"model": "one-layer"}
        config["conditions"] = {"light": ["ToTensor"]}
        sweep: dict[str, Any] = {"conditions": ["light"], "repetitions": 1}
        config["sweeps"] = {
            "workers": sweep | {"num_workers": [0, 2]},
            "kinds": sweep | {"num_workers": 2, "kind": ["dataloader", "thread-pool"]},
            "order": sweep | {"num_workers": 2, "in_order": [True, False]},
        }
        config["ceilings"] = {"arms": ["copying"]}

    def extend(project: Project) -> None:
        for dimension in (*FILES, "factor"):
            add(project, dimension)

    return shared_run(tmp_path_factory, "extended", configure, 5, {}, extend)


def test_a_workload_is_one_file(extended: Project) -> None:
    for record in extended.records():
        assert record["specification"]["workload"]["name"] == "test-images"
    trained = [
        record for record in extended.records() if record["specification"]["arm"] == "training"
    ]
    assert {epoch["images"] for each in trained for epoch in each["measurement"]["epochs"]} == {300}


def test_a_model_is_one_file(extended: Project) -> None:
    assert {each["specification"]["training"]["model"] for each in extended.records()} == {
        "one-layer"
    }


def test_a_kind_of_loader_is_one_file(extended: Project) -> None:
    kinds = {record["specification"]["loader"].get("kind") for record in extended.records()}
    assert kinds == {None, "thread-pool"}
    summary = pd.read_csv(extended.results / "summary.csv")
    threads = summary[summary["kind"] == "thread-pool"].iloc[0]
    assert threads["settings"] == "workers-2_batch-100_thread-pool"
    assert pd.isna(threads["start_method"])


def test_a_factor_is_one_entry(extended: Project) -> None:
    orders = [record["specification"]["loader"].get("in_order") for record in extended.records()]
    assert orders.count(False) == 1
    assert orders.count(None) == len(orders) - 1
    comparisons = pd.read_csv(extended.results / "comparisons.csv")
    order = comparisons[comparisons["sweep"] == "order"].iloc[0]
    assert order["settings_in_words"] == "2 workers, as they come"
    assert order["against_in_words"] == "2 workers, in order"


def test_an_arm_is_one_file(extended: Project) -> None:
    ceilings = pd.read_csv(extended.results / "ceilings.csv")
    assert list(ceilings["arm"]) == ["copying"]
    assert ceilings["images_per_second"].iloc[0] > 0


def test_the_schema_knows_all_members(extended: Project) -> None:
    config = yaml.safe_load((extended.results / "config.yaml").read_text())
    assert config["loader"]["in_order"] is True
