"""The workflows for GitHub: what they start exists, and publishing never measures."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = ("ci.yml", "pages.yml")


def read(name: str) -> dict[Any, Any]:
    content: dict[Any, Any] = yaml.safe_load((FOLDER / name).read_text())
    return content


def steps(name: str) -> Iterator[dict[str, Any]]:
    for job in read(name)["jobs"].values():
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
def test_actions_are_pinned_by_major_version(name: str) -> None:
    used = [step["uses"] for step in steps(name) if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in used)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_text_from_outside_becomes_part_of_a_command(name: str) -> None:
    assert "${{" not in commands(name)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_jobs_may_read_and_nothing_else_unless_they_say_so(name: str) -> None:
    assert read(name)["permissions"] == {"contents": "read"}


def test_publishing_never_measures() -> None:
    text = commands("pages.yml")
    for measuring in ("reproduce", "quick", "snakemake", "bench", "measure"):
        assert measuring not in text


def test_what_is_published_was_checked_before() -> None:
    order = [step.get("run") or step["uses"] for step in steps("pages.yml")]
    check = next(index for index, step in enumerate(order) if "make verify-site" in step)
    upload = next(index for index, step in enumerate(order) if "upload-pages-artifact" in step)
    assert check < upload


def test_only_the_job_that_deploys_may_write() -> None:
    jobs = read("pages.yml")["jobs"]
    writing = {name for name, job in jobs.items() if "write" in job.get("permissions", {}).values()}
    assert writing == {"deploy"}
    assert jobs["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}


def test_a_shared_runners_report_is_an_artifact_that_says_what_it_is() -> None:
    (upload,) = (step for step in steps("ci.yml") if "upload-artifact" in step.get("uses", ""))
    assert upload["with"]["path"] == "results-quick/report.html"
    assert "not-for-publication" in upload["with"]["name"]
    assert not any("pages" in step.get("uses", "") for step in steps("ci.yml"))


def test_pages_are_deployed_on_a_release_or_by_hand() -> None:
    # YAML 1.1 reads the key `on` as true.
    triggers = read("pages.yml")[True]
    assert {"release", "workflow_dispatch"} <= triggers.keys()
    assert triggers["release"]["types"] == ["published"]
