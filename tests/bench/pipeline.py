"""What the pipeline adds to what it times, and what it costs when there is nothing to do."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.workflow.project import Project, copy_project

ROUNDS = 5


def overhead(folder: Path) -> str:
    """Wall time of a run over what its cells timed and one interpreter start for each."""
    project = copy_project(folder)

    def full_epochs(config: dict[str, Any]) -> None:
        config["dataset"]["images"] = 60_000
        config["loader"]["batch_size"] = 256
        sweep = {"conditions": ["light", "turned"], "num_workers": [0, 2], "repetitions": 2}
        config["sweeps"]["workers"] = sweep

    project.configure(full_epochs)
    start = statistics.median(_seconds(_import_torch) for _ in range(3))
    wall = _seconds(lambda: _succeed(project))
    timed = sum(_timed_seconds(record["measurement"]) for record in project.records())
    cells = len(project.cell_files)
    ratio = wall / (timed + cells * start)
    return (
        f"overhead: {ratio:.3f} ({wall:.1f} s for {cells} cells that timed {timed:.1f} s and start "
        f"in {start:.1f} s each; report included), at most 1.10"
    )


def _timed_seconds(measurement: dict[str, Any]) -> float:
    return float(
        measurement["loader_construction_seconds"]
        + sum(epoch["seconds"] for epoch in measurement["epochs"])
        + measurement["teardown_seconds"]
    )


def idle(finished: Project, folder: Path) -> str:
    """A run with nothing to do against a dry run of a bare graph of as many jobs."""
    jobs = len(finished.cell_files) + len(list(finished.results.glob("sections/*"))) + 6
    folder.mkdir()
    (folder / "Snakefile").write_text(
        f"rule all:\n    input: expand('out/{{n}}', n=range({jobs - 1}))\n\n"
        "rule one:\n    output: 'out/{n}'\n    shell: 'touch {output}'\n"
    )
    bare = [sys.executable, "-m", "snakemake", "-n", "--quiet"]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_seconds(lambda: _succeed(finished)))
        theirs.append(
            _seconds(lambda: subprocess.run(bare, cwd=folder, check=True, capture_output=True))
        )
    ratio = statistics.median(ours) / statistics.median(theirs)
    return (
        f"nothing to do: {ratio:.2f} times a bare dry run of {jobs} jobs "
        f"({statistics.median(ours):.2f} s and {statistics.median(theirs):.2f} s), at most 1.5"
    )


def many_cells(folder: Path) -> str:
    """The dry run of 10,000 configured cells."""
    project = copy_project(folder)

    def multiply(config: dict[str, Any]) -> None:
        config["sweeps"]["workers"] |= {"num_workers": list(range(10)), "repetitions": 500}

    project.configure(multiply)
    project.plan()  # rehearses the conditions and writes the plan
    seconds = _seconds(project.plan)
    cells = len(json.loads((project.results / "plan.json").read_text())["cells"])
    return f"dry run of {cells:,} cells: {seconds:.0f} s, at most 60"


def prose_edit(finished: Project) -> str:
    """The report after an edit of prose."""
    seconds = []
    for number in range(ROUNDS):
        finished.edit("report/sections/02_workers.py", "With 0", f"In round {number}, with 0")
        seconds.append(_seconds(lambda: _succeed(finished)))
        finished.edit("report/sections/02_workers.py", f"In round {number}, with 0", "With 0")
    return f"report after a prose edit: {statistics.median(seconds):.1f} s, at most 6"


def _import_torch() -> None:
    subprocess.run([sys.executable, "-c", "import torch, torchvision"], check=True)


def _succeed(project: Project) -> None:
    run = project.run()
    assert run.status == 0, run.output


def _seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started
