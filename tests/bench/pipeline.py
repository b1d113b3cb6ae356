"""What the pipeline adds to what it times, and what it costs when there is nothing to do."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.figures import Failed, repeat
from tests.workflow.project import Project, copy_project

ROUNDS = 5
SECONDS = 90
"""For the rounds of a figure."""

LIMIT = 240
"""Seconds after which a single run is given up."""

OVERHEAD_SECONDS = 300
"""For the run whose overhead is reported."""

ALL_IMAGES, SOME_IMAGES = 60_000, 6_000
REPETITIONS = 2


def overhead(folder: Path) -> str:
    """Wall time of measuring over what the cells timed and one interpreter start for each.

    As many repetitions, at most 2, of as many images as a first, small run lets expect to fit.
    """
    start = statistics.median(_seconds(_import_torch) for _ in range(3))
    trial = _measuring_project(folder / "trial", SOME_IMAGES, repetitions=1)
    succeed(trial, "measure")
    timed, cells = _timed(trial)
    images_fit = SOME_IMAGES * (OVERHEAD_SECONDS - cells * start) / timed
    images = max(SOME_IMAGES, min(ALL_IMAGES, int(images_fit)))
    repetitions = max(1, min(REPETITIONS, int(images_fit / images)))
    project = _measuring_project(folder / "overhead", images, repetitions)
    wall = _seconds(lambda: succeed(project, "measure", timeout=2 * OVERHEAD_SECONDS))
    timed, cells = _timed(project)
    report = _seconds(lambda: succeed(project))
    return (
        f"{wall / (timed + cells * start):.3f}, at most 1.10 ({wall:.1f} s for {cells} cells of "
        f"{images:,} images, that timed {timed:.1f} s and start in {start:.1f} s each; the report "
        f"comes to {report:.1f} s more)"
    )


def _measuring_project(folder: Path, images: int, repetitions: int) -> Project:
    project = copy_project(folder)

    def change(config: dict[str, Any]) -> None:
        config["dataset"]["images"] = images
        config["loader"]["batch_size"] = 256
        sweep = {"conditions": ["light", "turned"], "num_workers": [0, 2]}
        config["sweeps"]["workers"] = sweep | {"repetitions": repetitions}

    project.configure(change)
    return project


def _timed(project: Project) -> tuple[float, int]:
    """Seconds that the cells of a project timed, and how many they are."""
    measurements = [record["measurement"] for record in project.records()]
    seconds = sum(
        each["loader_construction_seconds"]
        + sum(epoch["seconds"] for epoch in each["epochs"])
        + each["teardown_seconds"]
        for each in measurements
    )
    return seconds, len(measurements)


def idle(folder: Path) -> str:
    """A run with nothing to do against a dry run of a bare graph of as many jobs."""
    project = finished(folder)
    jobs = len(project.cell_files) + len(list(project.results.glob("sections/*"))) + 6
    graph = folder / "bare"
    graph.mkdir()
    (graph / "Snakefile").write_text(
        f"rule all:\n    input: expand('out/{{n}}', n=range({jobs - 1}))\n\n"
        "rule one:\n    output: 'out/{n}'\n    shell: 'touch {output}'\n"
    )
    bare = [sys.executable, "-m", "snakemake", "-n", "--quiet"]

    def pair() -> tuple[float, float]:
        ours = _seconds(lambda: succeed(project))
        theirs = _seconds(
            lambda: subprocess.run(bare, cwd=graph, check=True, capture_output=True, timeout=LIMIT)
        )
        return ours, theirs

    pairs = repeat(pair, ROUNDS, SECONDS)
    ours, theirs = (statistics.median(each) for each in zip(*pairs, strict=True))
    return (
        f"{ours / theirs:.2f} times a bare dry run of {jobs} jobs, at most 1.5 "
        f"({ours:.2f} s and {theirs:.2f} s, {len(pairs)} rounds)"
    )


def dry_run(folder: Path) -> str:
    """The dry run of 10,000 configured cells."""
    project = copy_project(folder / "many")

    def multiply(config: dict[str, Any]) -> None:
        config["sweeps"]["workers"] |= {"num_workers": list(range(10)), "repetitions": 500}

    project.configure(multiply)
    started = time.perf_counter()
    run = project.run("-n")
    seconds = time.perf_counter() - started
    if run.status:
        raise Failed(run.output.splitlines()[-1])
    return f"{seconds:.0f} s for {run.jobs['measure_cell']:,} cells, at most 60"


def prose_edit(folder: Path) -> str:
    """The report after an edit of prose."""
    project = finished(folder)

    def edit() -> float:
        project.edit("report/sections/02_workers.py", "main process", "very main process")
        return _seconds(lambda: succeed(project))

    rounds = repeat(edit, ROUNDS, SECONDS)
    return f"{statistics.median(rounds):.1f} s, at most 6 ({len(rounds)} rounds)"


def finished(folder: Path) -> Project:
    """A project after a whole run, made by the first figure that asks for it."""
    project = Project(folder / "finished")
    if not project.folder.exists():
        succeed(copy_project(project.folder))
    if not (project.results / "report.html").exists():
        raise Failed("the run that it starts from failed")
    return project


def succeed(project: Project, *arguments: str, timeout: float = LIMIT) -> None:
    """Run the project; Failed, with the last line of what was said, if that fails."""
    run = project.run(*arguments, timeout=timeout)
    if run.status:
        raise Failed(run.output.strip().rpartition("\n")[2] or f"exit status {run.status}")


def _import_torch() -> None:
    subprocess.run([sys.executable, "-c", "import torch, torchvision"], check=True)


def _seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started
