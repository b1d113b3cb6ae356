"""The folder to publish: what belongs in it, made beside its place and moved there complete."""

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from feedrate.measurement.workloads import WORKLOADS
from feedrate.planning.plan import Plan, PlannedCell
from feedrate.planning.records import Record
from feedrate.planning.rounds import needed_rounds
from feedrate.publishing import layout
from feedrate.publishing.checksums import SUMS, files_below
from feedrate.publishing.crate import Run
from feedrate.publishing.project import project_files, user_modules
from feedrate.reading import read_json, sha256
from feedrate.result_files import LEADING_FIGURE
from feedrate.wording import machine_in_words

_NAMED = 5
"""At most this many missing files are named."""


class SiteError(Exception):
    """Nothing can be published; the message says why and what to do."""


def measured_cells(plan: Plan, results: Path) -> list[PlannedCell]:
    """The cells that the tables rest on; RecordsRefused if one of them can't be read."""
    needed, _ = needed_rounds(plan, results)
    return [*plan.cells, *needed]


def contents(results: Path, project: Path, cells: Sequence[PlannedCell]) -> dict[str, Path]:
    """What is copied into the site: each file's source by its place there, sorted.

    SiteError names everything that is missing.
    """
    made = {place: results / file.name for place, file in layout.RESULTS.items()}
    made[LEADING_FIGURE] = results / LEADING_FIGURE
    made |= {cell.path: results / cell.path for cell in cells}
    _require(made.values(), "run `make reproduce` first")
    figures = {
        f"figures/{name}": path
        for name, path in files_below(results / "figures").items()
        if not name.startswith(".")  # what Snakemake keeps there for itself
    }
    return dict(sorted((made | figures | _software(project, made[layout.CONFIG])).items()))


def _software(project: Path, config: Path) -> dict[str, Path]:
    """The project's files by their places in the site; SiteError where one is missing."""
    conditions = _read_yaml(config)["conditions"]
    found = {
        f"{layout.PROJECT}/{name}": path
        for name, path in (project_files(project) | user_modules(project, conditions)).items()
    }
    needed = (layout.WORKFLOW, layout.CLAIMS, layout.LOCK, layout.CITATION, layout.LICENSE)
    _require(
        [project / place.removeprefix(f"{layout.PROJECT}/") for place in needed],
        "publish from the folder of the project, or name it with --project",
    )
    return found


def _require(sources: Iterable[Path], remedy: str) -> None:
    missing = [str(path) for path in sources if not path.is_file()]
    if missing:
        more = f", and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        verb = "is" if len(missing) == 1 else "are"
        raise SiteError(f"{', '.join(missing[:_NAMED])}{more} {verb} missing: {remedy}")


def title_of(config: Path) -> str:
    """The title of the page, from the configuration of the run."""
    return str(_read_yaml(config)["report"]["title"])


def _read_yaml(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def copy_files(sources: Mapping[str, Path], folder: Path) -> None:
    """Copy every source to its place below `folder`."""
    for name, source in sources.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


# --- what the measurement was ---------------------------------------------------------------------


def run_of(folder: Path, title: str, records: Sequence[Record]) -> Run:
    """What the metadata says about the measurement, from its records and the site in `folder`."""
    citation = _read_yaml(folder / layout.CITATION)
    workload = records[0]["specification"]["workload"]
    return Run(
        identifier=sha256(folder / layout.PLAN)[:12],
        title=title,
        description="How many workers of PyTorch's DataLoader feed training, measured on "
        f"{machine_line(folder)}: {len(records)} cells, with the tables, figures and report made "
        "from them.",
        started_at=min(_times(records, "started_at")),
        ended_at=max(_times(records, "ended_at")),
        code_version=str(citation["version"]),
        snakemake_version=locked_version(
            (folder / layout.LOCK).read_text(encoding="utf-8"), "snakemake"
        ),
        dataset_name=WORKLOADS[workload["name"]].dataset.name,
        dataset_digest=workload["digest"],
        paper=WORKLOADS[workload["name"]].paper,
    )


def footer_of(folder: Path, plan: Plan) -> str:
    """The line below the picture for previews: the machine, and whether the device is emulated."""
    device = plan.cells[0].specification["device"]["name"]
    emulated = ", emulated device" if device == "emulated" else ""
    return f"{machine_line(folder)}{emulated} · feedrate"


def readme(run: Run) -> str:
    """What someone who unpacks the archive reads first, as Markdown."""
    return f"""\
# {run.title}

{run.description}

- `{layout.PAGE}` is the report: open it in a browser.
- `tables/` and `figures/` hold its numbers and drawings; `tables/columns.json` says what every
  column means. `cells/` holds the raw measurements that they were made from.
- `{layout.PROJECT}/` is the workflow with the configuration of this run. To measure again, copy it
  to a folder of its own and run `make reproduce` there; `snakemake -n` lists what would run.
- `sha256sum --check {SUMS}` finds a file that was changed. `make verify-site SITE=bundle.zip`, in
  the copy of the project and with the path of the archive, also makes the tables again.
- `{layout.METADATA}` describes all of it as a Workflow Run RO-Crate.
"""


def _times(records: Sequence[Record], name: str) -> list[str]:
    # All of one format and in UTC, so that their order is that of their text.
    return [record["process"][name] for record in records]


def machine_line(folder: Path) -> str:
    """The machine of the site `folder` in a few words."""
    return machine_in_words(read_json(folder / layout.MACHINE)["machine"])


def locked_version(lock: str, package: str) -> str:
    """The version that the text of a lock file pins; SiteError if it pins none."""
    pinned = re.search(rf"^{re.escape(package)}==([^\s;\\]+)", lock, re.MULTILINE)
    if pinned is None:
        raise SiteError(f"envs/requirements.txt doesn't pin {package}: run `make lock`")
    return pinned[1]


# --- the place of the site ------------------------------------------------------------------------


def require_own(output: Path) -> None:
    """SiteError where `output` holds something other than a site, which would be lost."""
    if not output.exists() or (output / SUMS).is_file():
        return
    if not output.is_dir() or any(output.iterdir()):
        raise SiteError(
            f"{output} exists and isn't a site made by feedrate (it has no {SUMS}): "
            "move it away, or name another folder with --output"
        )


@contextmanager
def made_beside(output: Path) -> Iterator[Path]:
    """An empty folder beside `output`, which takes its place if all goes well."""
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}.") as beside:
        new, old = Path(beside, "new"), Path(beside, "old")
        new.mkdir()
        yield new
        if output.exists():
            output.rename(old)
        try:
            new.rename(output)
        except BaseException:
            if old.exists():
                old.rename(output)
            raise
