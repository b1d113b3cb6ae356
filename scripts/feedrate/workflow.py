"""What the Snakefile does before it has a graph: check, plan, and afterwards tell."""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from feedrate.canonical import canonical_json, digest
from feedrate.configuration.checks import ConfigurationError, message, read_experiment
from feedrate.configuration.model import Experiment
from feedrate.configuration.places import read_places
from feedrate.dataset.registry import FASHION_MNIST
from feedrate.environment.accelerators import resolve_device
from feedrate.files import write_atomically
from feedrate.planning.cells import expand
from feedrate.planning.plan import (
    Plan,
    PlannedCell,
    make_plan,
    missing_cells,
    planned_anchors,
    with_cells,
)
from feedrate.planning.preflight import capacity, preflight
from feedrate.planning.rehearsal import RehearsalFailed, rehearse, rehearsed_memory
from feedrate.planning.rounds import OpenRounds, next_rounds
from feedrate.planning.sessions import (
    anchor_combination,
    existing_anchors,
    is_timed,
    session_for,
    sessions_in_order,
    timed_records,
)
from feedrate.planning.specification import Specification, Surroundings, surroundings
from feedrate.publishing import CARD
from feedrate.running.locks import take_folder
from feedrate.wording import counted_workers

OF_THIS_MACHINE: Any = {
    "results": True,
    "dataset": {"folder", "local_folder"},
    "report": {"compare"},
}
"""What of a configuration names folders of the machine that it was written for."""


class Session:
    """An experiment, its plan, the folders they live in and the session that measures now."""

    def __init__(self, experiment: Experiment, plan: Plan, name: str) -> None:
        self.experiment = experiment
        self.plan = plan
        self.name = name
        self.results = Path(experiment.results)
        self.data = data_folder(experiment)
        self.added, self.open_rounds = replayed(plan, self.results)
        self._cells = {str(self.results / cell.path): cell for cell in (*plan.cells, *plan.reserve)}
        self._remembered: dict[str, list[str]] = {}

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
        """A digest that stands for the cells of `rounds` in `files_before`.

        Other cells, or another rule, have another one, so that no decision is taken for one about
        something else.
        """
        files = [file for cells in rounds.values() for file in self._files(cells)]
        name = digest([files, self.plan.experiment["auto_repetitions"]])[:12]
        self._remembered[name] = files
        return name

    def files_before(self, name: str) -> list[str]:
        """The cells that the digest `name` stands for."""
        return self._remembered[name]

    def rounds_after(self, rounds: OpenRounds, decision_file: str) -> OpenRounds:
        """The combinations that go on by the decisions in the file."""
        decisions = json.loads(Path(decision_file).read_text(encoding="utf-8"))
        enough = {combination: each["enough"] for combination, each in decisions.items()}
        return next_rounds(rounds, enough, self.plan)

    def last_files(self, rounds: OpenRounds) -> list[str]:
        """The newest cell of every combination."""
        return self._files(cells[-1] for cells in rounds.values())

    def _files(self, cells: Iterable[PlannedCell]) -> list[str]:
        return [str(self.results / cell.path) for cell in cells]


def data_folder(experiment: Experiment) -> Path:
    """Where the dataset is kept; another dataset would have another folder."""
    return Path(experiment.dataset.folder, f"fashion-mnist-{FASHION_MNIST.digest[:12]}")


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
        around = surroundings(experiment, device, scripts, root)
        results = Path(experiment.results)
        plan, name = plan_session(experiment, around, results)
        problems = rehearse(
            (cell.specification for cell in still_missing(plan, results)), results / "rehearsals"
        )
        if problems:
            raise ConfigurationError(message(problems, places))
    except (ConfigurationError, RehearsalFailed) as error:
        sys.exit(str(error))
    session = Session(experiment, plan, name)
    write_plan(session)
    write_settings(session)
    return session


def plan_session(experiment: Experiment, around: Surroundings, results: Path) -> tuple[Plan, str]:
    """The plan with the anchors of its later sessions, and the session that measures now.

    What is added to an earlier session comes with anchors; a session that has ended keeps those
    that it has. ConfigurationError if no sweep has anything to measure on this machine.
    """
    plan = make_plan(experiment, around)
    if not any(cell.specification["arm"] == "training" for cell in plan.cells):
        reasons = "; ".join(f"{each['sweep']}: {each['reason']}" for each in plan.not_applicable)
        raise ConfigurationError(f"No sweep has anything to measure on this machine: {reasons}")
    timed = list(timed_records(plan, results))
    now = session_for(datetime.now(UTC), timed, experiment.sessions.gap_minutes)
    sessions = sessions_in_order(timed)
    later = [session for session in sessions[1:] if session != now]
    plan = with_cells(plan, existing_anchors(later, results))
    if not sessions or now == sessions[0]:
        return plan, now
    if any(map(is_timed, still_missing(plan, results))):
        first = [record for record in timed if record["process"]["session"] == sessions[0]]
        sentinel = anchor_combination(expand(experiment, around.device), first)
        added = planned_anchors(sentinel, now, experiment, around) if sentinel else []
    else:
        added = list(existing_anchors([now], results))
    return with_cells(plan, added), now


def still_missing(plan: Plan, results: Path) -> list[PlannedCell]:
    """The cells that are to be measured now: the certain ones, or else the next round's."""
    missing = list(missing_cells(plan, results))
    if missing or not plan.reserve:
        return missing
    _, rounds = replayed(plan, results)
    cells = [cell for members in rounds.values() for cell in members]
    return [cell for cell in cells if not (results / cell.path).exists()]


def replayed(plan: Plan, results: Path) -> tuple[list[list[PlannedCell]], OpenRounds]:
    """The rounds that `repetitions: auto` has added so far, and those that are open."""
    if not plan.reserve:
        return [], {}
    # Imported here: statistics take a second to import, and only open rounds need them.
    from feedrate.analysis.rounds import replay

    return replay(plan, results)


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


def write_settings(session: Session) -> None:
    """Write the configuration, merged from all files, for those who publish it.

    Each setting of the page has a file of its own beside, too: what shows it depends on it alone.
    """
    merged = session.experiment.model_dump(exclude=OF_THIS_MACHINE)
    texts = {"config.yaml": yaml.safe_dump(merged, sort_keys=False, allow_unicode=True)}
    for name, setting in session.experiment.report.model_dump().items():
        texts[f"presentation/{name}.json"] = json.dumps(setting, ensure_ascii=False) + "\n"
    for name, text in texts.items():
        file = session.results / name
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            write_atomically(file, text)


def demand_measured(session: Session) -> None:
    """End the program where cells are missing, for targets that promise never to measure."""
    missing = still_missing(session.plan, session.results)
    if missing:
        sys.exit(
            f"feedrate: cells still to be measured: {len(missing)}; report, audit and publish "
            "never measure. Measure first: make reproduce, or snakemake without a target and with "
            "the same --configfile."
        )


def begin(session: Session) -> int:
    """Take the results folder for this run and return the lock; ends the program if it's taken."""
    lock = take_folder(session.results)
    if lock is None:
        sys.exit(f"Another run is going on in {session.results}. Wait for it to end, or stop it.")
    missing = still_missing(session.plan, session.results)
    if missing:
        look_ahead([cell.specification for cell in missing], session.results)
    return lock


def look_ahead(missing: Sequence[Specification], results: Path) -> None:
    """Tell what may go wrong with the `missing` cells; ends the program on an error."""
    process_bytes = rehearsed_memory(missing, results / "rehearsals")
    findings = preflight(missing, process_bytes, capacity())
    for finding in findings:
        kind = "ERROR" if finding.is_error else "warning"
        print(f"feedrate: {kind}: {finding.text}", file=sys.stderr)
    if any(finding.is_error for finding in findings):
        sys.exit("feedrate: nothing was measured")


def card_address(url: str | None) -> str:
    """The picture of links to the page: beside it, absolute where its address is known."""
    return f"{url.rstrip('/')}/{CARD}" if url else CARD


def bundle_files(bundles: Iterable[str]) -> list[str]:
    """The files that published bundles consist of: each itself, or all in its folder."""
    paths = [
        path
        for bundle in map(Path, bundles)
        for path in (sorted(bundle.rglob("*")) if bundle.is_dir() else [bundle])
    ]
    return [str(path) for path in paths if not path.is_dir()]


def conclusion(session: Session) -> list[str]:
    """What matters at the end of a run: the advice and the report, as far as they exist."""
    decisions, page = session.results / "decisions.json", session.results / "report.html"
    lines = advice_lines(decisions) if decisions.exists() else []
    return [*lines, f"the report: {page}"] if page.exists() else lines


def advice_lines(decisions: Path) -> list[str]:
    """A line per condition: the recommended number of workers, and what speaks for it."""
    content = json.loads(decisions.read_text(encoding="utf-8"))
    return [_in_words(advice) for advice in content["advice"]]


def _in_words(advice: Mapping[str, Any]) -> str:
    workers, gain = counted_workers(advice["workers"]), advice["gain"]
    standing = (
        f"{workers}, proven to come within 5 % of the best"
        if advice["proven"]
        else f"{workers} for the time being (the best estimate, not proven)"
    )
    size = (
        f" ({counted_workers(advice['compared_workers'])}: {gain['ratio']:.2f} times none, "
        f"95 % interval {gain['low']:.2f} to {gain['high']:.2f})"
        if gain
        else ""
    )
    label = " [emulated device]" if advice["device"] == "emulated" else ""
    return f"{advice['condition']}: {standing}; {advice['help']}{size}{label}"
