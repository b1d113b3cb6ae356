"""The data from the Debian and Ubuntu package; needs no root and installs nothing."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from feedrate.dataset.local import from_folder
from feedrate.dataset.progress import Reporter
from feedrate.dataset.registry import Dataset
from feedrate.dataset.sources import SourceError

STATUS = re.compile(r"dlstatus:\d+:(?P<percent>[\d.]+):")
"""What apt-get writes to APT::Status-Fd during transfers."""


def from_debian(dataset: Dataset, folder: Path, reporter: Reporter) -> None:
    """Download the package, unpack it to a temporary folder and extract its files into `folder`.

    Raises SourceError if the tools or the package can't be found, or if its content is wrong.
    """
    if missing := [tool for tool in ("apt-get", "dpkg-deb") if shutil.which(tool) is None]:
        raise SourceError(f"this system has no {' and no '.join(missing)}")
    with TemporaryDirectory(prefix="feedrate-") as name:
        temp = Path(name)
        _download(dataset.debian_package, temp, reporter)
        archive, unpacked = str(next(temp.glob("*.deb"))), temp / "unpacked"
        _run(["dpkg-deb", "-x", archive, str(unpacked)], temp, "unpacked", reporter)
        from_folder(unpacked / dataset.debian_folder, dataset, folder, reporter)


def _download(package: str, temp: Path, reporter: Reporter) -> None:
    """Leave the package in `temp`. apt-get writes only there and changes nothing on the system."""
    options = {
        "APT::Status-Fd": "1",
        "Dir::Cache": f"{temp}/cache",
        "Acquire::Retries": "2",
        # As root, apt-get would warn that its unprivileged user may not enter `temp`.
        "APT::Sandbox::User": "root",
    }
    own_lists = options | {"Dir::State::lists": f"{temp}/lists", "Acquire::Languages": "none"}
    for folder in ("cache", "lists"):
        (temp / folder).mkdir()
    try:
        _run(_apt_get(options, "download", package), temp, package, reporter)
        return
    except SourceError as error:
        # The system's package lists may be empty or out of date.
        reporter.note(f"{error}; trying with fresh package lists")
    # Unreachable lists are only warnings to apt-get, yet they are why it finds no package.
    warnings = _run(_apt_get(own_lists, "update"), temp, "package lists", reporter)
    try:
        _run(_apt_get(own_lists, "download", package), temp, package, reporter)
    except SourceError as error:
        raise SourceError(" ".join([str(error), *warnings[:1]])) from error


def _apt_get(options: dict[str, str], *arguments: str) -> list[str]:
    settings = [part for key, value in options.items() for part in ("-o", f"{key}={value}")]
    return ["apt-get", "-qq", *settings, *arguments]


def _run(command: list[str], cwd: Path, label: str, reporter: Reporter) -> list[str]:
    """Run `command`, reporting progress. Returns its warnings; SourceError with its errors."""
    environment = os.environ | {"LC_ALL": "C"}
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(
            command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        try:
            for line in process.stdout or ():
                if status := STATUS.match(line):
                    reporter.progress(label, float(status["percent"]) / 100)
            status_code = process.wait()
        except BaseException:
            process.kill()  # leaving the block would wait for it
            raise
        errors.seek(0)
        said = errors.read().splitlines()
    if status_code != 0:
        reasons = [line for line in said if line.startswith("E:")] or said
        raise SourceError(f"{command[0]}: {' '.join(reasons)}")
    return said
