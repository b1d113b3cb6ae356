"""The folder to publish: what is in it, when it is refused, and how it takes its place."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import publish_site
from feedrate.publishing.bundle import open_bundle
from feedrate.publishing.checksums import differences, files_below
from feedrate.publishing.site import (
    SiteError,
    contents,
    footer_of,
    locked_version,
    made_beside,
)
from feedrate.publishing.verification import first_difference
from feedrate.result_files import LEADING_FIGURE
from tests.publishing.conftest import ROOT, MadeUp


def error_of(made_up: MadeUp, capsys: pytest.CaptureFixture[str]) -> str:
    assert publish_site.main(made_up.arguments) == 1
    assert not (made_up.folder / "site").exists()
    assert not list(made_up.folder.glob(".site*"))
    return capsys.readouterr().err


# --- what is in it --------------------------------------------------------------------------------


@pytest.mark.usefixtures("nobody")
def test_a_site_has_everything_and_its_own_checksums(made_up: MadeUp) -> None:
    assert publish_site.main(made_up.arguments) == 0
    site = made_up.folder / "site"
    names = set(files_below(site))
    assert names >= {
        *("index.html", "README.md", "plan.json", "social-card.png", "figures/one.svg"),
        *("tables/summary.csv", "tables/facts.json", "ro-crate-metadata.json", "SHA256SUMS"),
        "bundle.zip",
    }
    assert {name for name in names if name.startswith("project/")} == {
        *("project/Snakefile", "project/config.yaml", "project/report/claims.yaml"),
        *("project/envs/requirements.txt", "project/CITATION.cff", "project/LICENSE"),
        *("project/workflow/rules/measure.smk", "project/scripts/feedrate/one.py"),
    }
    assert {name for name in names if name.startswith("cells/")} == {
        cell.path for cell in made_up.plan.cells
    }
    assert (site / "index.html").read_bytes() == (made_up.results / "report.html").read_bytes()
    assert differences(site) == []
    with open_bundle(site / "bundle.zip") as unpacked:
        assert set(files_below(unpacked)) == names - {"bundle.zip"}


def test_cells_that_the_plan_doesnt_name_stay_behind(made_up: MadeUp) -> None:
    (made_up.results / "cells" / "light" / "old.json").write_text("{}")
    carried = contents(made_up.results, made_up.folder, made_up.plan.cells)
    assert "cells/light/old.json" not in carried
    assert list(carried) == sorted(carried)
    figures = [name for name in carried if name.startswith("figures/")]
    assert figures == ["figures/one.svg", LEADING_FIGURE]


@pytest.mark.usefixtures("nobody")
def test_the_readme_names_nothing_that_isnt_there(made_up: MadeUp) -> None:
    assert publish_site.main(made_up.arguments) == 0
    site = made_up.folder / "site"
    text = (site / "README.md").read_text()
    assert text.startswith("# How many DataLoader workers feed this accelerator?\n")
    named = re.findall(r"`([\w-]+(?:/\w*)?(?:\.\w+)?)`", text)
    assert {"index.html", "project/", "tables/columns.json"} <= set(named)
    assert all((site / name).exists() for name in named)


@pytest.mark.usefixtures("nobody")
def test_the_metadata_describes_the_run(made_up: MadeUp) -> None:
    assert publish_site.main(made_up.arguments) == 0
    metadata = (made_up.folder / "site" / "ro-crate-metadata.json").read_text()
    entities = {entity["@id"]: entity for entity in json.loads(metadata)["@graph"]}
    (action,) = (each for each in entities.values() if each["@type"] == "CreateAction")
    assert action["startTime"] == "2026-01-01T00:00:00.000+00:00"
    assert action["endTime"] == "2026-01-01T00:00:30.000+00:00"
    assert entities["project/Snakefile"]["version"] == "0.1.0"
    assert entities["./"]["datePublished"] == "2026-01-01"


def test_a_run_on_an_emulated_device_is_called_one_under_its_picture(made_up: MadeUp) -> None:
    site = made_up.folder
    (site / "tables").mkdir()
    (site / "tables" / "machine.json").write_text((made_up.results / "machine.json").read_text())
    machine = "a processor, 2 usable cores, 8 GiB, no GPU"
    assert footer_of(site, made_up.plan) == f"{machine} · feedrate"
    made_up.plan.cells[0].specification["device"]["name"] = "emulated"
    assert footer_of(site, made_up.plan) == f"{machine}, emulated device · feedrate"


@pytest.mark.slow
def test_the_same_results_give_the_same_bytes_in_any_process(made_up: MadeUp) -> None:
    home = made_up.folder / "zz-home-zz"
    home.mkdir()
    private = dict.fromkeys(("LOGNAME", "USER", "LNAME", "USERNAME"), "zz-nobody-zz")
    sites = []
    for seed in ("1", "2"):
        subprocess.run(
            [sys.executable, ROOT / "scripts" / "publish_site.py", *made_up.arguments],
            env=os.environ | private | {"PYTHONHASHSEED": seed, "HOME": str(home)},
            check=True,
        )
        files = files_below(made_up.folder / "site")
        sites.append({name: path.read_bytes() for name, path in files.items()})
    assert sites[0] == sites[1]


# --- when it is refused ---------------------------------------------------------------------------


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize(
    "name", ["report.html", "summary.csv", "facts.json", "plan.json", "config.yaml", LEADING_FIGURE]
)
def test_without_a_report_a_table_or_the_leading_figure_nothing_is_published(
    made_up: MadeUp, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (made_up.results / name).unlink()
    text = error_of(made_up, capsys)
    assert f"{name} is missing: run `make reproduce` first" in text


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize("name", ["Snakefile", "report/claims.yaml", "LICENSE"])
def test_without_the_project_nothing_is_published(
    made_up: MadeUp, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (made_up.folder / name).unlink()
    text = error_of(made_up, capsys)
    assert f"{name} is missing: publish from the folder of the project" in text


@pytest.mark.usefixtures("nobody")
def test_a_changed_cell_is_refused_by_name(
    made_up: MadeUp, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = made_up.results / made_up.plan.cells[0].path
    cell.write_text(cell.read_text().replace("1000", "2000"))
    text = error_of(made_up, capsys)
    assert f"{cell}: was changed after it was written" in text


@pytest.mark.usefixtures("nobody")
def test_what_would_disclose_the_home_folder_is_refused_by_its_setting(
    made_up: MadeUp, capsys: pytest.CaptureFixture[str]
) -> None:
    text = made_up.config.read_text()
    assert "local_folder: null" in text
    folder = f"{os.environ['HOME']}/fashion"
    made_up.config.write_text(text.replace("local_folder: null", f"local_folder: {folder}"))
    said = error_of(made_up, capsys)
    assert "project/config.yaml: home folder at dataset.local_folder" in said
    assert "change dataset.local_folder in config.yaml" in said


@pytest.mark.usefixtures("nobody")
def test_a_user_name_is_refused_unless_it_is_declared_a_word(
    made_up: MadeUp, capsys: pytest.CaptureFixture[str]
) -> None:
    (made_up.results / "report.html").write_text("<p>measured by zz-nobody-zz</p>\n")
    assert "index.html: user name at line 1" in error_of(made_up, capsys)
    assert publish_site.main([*made_up.arguments, "--public", "zz-nobody-zz"]) == 0


# --- its place ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("nobody")
def test_a_site_is_replaced_and_anything_else_is_not(
    made_up: MadeUp, capsys: pytest.CaptureFixture[str]
) -> None:
    site = made_up.folder / "site"
    site.mkdir()
    assert publish_site.main(made_up.arguments) == 0  # an empty folder is nothing to lose
    (site / "stale.txt").write_text("")
    assert publish_site.main(made_up.arguments) == 0
    assert not (site / "stale.txt").exists()

    (site / "SHA256SUMS").unlink()
    capsys.readouterr()
    assert publish_site.main(made_up.arguments) == 1
    assert "site exists and isn't a site made by feedrate" in capsys.readouterr().err
    assert (site / "index.html").exists()


@pytest.mark.usefixtures("nobody")
def test_the_old_site_stays_where_the_new_one_is_refused(made_up: MadeUp) -> None:
    assert publish_site.main(made_up.arguments) == 0
    before = (made_up.folder / "site" / "SHA256SUMS").read_bytes()
    (made_up.results / "report.html").unlink()
    assert publish_site.main(made_up.arguments) == 1
    assert (made_up.folder / "site" / "SHA256SUMS").read_bytes() == before


def test_the_old_folder_is_back_where_the_new_one_cant_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "site"
    output.mkdir()
    (output / "old.txt").write_text("")
    rename: Callable[..., Any] = Path.rename

    def fail(self: Path, target: Path) -> Any:
        if self.name == "new":
            raise OSError("the disk is full")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="disk is full"), made_beside(output):
        pass
    assert (output / "old.txt").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


# --- small parts ----------------------------------------------------------------------------------


def test_a_locked_version_is_that_of_the_package_itself() -> None:
    lock = "snakemake-interface-common==1.0\nsnakemake==9.27.1 ; python_version > '3' \\\n"
    assert locked_version(lock, "snakemake") == "9.27.1"
    with pytest.raises(SiteError, match="doesn't pin torch"):
        locked_version(lock, "torch")


def test_contents_differ_from_the_first_line_that_isnt_alike() -> None:
    assert first_difference(b"a\nb\n", b"a\nc\n") == 2
    assert first_difference(b"a", b"a\nb") == 2
