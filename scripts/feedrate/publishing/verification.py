"""A published folder checked against itself: its cells, aggregated again, must give its tables."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from feedrate.publishing.layout import CLAIMS, FACTS, PLAN
from feedrate.result_files import TABLES

SCRIPTS = Path(__file__).resolve().parents[2]

COMPARED = tuple(table.name for table in TABLES if not table.unverified)


def table_differences(site: Path) -> list[str]:
    """A sentence for every table of `site` that isn't what its cells, plan and claims give.

    Takes a few seconds: the scripts that make the tables run again, on a copy.
    """
    needed = (PLAN, CLAIMS, FACTS)
    if missing := [name for name in needed if not (site / name).is_file()]:
        return [f"the tables can't be made again without {', '.join(missing)}"]
    with tempfile.TemporaryDirectory(prefix="feedrate-verify-") as name:
        results = Path(name)
        shutil.copyfile(site / PLAN, results / PLAN)
        if (site / "cells").is_dir():
            shutil.copytree(site / "cells", results / "cells")
        return _failures(site, results) or list(_differences(site / "tables", results))


def _failures(site: Path, results: Path) -> list[str]:
    """Make the tables in `results`; why that failed, if it did."""
    judged_by = ("--claims", site / CLAIMS, "--facts", site / FACTS)
    steps: dict[str, tuple[str | Path, ...]] = {
        "aggregate": (),
        "decide": (),
        "judge_claims": judged_by,
    }
    for script, arguments in steps.items():
        command = [sys.executable, SCRIPTS / f"{script}.py", "--results", results, *arguments]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        if done.returncode:
            said = done.stderr.replace(f"{results}/", "").splitlines()
            return _reasons(said) or [f"{script}.py failed without a message"]
    return []


def _reasons(said: Sequence[str]) -> list[str]:
    """The cells that are refused, each with its reason; or else the last line of the output."""
    refused = [line.strip() for line in said if line.startswith("  cells/")]
    return refused or [f"the tables can't be made again: {line}" for line in said[-1:]]


def _differences(published: Path, made: Path) -> Iterator[str]:
    for name in COMPARED:
        old, new = published / name, made / name
        if not old.is_file():
            yield f"tables/{name} is missing"
        elif old.read_bytes() != new.read_bytes():
            line = first_difference(old.read_bytes(), new.read_bytes())
            yield f"tables/{name} isn't what the cells give: it differs from line {line} on"


def first_difference(one: bytes, other: bytes) -> int:
    """The number of the first line in which two contents differ."""
    pairs = zip_longest(one.split(b"\n"), other.split(b"\n"))
    return next(number for number, (a, b) in enumerate(pairs, start=1) if a != b)
