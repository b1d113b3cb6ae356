"""What the Snakefile does before it has a graph: check, plan, and afterwards tell."""

import csv
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from feedrate.analysis.answers import Answer, answers, counted_workers
from feedrate.canonical import canonical_json
from feedrate.configuration.checks import ConfigurationError, message, read_experiment
from feedrate.configuration.model import Experiment
from feedrate.configuration.places import read_places
from feedrate.dataset.registry import FASHION_MNIST
from feedrate.environment.accelerators import resolve_device
from feedrate.files import write_atomically
from feedrate.planning.plan import Plan, make_plan, missing_cells
from feedrate.planning.rehearsal import RehearsalFailed, rehearse
from feedrate.planning.specification import surroundings
from feedrate.running.locks import take_folder


class Session:
    """An experiment, its plan and the folders they live in."""

    def __init__(self, experiment: Experiment, plan: Plan) -> None:
        self.experiment = experiment
        self.plan = plan
        self.results = Path(experiment.results)
        self.data = Path(experiment.dataset.folder, f"fashion-mnist-{FASHION_MNIST.digest[:12]}")
        self._cells = {str(self.results / cell.path): cell for cell in plan.cells}

    @property
    def cell_files(self) -> list[str]:
        """The files of all cells."""
        return list(self._cells)

    def is_measured(self, cell_file: str) -> bool:
        return Path(cell_file).exists()

    def specification(self, cell_file: str) -> str:
        """The canonical specification of the cell that belongs in `cell_file`."""
        return canonical_json(self._cells[cell_file].specification)

    def priority(self, cell_file: str) -> int:
        """Larger for cells that come earlier in the plan."""
        return len(self._cells) - self._cells[cell_file].rank + 1


def open_session(
    config: Mapping[str, Any], files: Sequence[str], scripts: Path, root: Path
) -> Session:
    """Check the configuration, make the plan and write it to the results folder.

    Ends the program with a message where the user has to change something.
    """
    export_environment(scripts)
    places = read_places([Path(file) for file in files])
    try:
        experiment = read_experiment(config, places)
        device = resolve_device(experiment.device)
        plan = make_plan(experiment, surroundings(experiment, device, scripts, root))
        session = Session(experiment, plan)
        problems = rehearse(
            (cell.specification for cell in missing_cells(plan, session.results)),
            session.results / "rehearsals",
        )
        if problems:
            raise ConfigurationError(message(problems, places))
    except (ConfigurationError, RehearsalFailed) as error:
        sys.exit(str(error))
    write_plan(session)
    return session


def export_environment(scripts: Path) -> None:
    """Let the commands of rules find this interpreter and this library."""
    folders = [str(scripts), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(folders)
    interpreter = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([interpreter, os.environ.get("PATH", os.defpath)])


def write_plan(session: Session) -> None:
    """Write plan.json unless it is there already; refused while another run uses it."""
    file = session.results / "plan.json"
    text = session.plan.as_json()
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return
    lock = take_folder(session.results)
    if lock is None:
        sys.exit(
            f"A run is going on in {session.results} under another plan. Wait for it to end, "
            "stop it, or set `results` to another folder."
        )
    write_atomically(file, text)
    os.close(lock)


def begin(session: Session) -> int:
    """Take the results folder for this run and return the lock; ends the program if it's taken."""
    lock = take_folder(session.results)
    if lock is None:
        sys.exit(f"Another run is going on in {session.results}. Wait for it to end, or stop it.")
    return lock


def conclusion(session: Session) -> list[str]:
    """What matters at the end of a run: the best settings and the report, as far as they exist."""
    summary, page = session.results / "summary.csv", session.results / "report.html"
    lines = best_settings(summary) if summary.exists() else []
    return [*lines, f"the report: {page}"] if page.exists() else lines


def best_settings(summary: Path) -> list[str]:
    """A line per condition of summary.csv: the settings with the highest median warm throughput."""
    with summary.open(newline="", encoding="utf-8") as file:
        return [_in_words(answer) for answer in answers(csv.DictReader(file))]


def _in_words(answer: Answer) -> str:
    best = answer.best
    gain = f", {answer.speedup:.2f} times 0 workers" if answer.speedup else ""
    overlap = "; not set apart from other settings" if answer.overlapping else ""
    label = " [emulated device]" if answer.device == "emulated" else ""
    return (
        f"{answer.condition}: best with {counted_workers(best.num_workers)}, "
        f"{best.median:,.0f} images/s warm (median of {best.repetitions}, "
        f"range {best.minimum:,.0f} to {best.maximum:,.0f}){gain}{overlap}{label}"
    )
