"""What a linter of workflows can't know: what exists here, and that publishing never measures."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = sorted(file.name for file in FOLDER.glob("*.yml"))


def jobs(name: str) -> dict[str, dict[str, Any]]:
    content: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text())
    found: dict[str, dict[str, Any]] = content["jobs"]
    return found


def steps(name: str) -> Iterator[dict[str, Any]]:
    for job in jobs(name).values():
        yield from job["steps"]


def commands(name: str) -> str:
    return "\n".join(step["run"] for step in steps(name) if "run" in step)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_make_target_exists(name: str) -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)", commands(name)))
    assert named
    assert named <= targets


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_text_from_outside_becomes_part_of_a_command(name: str) -> None:
    """A title or a tag that is pasted into a command would run with it; a variable doesn't."""
    assert "${{" not in commands(name)


def test_publishing_never_measures_and_checks_before() -> None:
    text = commands("pages.yml")
    assert not re.search(r"\b(reproduce|quick|snakemake|bench|measure)\b", text)
    order = [step.get("run") or step["uses"] for step in steps("pages.yml")]
    check = next(index for index, step in enumerate(order) if "make verify-site" in step)
    upload = next(index for index, step in enumerate(order) if "upload-pages-artifact" in step)
    assert check < upload


def test_only_the_job_that_deploys_may_write() -> None:
    found = {
        (file, name)
        for file in WORKFLOWS
        for name, job in jobs(file).items()
        if "write" in job.get("permissions", {}).values()
    }
    assert found == {("pages.yml", "deploy")}


def test_pythons_that_the_readme_promises_are_tested() -> None:
    first, last = re.findall(r"Python 3\.(\d+) to 3\.(\d+)", (ROOT / "README.md").read_text())[0]
    tested = jobs("ci.yml")["fast"]["strategy"]["matrix"]["python"]
    assert tested == [f"3.{minor}" for minor in range(int(first), int(last) + 1)]
