"""The metadata: read back by the library, complete, and the same each time."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rocrate.rocrate import ROCrate

from feedrate.measurement.workloads import WORKLOADS
from feedrate.publishing.crate import Run, metadata

RUN = Run(
    identifier="0123456789ab",
    title="How many workers?",
    description="What was measured.",
    started_at="2026-01-01T22:00:00.000+00:00",
    ended_at="2026-01-02T01:00:00.000+00:00",
    code_version="0.1.0",
    snakemake_version="9.27.1",
    dataset_name="FashionMNIST",
    dataset_digest="02d9ae7ba29c8992",
    paper=WORKLOADS["fashion-mnist"].paper,
)
FILES = (
    *("index.html", "README.md", "plan.json", "tables/epochs.csv", "figures/one.svg"),
    *("cells/light/workers-0/rep-1-0.json", "project/Snakefile", "project/config.yaml"),
    *("project/report/claims.yaml", "project/LICENSE", "project/workflow/rules/measure.smk"),
    "project/scripts/aggregate.py",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text\n")
    return tmp_path


@pytest.fixture
def entities(folder: Path) -> dict[str, Any]:
    graph = json.loads(metadata(folder, RUN))["@graph"]
    assert [entity["@id"] for entity in graph] == sorted({entity["@id"] for entity in graph})
    return {entity["@id"]: entity for entity in graph}


def ids(value: Any) -> set[str]:
    return {entry["@id"] for entry in (value if isinstance(value, list) else [value])}


def test_the_library_reads_it_and_finds_every_file(folder: Path) -> None:
    (folder / "ro-crate-metadata.json").write_text(metadata(folder, RUN))
    crate: Any = ROCrate(folder)
    assert {entity.id for entity in crate.data_entities} == {*FILES, "SHA256SUMS"}
    assert crate.mainEntity.id == "project/Snakefile"
    assert crate.name == RUN.title


def test_it_says_to_what_it_conforms(entities: dict[str, Any]) -> None:
    assert ids(entities["ro-crate-metadata.json"]["conformsTo"]) == {
        "https://w3id.org/ro/crate/1.1",
        "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
    }
    assert ids(entities["./"]["conformsTo"]) == {
        "https://w3id.org/ro/wfrun/process/0.5",
        "https://w3id.org/ro/wfrun/workflow/0.5",
        "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
    }


def test_the_context_has_the_terms_of_runs(folder: Path) -> None:
    assert json.loads(metadata(folder, RUN))["@context"] == [
        "https://w3id.org/ro/crate/1.1/context",
        "https://w3id.org/ro/terms/workflow-run/context",
    ]


def test_the_root_is_dated_by_the_last_measurement(entities: dict[str, Any]) -> None:
    root = entities["./"]
    assert root["datePublished"] == "2026-01-02"
    assert root["license"] == {"@id": "https://spdx.org/licenses/MIT"}
    assert ids(root["mentions"]) == {"#run-0123456789ab", "#dataset-02d9ae7ba29c"}


def test_files_have_size_digest_and_format(entities: dict[str, Any]) -> None:
    table = entities["tables/epochs.csv"]
    assert (table["contentSize"], table["encodingFormat"]) == ("5", "text/csv")
    # SHA-256 of "text\n", by sha256sum.
    assert table["sha256"] == "b9e68e1bea3e5b19ca6b2f98b73a54b73daafaa250484902e09982e07a12e733"
    # It lists the metadata's own digest, which isn't known before.
    assert "sha256" not in entities["SHA256SUMS"]


def test_the_run_is_described_with_its_workflow_inputs_and_results(
    entities: dict[str, Any],
) -> None:
    action = entities["#run-0123456789ab"]
    assert action["@type"] == "CreateAction"
    assert (action["startTime"], action["endTime"]) == (RUN.started_at, RUN.ended_at)
    assert action["instrument"] == {"@id": "project/Snakefile"}
    assert ids(action["object"]) == {
        *("project/config.yaml", "project/report/claims.yaml", "#dataset-02d9ae7ba29c")
    }
    assert ids(action["result"]) == {
        *("index.html", "tables/epochs.csv", "figures/one.svg"),
        "cells/light/workers-0/rep-1-0.json",
    }
    assert "agent" not in action


def test_the_workflow_is_snakemakes_and_its_configuration_a_parameter(
    entities: dict[str, Any],
) -> None:
    workflow = entities["project/Snakefile"]
    assert {"File", "SoftwareSourceCode", "ComputationalWorkflow"} == set(workflow["@type"])
    language = entities[workflow["programmingLanguage"]["@id"]]
    assert (language["name"], language["version"]) == ("Snakemake", "9.27.1")
    (parameter,) = ids(workflow["input"])
    assert entities[parameter]["@type"] == "FormalParameter"
    assert entities["project/config.yaml"]["exampleOfWork"] == {"@id": parameter}


def test_the_workflows_code_is_part_of_it_each_file_in_its_language(
    entities: dict[str, Any],
) -> None:
    languages = {
        "project/workflow/rules/measure.smk": "Snakemake",
        "project/scripts/aggregate.py": "Python",
    }
    assert ids(entities["project/Snakefile"]["hasPart"]) == languages.keys()
    for name, language in languages.items():
        assert set(entities[name]["@type"]) == {"File", "SoftwareSourceCode"}
        assert entities[entities[name]["programmingLanguage"]["@id"]]["name"] == language


def test_the_readme_is_about_the_crate(entities: dict[str, Any]) -> None:
    assert entities["README.md"]["about"] == {"@id": "./"}
    assert entities["README.md"]["encodingFormat"] == "text/markdown"


def test_the_data_is_cited(entities: dict[str, Any]) -> None:
    dataset = entities["#dataset-02d9ae7ba29c"]
    assert dataset["identifier"] == RUN.dataset_digest
    assert entities[dataset["citation"]["@id"]]["identifier"] == "arXiv:1708.07747"


def test_every_reference_to_an_entity_of_the_crate_leads_somewhere(
    entities: dict[str, Any],
) -> None:
    local = {
        reference
        for entity in entities.values()
        for value in entity.values()
        for entry in (value if isinstance(value, list) else [value])
        if isinstance(entry, dict)
        for reference in ids(entry)
        if not reference.startswith("http")
    }
    assert local <= entities.keys()


def test_the_same_run_gives_the_same_text_and_another_one_another(folder: Path) -> None:
    assert metadata(folder, RUN) == metadata(folder, RUN)
    assert metadata(folder, replace(RUN, identifier="ba9876543210")) != metadata(folder, RUN)
