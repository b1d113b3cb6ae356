import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feedrate.configuration.model import Experiment
from feedrate.planning.plan import Plan, make_plan
from feedrate.planning.records import RecordsRefused, read_records
from feedrate.planning.specification import Surroundings


@pytest.fixture
def plan(experiment: Experiment, around: Surroundings) -> Plan:
    return make_plan(experiment, around)


@pytest.fixture
def results(plan: Plan, record_of: Callable[..., dict[str, Any]], tmp_path: Path) -> Path:
    for cell in plan.cells:
        file = tmp_path / cell.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(record_of(cell.specification, 2.0, 1.0)))
    return tmp_path


def test_records_come_in_the_plans_order(plan: Plan, results: Path) -> None:
    records = read_records(plan.cells, results)
    assert [record["specification"] for record in records] == [
        cell.specification for cell in plan.cells
    ]


def test_an_edited_cell_is_refused_by_name(plan: Plan, results: Path) -> None:
    file = results / plan.cells[1].path
    record = json.loads(file.read_text())
    record["measurement"]["epochs"][1]["seconds"] = 0.5
    file.write_text(json.dumps(record))
    with pytest.raises(RecordsRefused, match="changed after it was written") as caught:
        read_records(plan.cells, results)
    assert str(file) in str(caught.value)
    assert str(results / plan.cells[0].path) not in str(caught.value)


def test_a_cell_from_elsewhere_is_refused_with_what_differs(
    plan: Plan, results: Path, record_of: Callable[..., dict[str, Any]]
) -> None:
    cell = plan.cells[0]
    other = cell.specification | {"machine": {"cpu": "another"}, "threads": 64}
    (results / cell.path).write_text(json.dumps(record_of(other, 2.0, 1.0)))
    with pytest.raises(RecordsRefused, match=r"belongs to another plan.*machine, threads"):
        read_records(plan.cells, results)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"checksum": 1}', "5", '"text"', "null"])
def test_anything_else_is_refused(plan: Plan, results: Path, content: str) -> None:
    (results / plan.cells[0].path).write_text(content)
    with pytest.raises(RecordsRefused, match="isn't a record of a cell"):
        read_records(plan.cells, results)


def test_all_refusals_come_at_once(plan: Plan, results: Path) -> None:
    (results / plan.cells[0].path).unlink()
    (results / plan.cells[2].path).write_text("{")
    with pytest.raises(RecordsRefused) as caught:
        read_records(plan.cells, results)
    assert str(caught.value).count(str(results)) == 2
