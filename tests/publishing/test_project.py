"""Which files of the project are published."""

import subprocess
from pathlib import Path

import pytest

from feedrate.publishing.project import PARTS, project_files, user_modules
from tests.publishing.conftest import ROOT, write


def test_files_are_found_by_their_folder_and_tests_data_and_results_stay_behind(
    tmp_path: Path,
) -> None:
    belonging = {
        *("Snakefile", "README.md", "workflow/rules/a.smk", "report/sections/ja/01_a.py"),
        *("scripts/feedrate/room/a.py", "envs/requirements.txt", "profiles/default/config.yaml"),
    }
    others = {
        *("config.yaml", "notes.txt", "tests/test_a.py", "data/images", "results/epochs.csv"),
        *("scripts/__pycache__/a.pyc", "scripts/feedrate/room/__pycache__/a.pyc"),
        *("report/.ipynb_checkpoints/a.py", "workflow/.hidden"),
    }
    for name in belonging | others:
        write(tmp_path / name, "")
    found = project_files(tmp_path)
    assert found.keys() == belonging
    assert all(found[name] == tmp_path / name for name in belonging)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no checkout of git's")
def test_everything_that_is_tracked_in_this_project_is_found() -> None:
    command = ["git", "ls-files", "-z", "--", *PARTS]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {name for name in listed.split("\0") if (ROOT / name).is_file()}
    assert "Snakefile" in tracked
    assert tracked <= project_files(ROOT).keys()


def test_a_users_transform_comes_with_the_modules_that_it_imports(tmp_path: Path) -> None:
    write(tmp_path / "mine.py", "import shared\n")
    write(tmp_path / "shared.py", "")
    write(tmp_path / "other.py", "")
    write(tmp_path / "more" / "turns.py", "")
    conditions = {
        "own": "mine.crop",
        "mixed": ["ToTensor", {"more.turns.Turn": {"degrees": 3}}, "torchvision.transforms.Pad"],
    }
    assert user_modules(tmp_path, conditions).keys() == {"mine.py", "shared.py", "more/turns.py"}
    assert user_modules(tmp_path, {"light": ["ToTensor"]}) == {}
