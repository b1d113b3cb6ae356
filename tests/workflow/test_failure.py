"""What is lost when something goes wrong: at most the cell that was being measured."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.workflow.project import Project

pytestmark = pytest.mark.slow

BEHAVIOUR = """\
import os
import sys
import time

from torchvision.transforms.functional import to_tensor

REHEARSAL = "rehearse" in sys.argv[0]


def fail(image):
    if not REHEARSAL and os.environ.get("FEEDRATE_TEST_FAILS"):
        raise RuntimeError("the transform gave up")
    return to_tensor(image)


def hang(image):
    if not REHEARSAL:
        time.sleep(600)
    return to_tensor(image)


def slow(image):
    if not REHEARSAL:
        time.sleep(0.005)
    return to_tensor(image)
"""


def use(project: Project, function: str, workers: list[int], **sections: Any) -> None:
    (project.folder / "mine.py").write_text(BEHAVIOUR)

    def change(config: dict[str, Any]) -> None:
        config["conditions"]["mine"] = f"mine.{function}"
        sweep = {"conditions": ["light", "mine"], "num_workers": workers, "repetitions": 1}
        config["sweeps"] = {"workers": sweep}
        config.update(sections)

    project.configure(change)


def wait_for_the_second_cell(project: Project, running: subprocess.Popen[str]) -> None:
    """Until a cell is measured and the next one is being measured."""
    while not (project.cell_files and measuring_processes(project)):
        assert running.poll() is None
        time.sleep(0.1)
    time.sleep(1)


def measuring_processes(project: Project) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            measures = "feedrate.measurement" in process.cmdline()
            if measures and Path(process.cwd()) == project.folder.resolve():
                found.append(process)
        except psutil.Error:
            continue
    return found


def test_a_failing_cell_is_named_and_the_others_are_measured(project: Project) -> None:
    use(project, "fail", [0, 2])
    run = project.run("measure", env=os.environ | {"FEEDRATE_TEST_FAILS": "1"})
    assert run.status == 1
    assert "mine, 0 workers, repetition 1: RuntimeError: the transform gave up" in run.output
    assert "mine, 2 workers, repetition 1: RuntimeError: the transform gave up" in run.output
    assert "start the same command again" in run.output
    assert [file.parts[-3] for file in project.cell_files] == ["light", "light"]

    again = project.run("measure")
    assert again.status == 0, again.output
    assert again.cells == {"mine/1"}
    assert again.jobs["measure_cell"] == 2


def test_a_hung_cell_ends_in_time_and_is_named(project: Project) -> None:
    use(project, "hang", [0], limits={"cell_seconds": 20})
    run = project.run("measure")
    assert run.status == 1
    assert "mine, 0 workers, repetition 1: hung: not finished after 20 s" in run.output
    assert [file.parts[-3] for file in project.cell_files] == ["light"]
    assert measuring_processes(project) == []


def test_hung_workers_end_in_time_and_are_named(project: Project) -> None:
    use(project, "hang", [2], limits={"batch_seconds": 5})
    run = project.run("measure")
    assert "mine, 2 workers, repetition 1: RuntimeError: DataLoader timed out after 5" in run.output
    assert measuring_processes(project) == []


@pytest.mark.parametrize("kill", [signal.SIGINT, signal.SIGKILL])
def test_an_ended_run_resumes_with_the_same_command(project: Project, kill: signal.Signals) -> None:
    use(project, "slow", [0, 1])
    running = project.start("measure")
    wait_for_the_second_cell(project, running)
    before = len(project.cell_files)
    if kill is signal.SIGINT:
        os.killpg(running.pid, kill)  # as a terminal does for Ctrl-C
    else:
        running.kill()
    running.wait(timeout=60)
    time.sleep(1)
    assert measuring_processes(project) == []
    assert len(project.cell_files) - before <= 1

    kept = {file: file.read_bytes() for file in project.cell_files}
    again = project.run("measure")
    assert again.status == 0, again.output
    assert again.jobs["measure_cell"] == 4 - len(kept)
    assert all(file.read_bytes() == content for file, content in kept.items())


def test_a_second_run_in_the_same_folder_is_refused(project: Project) -> None:
    use(project, "slow", [0, 1])
    running = project.start("measure")
    try:
        wait_for_the_second_cell(project, running)
        second = project.run("measure")
        assert second.status == 1
        assert "Another run is using results" in second.output
        assert "Traceback" not in second.output
        assert running.poll() is None
    finally:
        os.killpg(running.pid, signal.SIGINT)
        running.wait(timeout=60)


def test_a_missing_device_is_an_error_before_anything_runs(project: Project) -> None:
    import torch

    absent = "xpu" if not torch.xpu.is_available() else "mps"

    def choose(config: dict[str, Any]) -> None:
        config["device"] = absent

    project.configure(choose)
    run = project.run("measure")
    assert run.status == 1
    assert f"device: device {absent} is not available" in run.output
    assert run.jobs == {}


def few_files() -> None:
    """For `preexec_fn`: a shell that allows 2,048 open files."""
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (2048, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    )


def test_what_would_fail_after_hours_is_an_error_before_the_first_cell(project: Project) -> None:
    def many_batches(config: dict[str, Any]) -> None:
        config["loader"]["prefetch_factor"] = 64
        config["sweeps"]["workers"] |= {"conditions": ["light"], "num_workers": [64]}

    project.configure(many_batches)
    run = project.run("measure", preexec_fn=few_files)
    assert run.status == 1
    assert "feedrate: ERROR: about 8,676 files will be open at once" in run.output
    assert "ulimit -n 16384" in run.output
    assert project.cell_files == []
    assert "Traceback" not in run.output


def test_mistakes_are_reported_without_a_traceback(project: Project) -> None:
    def mistype(config: dict[str, Any]) -> None:
        config["conditions"]["light"] = ["ToTensr"]
        config["sweeps"]["workers"]["repetitions"] = 0

    project.configure(mistype)
    run = project.run("measure")
    assert run.status == 1
    assert "did you mean ToTensor?" in run.output
    assert "config.yaml:" in run.output
    assert "The configuration has 2 mistakes" in run.output
    assert "Traceback" not in run.output


def test_a_value_that_only_torchvision_can_judge_is_reported_before_anything_runs(
    project: Project,
) -> None:
    def misuse(config: dict[str, Any]) -> None:
        config["conditions"]["turned"][0]["RandomRotation"]["degrees"] = -5
        config["conditions"]["light"] = ["RandomHorizontalFlip"]

    project.configure(misuse)
    run = project.run("measure")
    assert run.status == 1
    assert "conditions.turned: ValueError" in run.output
    assert "conditions.light: gives a Image, not a tensor; end the list with ToTensor" in run.output
    assert run.jobs == {}


def test_a_mistake_in_an_overriding_file_is_shown_there(project: Project, tmp_path: Path) -> None:
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text("dataset:\n  images: 0\n")
    run = project.run("-n", "--configfile", str(overlay))
    assert run.status == 1
    assert f"{overlay}:2: dataset.images: is 0" in run.output


def test_a_measured_cell_outlives_the_reader_of_its_messages(
    measured: Project, dataset: Path
) -> None:
    """Snakemake deletes what a failed job has made: after the measurement nothing may fail."""
    cell = json.loads((measured.results / "plan.json").read_text())["cells"][0]
    file = measured.results / cell["path"]
    file.unlink()
    (measured.results / "logs" / "outlook.json").write_text("[]")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [
            *(sys.executable, "scripts/measure_cell.py", "--results", "results"),
            *("--specification", json.dumps(cell["specification"]), "--output", file),
            *("--data", dataset, "--session", "later"),
            *("--log", measured.folder / "log", "--batch-seconds", "60", "--cell-seconds", "600"),
        ],
        cwd=measured.folder,
        env=os.environ | {"PYTHONPATH": str(measured.folder / "scripts")},
        stderr=writer,
        check=False,
    )
    os.close(writer)
    assert done.returncode == 0
    assert json.loads(file.read_text())["specification"] == cell["specification"]
