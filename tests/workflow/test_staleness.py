"""What is run again after a change, and what is not: jobs are counted."""

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.workflow.project import Project, copy_project, one_core

pytestmark = pytest.mark.slow

ALL_CELLS = {"light/1", "light/2", "turned/1", "turned/2"}
SECTION_FILES = list(Path(__file__).parents[2].glob("report/sections/*.py"))
SECTIONS = len(SECTION_FILES)
DRAWING_SECTIONS = sum(
    bool(
        {"content.repetition_figures", "content.leading_figure"}
        & set(re.findall(r"from feedrate\.(\S+)", text))
    )
    for text in (file.read_text() for file in SECTION_FILES)
)


ANALYSIS = {
    "aggregate", "decide", "judge_claims", "compare_machines", "render_section", "assemble_report",
}  # fmt: skip


def test_nothing_changed_nothing_runs(measured: Project) -> None:
    assert measured.run().jobs == {}


def test_a_new_condition_is_measured_then_analysed_and_reported(measured: Project) -> None:
    def add(config: dict[str, Any]) -> None:
        config["conditions"]["flipped"] = ["RandomHorizontalFlip", "ToTensor"]
        config["sweeps"]["workers"]["conditions"].append("flipped")

    measured.configure(add)
    run = measured.run()
    assert run.cells == {"flipped/1", "flipped/2"}
    assert run.jobs == {
        "measure_cell": 2,
        "aggregate": 1,
        "decide": 1,
        "judge_claims": 1,
        "compare_machines": 1,
        "render_section": SECTIONS,
        "assemble_report": 1,
    }
    assert "flipped" in (measured.results / "summary.csv").read_text()
    assert measured.run().jobs == {}


def test_more_repetitions_measure_the_additional_ones(measured: Project) -> None:
    def repeat(config: dict[str, Any]) -> None:
        config["sweeps"]["workers"]["repetitions"] = 3

    measured.configure(repeat)
    assert measured.plan().cells == {"light/3", "turned/3"}


def test_a_changed_argument_measures_its_condition_and_the_old_cells_serve_again(
    measured: Project,
) -> None:
    def turn(degrees: int) -> None:
        def change(config: dict[str, Any]) -> None:
            config["conditions"]["turned"][0]["RandomRotation"]["degrees"] = degrees

        measured.configure(change)

    before = (measured.results / "summary.csv").read_bytes()
    turn(30)
    assert measured.run("results/summary.csv").cells == {"turned/1", "turned/2"}
    assert (measured.results / "summary.csv").read_bytes() != before
    turn(15)
    assert measured.run("results/summary.csv").cells == set()
    assert (measured.results / "summary.csv").read_bytes() == before


def test_comments_and_layout_of_the_measurement_code_run_nothing(measured: Project) -> None:
    file = "scripts/feedrate/measurement/epoch.py"
    measured.edit(file, "    started = clock()\n", "    # a remark\n    started = (clock())\n")
    assert measured.plan().jobs == {}


def test_measurement_code_measures_everything(measured: Project) -> None:
    measured.edit("scripts/feedrate/measurement/epoch.py", "perf_counter", "monotonic")
    assert measured.plan().cells == ALL_CELLS


def test_a_module_that_the_measurement_imports_counts_too(measured: Project) -> None:
    measured.edit(
        "scripts/feedrate/measurement/trainer.py", "set_to_none=True", "set_to_none=False"
    )
    assert measured.plan().cells == ALL_CELLS


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("dataset/integrity.py", "is missing", "is absent"),
        ("running/supervision.py", "killed by SIGKILL", "ended by SIGKILL"),
        ("environment/description.py", '"WSL"', '"Windows"'),
        ("measurement/arms/training.py", "training from the loader", "training"),
        ("measurement/loaders/dataloader.py", 'shuffle=True"]', 'shuffle=1"]'),
        ("measurement/workloads/fashion_mnist.py", "Xiao, Rasul and Vollgraf", "Xiao et al."),
        ("measurement/rehearse.py", "SAMPLES = 512", "SAMPLES = 256"),
    ],
)
def test_what_cannot_change_a_number_measures_nothing(
    measured: Project, file: str, old: str, new: str
) -> None:
    measured.edit(f"scripts/feedrate/{file}", old, new)
    assert measured.plan().cells == set()


def test_a_dry_run_writes_nothing(measured: Project) -> None:
    def repeat(config: dict[str, Any]) -> None:
        config["sweeps"]["workers"]["repetitions"] = 3
        config["report"] = {"title": "Another title"}

    def state() -> dict[Path, int]:
        return {file: file.stat().st_mtime_ns for file in measured.results.rglob("*")}

    before = state()
    measured.configure(repeat)
    planned = measured.plan()
    assert planned.cells == {"light/3", "turned/3"}
    assert planned.jobs["aggregate"] == planned.jobs["assemble_report"] == 1
    assert measured.run("--lint").status == 0
    assert state() == before


@pytest.mark.parametrize(
    ("file", "old", "new", "sections"),
    [
        ("report/sections/02_workers.py", "What workers gain", "What they gain", 1),
        (
            "scripts/feedrate/content/repetition_figures.py",
            "What workers gain",
            "Gain",
            DRAWING_SECTIONS,
        ),
    ],
)
def test_the_reports_code_measures_nothing(
    measured: Project, file: str, old: str, new: str, sections: int
) -> None:
    measured.edit(file, old, new)
    run = measured.run()
    assert run.status == 0, run.output
    assert run.jobs == {"render_section": sections, "assemble_report": 1}
    assert new in (measured.results / "report.html").read_text()


def test_the_template_and_the_title_only_assemble(measured: Project) -> None:
    measured.edit("report/template/page.css", "{", "{ ")
    assert measured.run().jobs == {"assemble_report": 1}

    def retitle(config: dict[str, Any]) -> None:
        config["report"] = {"title": "Another title"}

    measured.configure(retitle)
    assert measured.run().jobs == {"assemble_report": 1}
    assert "Another title" in (measured.results / "report.html").read_text()


def test_another_torch_measures_everything(measured: Project, tmp_path: Path) -> None:
    other = tmp_path / "site" / "torch-9.9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 9.9.9\n")
    run = measured.plan(env=os.environ | {"PYTHONPATH": str(other.parent)})
    assert run.cells == ALL_CELLS


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="needs a second core to take away",
)
def test_another_machine_measures_everything(measured: Project) -> None:
    assert measured.plan(preexec_fn=one_core).cells == ALL_CELLS


def test_touching_everything_measures_nothing(measured: Project) -> None:
    for file in measured.folder.rglob("*"):
        if file.is_file() and ".snakemake" not in file.parts:
            file.touch()
    assert measured.plan().cells == set()


def test_a_fresh_clone_beside_old_results_measures_nothing(
    measured: Project, tmp_path: Path
) -> None:
    clone = copy_project(tmp_path / "clone")

    def no_data_yet(config: dict[str, Any]) -> None:
        config["dataset"]["folder"] = "data"

    clone.configure(no_data_yet)
    shutil.copytree(measured.results, clone.results, copy_function=shutil.copyfile)
    assert clone.plan().jobs.keys() <= ANALYSIS


def test_without_snakemakes_memory_nothing_is_measured(measured: Project) -> None:
    shutil.rmtree(measured.folder / ".snakemake")
    assert measured.plan().cells == set()


def test_a_deleted_cell_is_measured_again(measured: Project) -> None:
    file = next(
        file for file in measured.cell_files if "turned" in str(file) and "rep-2" in file.name
    )
    file.unlink()
    assert measured.run("measure").cells == {"turned/2"}
    assert file.exists()


def test_a_cell_edited_by_hand_is_refused_by_name(measured: Project) -> None:
    file = measured.cell_files[0]
    file.write_text(file.read_text().replace('"images": 300', '"images": 3000'))
    run = measured.run()
    assert run.status == 1
    assert f"{file.relative_to(measured.folder)}: was changed after it was written" in run.output
    assert "Traceback" not in run.output


def test_a_cell_left_from_elsewhere_is_refused_by_name(measured: Project) -> None:
    file, other = measured.cell_files[0], measured.cell_files[-1]
    shutil.copyfile(other, file)
    run = measured.run()
    assert run.status == 1
    assert f"{file.relative_to(measured.folder)}: belongs to another plan" in run.output


def test_a_deleted_report_or_figure_folder_comes_back_without_measuring(measured: Project) -> None:
    (measured.results / "report.html").unlink()
    shutil.rmtree(measured.results / "figures")
    assert measured.run().jobs == {"assemble_report": 1}
    assert list((measured.results / "figures").glob("*.svg"))


def test_targets_about_the_page_never_measure(measured: Project) -> None:
    measured.cell_files[0].unlink()
    (measured.results / "epochs.csv").unlink()  # what needs the cell is to be made again
    for target in ("report", "audit", "publish"):
        run = measured.run(target)
        assert run.status == 1
        assert run.output.splitlines()[-1] == (
            "feedrate: cells still to be measured: 1; report, audit and publish never measure. "
            "Measure first: make reproduce, or snakemake without a target and with the same "
            "--configfile."
        )
    assert len(measured.cell_files) == 3
