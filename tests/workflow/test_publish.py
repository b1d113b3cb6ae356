"""A whole run, published: what verifies, what doesn't, and what is refused."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from rocrate.rocrate import ROCrate

from feedrate.configuration.checks import read_experiment
from feedrate.configuration.places import read_places
from feedrate.publishing.bundle import open_bundle
from feedrate.publishing.checksums import as_text, files_below, sums
from feedrate.result_files import RESULT_FILES
from tests.workflow.project import CANARY, ROOT, Project

pytestmark = pytest.mark.slow


def call(script: str, *arguments: str | Path, cwd: Path, home: Path) -> tuple[int, str]:
    """Run a script as an account of the name CANARY; its status and all that it said."""
    names = dict.fromkeys(("LOGNAME", "USER", "LNAME", "USERNAME"), CANARY)
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / f"{script}.py", *arguments],
        cwd=cwd,
        env=os.environ | names | {"HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stdout
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("canary-home")


@pytest.fixture(scope="module")
def published(finished: Project, tmp_path_factory: pytest.TempPathFactory, home: Path) -> Path:
    """The site of a whole run; not to be changed."""
    output = tmp_path_factory.mktemp("published") / "site"
    status, said = call("publish_site", "--output", output, cwd=finished.folder, home=home)
    assert status == 0, said
    return output


@pytest.fixture
def site(published: Path, tmp_path: Path) -> Path:
    """A copy of the site that a test may change."""
    return Path(shutil.copytree(published, tmp_path / "site"))


@pytest.fixture
def verify(tmp_path: Path, home: Path) -> Any:
    return lambda site: call("verify_site", "--site", site, cwd=tmp_path, home=home)


def test_a_site_verifies_by_nothing_but_itself(site: Path, verify: Any) -> None:
    status, said = verify(site)
    assert status == 0, said
    assert f"{len(files_below(site)) - 2} files match their checksums" in said
    assert "13 tables are the same when aggregated again from 4 cells" in said
    assert "machines.json is taken as published: " in said
    assert "facts.json is taken as published: " in said


def test_its_archive_alone_verifies_too(site: Path, verify: Any) -> None:
    status, said = verify(site / "bundle.zip")
    assert status == 0, said
    assert "13 tables are the same" in said


def test_the_archive_unpacks_to_the_same(site: Path) -> None:
    beside = {name: path.read_bytes() for name, path in files_below(site).items()}
    del beside["bundle.zip"]
    with open_bundle(site / "bundle.zip") as unpacked:
        packed = {name: path.read_bytes() for name, path in files_below(unpacked).items()}
    assert packed == beside


def test_the_metadata_lists_every_file(site: Path) -> None:
    crate: Any = ROCrate(site)
    listed = {entity.id for entity in crate.data_entities}
    assert listed == set(files_below(site)) - {"ro-crate-metadata.json", "bundle.zip"}


def test_the_published_workflow_plans_the_run_that_it_is_published_with(
    finished: Project, site: Path, tmp_path: Path
) -> None:
    with open_bundle(site / "bundle.zip") as unpacked:
        crate: Any = ROCrate(unpacked)
        workflow = Path(shutil.copytree(unpacked, tmp_path / "crate"), crate.mainEntity.id)
    planned = Project(workflow.parent).plan()
    assert planned.cells == {"light/1", "light/2", "turned/1", "turned/2"}
    sections = len(list((ROOT / "report" / "sections").glob("*.py")))
    once = ("download_dataset", "aggregate", "decide", "judge_claims", "compare_machines")
    assert planned.jobs == {
        "measure_cell": 4,
        "render_section": sections,
        "assemble_report": 1,
        **dict.fromkeys(once, 1),
    }
    paths = set(re.findall(r"output: results/(cells/\S+\.json)", planned.output))
    plan = json.loads((finished.results / "plan.json").read_text())
    assert paths == {cell["path"] for cell in plan["cells"]}


def test_a_run_leaves_the_files_that_are_listed_and_no_others(finished: Project) -> None:
    left = {path.name for path in finished.results.iterdir() if path.is_file()}
    assert {name for name in left if not name.startswith(".")} == {
        file.name for file in RESULT_FILES
    }


def test_a_changed_table_is_named(site: Path, verify: Any) -> None:
    table = site / "tables" / "summary.csv"
    table.write_text(table.read_text().replace("light", "heavy"))
    status, said = verify(site)
    assert status == 1
    assert "error: tables/summary.csv was changed" in said
    assert "error: tables/summary.csv in bundle.zip isn't the one beside it" in said
    assert "error: tables/summary.csv isn't what the cells give: it differs from line" in said


def test_a_table_that_was_changed_with_its_checksum_is_named(site: Path, verify: Any) -> None:
    (site / "bundle.zip").unlink()
    table = site / "tables" / "decisions.json"
    table.write_text(table.read_text().replace('"proven": false', '"proven": true'))
    (site / "SHA256SUMS").write_text(as_text(sums(site)))
    status, said = verify(site)
    assert status == 1
    assert "files match their checksums" in said
    assert "error: tables/decisions.json isn't what the cells give" in said


def test_a_changed_cell_is_named(site: Path, verify: Any) -> None:
    name, cell = next(iter(files_below(site / "cells").items()))
    cell.write_text(cell.read_text().replace('"images": 300', '"images": 600'))
    status, said = verify(site)
    assert status == 1
    assert f"error: cells/{name} was changed: its checksum isn't" in said
    assert f"error: cells/{name}: was changed after it was written" in said


def test_an_extra_file_is_named(site: Path, verify: Any) -> None:
    (site / "extra.txt").write_text("")
    status, said = verify(site)
    assert status == 1
    assert "error: extra.txt is there, but SHA256SUMS doesn't list it" in said


def test_a_missing_cell_is_named(site: Path, verify: Any) -> None:
    name, cell = next(iter(files_below(site / "cells").items()))
    cell.unlink()
    status, said = verify(site)
    assert status == 1
    assert f"error: cells/{name} is missing" in said
    assert f"error: cells/{name}: is missing" in said


def test_a_folder_that_isnt_a_site_is_reported_as_such(tmp_path: Path, verify: Any) -> None:
    status, said = verify(tmp_path)
    assert status == 1
    assert "holds no SHA256SUMS" in said


def test_nothing_of_the_account_or_the_home_folder_is_published(site: Path, home: Path) -> None:
    with open_bundle(site / "bundle.zip") as unpacked:
        for path in [*files_below(site).values(), *files_below(unpacked).values()]:
            content = path.read_bytes()
            assert CANARY.encode() not in content
            assert str(home).encode() not in content


def test_folders_of_the_machine_stay_out_of_the_published_configuration(site: Path) -> None:
    config = yaml.safe_load((site / "project" / "config.yaml").read_text())
    assert config["conditions"]["light"] == ["ToTensor"]
    assert "results" not in config
    assert config["dataset"].keys() == {"images", "sources"}
    read_experiment(config, read_places([]))
