"""Projects in the states from which tests start."""

import shutil
from pathlib import Path

import pytest

from tests.workflow.project import Project, copy_project


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
