"""Projects in the states from which tests start."""

from pathlib import Path

import pytest

from tests.workflow.project import Project, copy_project


@pytest.fixture
def project(dataset: Path, tmp_path: Path) -> Project:
    """A project in which nothing was measured."""
    return copy_project(tmp_path / "project")


@pytest.fixture
def measured(finished: Project, tmp_path: Path) -> Project:
    """A copy of a project after a whole run, with all times of its files."""
    return finished.copied(tmp_path / "project")
