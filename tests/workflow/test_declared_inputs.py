"""A command reads nothing of the results but what its rule declares: else a change is missed."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.workflow.project import Project

pytestmark = pytest.mark.slow

RULES = ("aggregate", "decide", "judge_claims", "compare_machines", "render_section")
"""Rules that read the results and write into them by nothing but their outputs."""


@dataclass(frozen=True)
class Job:
    """One job as Snakemake would run it: files relative to the project, and its command."""

    rule: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    command: str


def jobs(output: str) -> list[Job]:
    """The jobs in what a dry run with `--printshellcmds` says."""
    blocks = re.split(r"\n(?=(?:local)?rule )", output)
    return [
        Job(
            rule[1],
            tuple(listed[1].split(", ")),
            tuple(re.findall(r"^    output: (.*)$", block, re.MULTILINE)[0].split(", ")),
            command[1],
        )
        for block in blocks
        if (rule := re.match(r"(?:local)?rule (\w+):", block))
        and rule[1] in RULES
        and (listed := re.search(r"^    input: (.*)$", block, re.MULTILINE))
        and (command := re.search(r"^(?:Shell command: |\s*)(python .*)$", block, re.MULTILINE))
    ]


def test_a_command_needs_only_what_its_rule_declares(complete: Project, tmp_path: Path) -> None:
    planned = complete.run("--dry-run", "--forceall", "--printshellcmds")
    found = jobs(planned.output)
    assert {job.rule for job in found} == {*RULES}
    environment = os.environ | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(complete.folder / "scripts"),
    }
    for number, job in enumerate(found):
        folder = tmp_path / str(number)
        for name in filter(lambda each: each.startswith("results/"), job.inputs):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(complete.folder / name, target)
        (folder / "results" / "logs" / job.rule).mkdir(parents=True)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", job.command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{job.rule}: {done.stderr}"
        for name in job.outputs:
            assert (folder / name).read_bytes() == (complete.folder / name).read_bytes(), name
