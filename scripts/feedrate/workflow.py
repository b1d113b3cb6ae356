"""What the Snakefile does before it has a job graph: check and plan."""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from feedrate.canonical import canonical_json, digest
from feedrate.code.stamps import code_stamps
from feedrate.code.user import CodeUnreadable
from feedrate.configuration.checks import ConfigurationError, message, read_experiment
from feedrate.configuration.mistakes import Problem
from feedrate.configuration.model import Experiment
from feedrate.configuration.places import Places, read_places
from feedrate.environment.accelerators import resolve_device
from feedrate.files import write_atomically, write_json
from feedrate.measurement.workloads import WORKLOADS
from feedrate.planning.plan import Plan, PlannedCell
from feedrate.planning.preflight import capacity, preflight
from feedrate.planning.rehearsal import RehearsalFailed, rehearse, rehearsed_memory
from feedrate.planning.rounds import OpenRounds, next_rounds, replay, still_missing
from feedrate.planning.session_plan import NothingToMeasure, plan_session
from feedrate.planning.specification import Specification, module_path, surroundings
from feedrate.running.locks import take_folder
from feedrate.running.outlook import OUTLOOK, Outlook, outlook_of

OF_THIS_MACHINE: Any = {
    "results": True,
    "dataset": {"folder", "local_folder"},
    "report": {"compare"},
}
"""Configuration keys that name folders of one machine."""


class Session:
    """An experiment, its plan, their folders, and the session that measures now."""

    def __init__(
        self, experiment: Experiment, plan: Plan, name: str, places: Places, scripts: Path
    ) -> None:
        self.experiment = experiment
        self.plan = plan
        self.name = name
        self.places = places
        self.has_started = False
        self._is_written: dict[str, bool] = {}
        self._scripts = scripts
        self._code = commands(scripts)
        self.results = Path(experiment.results)
        self.data = data_folder(experiment)
        self.added, self.open_rounds = replay(plan, self.results)
        self._cells = {str(self.results / cell.path): cell for cell in (*plan.cells, *plan.reserve)}
        self._remembered: dict[str, list[str]] = {}

    def start(self) -> None:
        """Prepare a run, before its graph is built: rehearse what is new, write plan and settings.

        Exits with a message if the user has to change something.
        """
        if self.has_started:
            return
        self.has_started = True
        missing = still_missing(self.plan, self.results)
        try:
            problems = rehearse(
                (cell.specification for cell in missing), self.results / "rehearsals"
            )
        except RehearsalFailed as error:
            sys.exit(str(error))
        if problems:
            sys.exit(message(problems, self.places))
        self._write()

    def is_written(self, name: str) -> bool:
        """Whether the file `name` of the results says what this session would write there."""
        if name not in self._is_written:
            file = self.results / name
            self._is_written[name] = (
                file.is_file() and file.read_text(encoding="utf-8") == self.written[name]
            )
        return self._is_written[name]

    @cached_property
    def written(self) -> dict[str, str]:
        """The texts that a run writes before it measures, by their paths in the results.

        The plan; the configuration, merged from all files, for publishing; each setting of the
        page in a file of its own, so that a job depends only on those that it shows; and a stamp
        of the code that each command and each section runs.
        """
        merged = self.experiment.model_dump(exclude=OF_THIS_MACHINE)
        texts = {
            "plan.json": self.plan.as_json(),
            "config.yaml": yaml.safe_dump(merged, sort_keys=False, allow_unicode=True),
        }
        for name, setting in self.experiment.report.model_dump().items():
            text = json.dumps(setting, ensure_ascii=False) + "\n"
            texts[f"presentation/{name}.json"] = text
        stamps = code_stamps(self._code, self._scripts)
        return texts | {f"code/{name}.sha256": stamp for name, stamp in stamps.items()}

    def _write(self) -> None:
        """Write what is new or changed; exits if another run is using the folder."""
        changed = [name for name in self.written if not self.is_written(name)]
        if not changed:
            return
        lock = take_folder(self.results)
        if lock is None:
            sys.exit(
                f"A run with another plan, page or code is using {self.results}. Wait for it to "
                "end, stop it, or set `results` to another folder."
            )
        for name in changed:
            write_atomically(self.results / name, self.written[name])
            self._is_written[name] = True
        os.close(lock)

    @property
    def cell_files(self) -> list[str]:
        """The files of all cells that are certain to be measured, rounds added so far included."""
        added = [cell for cells in self.added for cell in cells]
        return self._files([*self.plan.cells, *added])

    def is_measured(self, cell_file: str) -> bool:
        return Path(cell_file).exists()

    def specification(self, cell_file: str) -> str:
        """The canonical specification of the cell that belongs in `cell_file`."""
        return canonical_json(self._cells[cell_file].specification)

    def priority(self, cell_file: str) -> int:
        """Larger for cells that come earlier in the plan."""
        return len(self._cells) - self._cells[cell_file].rank + 1

    def remember(self, rounds: OpenRounds) -> str:
        """A digest by which `files_before` finds the cells of `rounds`.

        Other cells or another rule give another digest, so that no decision is reused for
        a question that it didn't answer.
        """
        files = [file for cells in rounds.values() for file in self._files(cells)]
        name = digest([files, self.plan.experiment["auto_repetitions"]])[:12]
        self._remembered[name] = files
        return name

    def files_before(self, name: str) -> list[str]:
        """The cells that were remembered under the digest `name`."""
        return self._remembered[name]

    def rounds_after(self, rounds: OpenRounds, decision_file: str) -> OpenRounds:
        """The combinations that get another round by the decisions in the file."""
        decisions = json.loads(Path(decision_file).read_text(encoding="utf-8"))
        enough = {combination: each["enough"] for combination, each in decisions.items()}
        return next_rounds(rounds, enough, self.plan)

    def last_files(self, rounds: OpenRounds) -> list[str]:
        """The newest cell of every combination."""
        return self._files(cells[-1] for cells in rounds.values())

    def _files(self, cells: Iterable[PlannedCell]) -> list[str]:
        return [str(self.results / cell.path) for cell in cells]


def commands(scripts: Path) -> dict[str, list[Path]]:
    """What each script runs, and what each section does with the script that renders it."""
    sections = (scripts.parent / "report" / "sections").glob("*.py")
    return {file.stem: [file] for file in sorted(scripts.glob("*.py"))} | {
        f"sections/{file.stem}": [scripts / "render_section.py", file] for file in sorted(sections)
    }


def data_folder(experiment: Experiment) -> Path:
    """Where the dataset is kept; every dataset has a folder of its own."""
    return Path(experiment.dataset.folder, WORKLOADS[experiment.workload].dataset.folder_name)


def open_session(
    config: Mapping[str, Any], files: Sequence[str], scripts: Path, root: Path
) -> Session:
    """Check the configuration and make the plan; nothing is written and nothing is run.

    The user's modules may also be beside the configuration's files. Exits with a message if the
    user has to change something.
    """
    paths = [Path(file) for file in files]
    beside = list(dict.fromkeys([root, *(path.resolve().parent for path in paths)]))
    places = read_places(paths)
    try:
        experiment = read_experiment(config, places)
        device = resolve_device(experiment.device)
        around = surroundings(experiment, device, scripts, beside)
        plan, name = plan_session(experiment, around, Path(experiment.results))
    except CodeUnreadable as error:
        sys.exit(message([Problem(("conditions",), str(error))], places))
    except (ConfigurationError, NothingToMeasure) as error:
        sys.exit(str(error))
    export_environment(scripts, beside)
    return Session(experiment, plan, name, places, scripts)


def export_environment(scripts: Path, beside: Sequence[Path]) -> None:
    """Let the rules' commands find this interpreter, this library and the user's modules."""
    os.environ["PYTHONPATH"] = os.pathsep.join(module_path(scripts, beside))
    interpreter = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([interpreter, os.environ.get("PATH", os.defpath)])


def demand_measured(session: Session) -> None:
    """Exit if cells are missing, for targets that promise never to measure."""
    missing = still_missing(session.plan, session.results)
    if missing:
        sys.exit(
            f"feedrate: cells still to be measured: {len(missing)}; report, audit and publish "
            "never measure. Measure first: make reproduce, or snakemake without a target and with "
            "the same --configfile."
        )


def begin(session: Session) -> int:
    """Take the results folder for this run and return the lock; ends the program if it's taken."""
    session.start()
    lock = take_folder(session.results)
    if lock is None:
        sys.exit(f"Another run is using {session.results}. Wait for it to end, or stop it.")
    missing = still_missing(session.plan, session.results)
    if missing:
        look_ahead([cell.specification for cell in missing], session.results)
    return lock


def start_outlook(session: Session) -> Outlook:
    """The outlook at the start of a run, kept for its cells to update."""
    outlook = outlook_of(session.plan, session.results)
    write_json(session.results / OUTLOOK, asdict(outlook))
    return outlook


def look_ahead(missing: Sequence[Specification], results: Path) -> None:
    """Report what may go wrong with the `missing` cells; exits on an error."""
    process_bytes = rehearsed_memory(missing, results / "rehearsals")
    findings = preflight(missing, process_bytes, capacity())
    for finding in findings:
        kind = "ERROR" if finding.is_error else "warning"
        print(f"feedrate: {kind}: {finding.text}", file=sys.stderr)
    if any(finding.is_error for finding in findings):
        sys.exit("feedrate: nothing was measured")
