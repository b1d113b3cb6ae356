"""Projects in the states from which tests start."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from feedrate.dataset.registry import FASHION_MNIST
from tests.workflow.project import ROOT, Project, copy_project

DATA = ROOT / "data" / FASHION_MNIST.folder_name


@pytest.fixture(scope="session")
def dataset() -> Path:
    """The real data, acquired as a user would."""
    subprocess.run(
        [sys.executable, ROOT / "scripts/download_dataset.py", "--destination", DATA], check=True
    )
    return DATA


@pytest.fixture
def project(dataset: Path, tmp_path: Path) -> Project:
    """A project in which nothing was measured."""
    return copy_project(tmp_path / "project")


@pytest.fixture(scope="session")
def finished(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project after a whole run; not to be changed."""
    project = copy_project(tmp_path_factory.mktemp("finished") / "project")
    run = project.run()
    assert run.status == 0, run.output
    assert run.jobs["measure_cell"] == 4
    return project


@pytest.fixture
def measured(finished: Project, tmp_path: Path) -> Project:
    """A copy of a project after a whole run, with all times of its files."""
    folder = tmp_path / "project"
    shutil.copytree(finished.folder, folder, symlinks=True)
    return Project(folder)
