"""What the browser tests need: found, else installed where that can be done, and run."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MODULES = HERE / "node_modules"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class ToolMissing(Exception):
    """A tool isn't there and could not be installed; the message says what to do."""


def chromium() -> str:
    """The browser that FEEDRATE_CHROMIUM names, or one on the path."""
    if named := os.environ.get("FEEDRATE_CHROMIUM"):
        if found := shutil.which(named):
            return found
        raise ToolMissing(f"FEEDRATE_CHROMIUM names no program: {named}")
    return _command(BROWSERS, packages=("chromium", "fonts-dejavu-core"))


def node() -> str:
    return _command(("node", "nodejs"), packages=("nodejs", "npm"))


def java() -> str:
    return _command(("java",), packages=("default-jre-headless",))


def node_modules() -> Path:
    """The folder with the packages of package-lock.json, installed anew after a change of it."""
    node()
    npm = _command(("npm",), packages=("nodejs", "npm"))
    installed, lock = MODULES / ".package-lock.json", HERE / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        # No scripts: those of these packages would fetch a browser or a Java of their own.
        _install(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    return MODULES


def inspect(page: Path, screenshots: Path | None = None) -> dict[str, Any]:
    """What inspect_page.mjs finds on `page`; pictures of it go to the folder `screenshots`."""
    node_modules()
    pictures = ("--screenshots", str(screenshots)) if screenshots else ()
    arguments = ("--chromium", chromium(), "--page", str(page), *pictures)
    findings: dict[str, Any] = _json([node(), str(HERE / "inspect_page.mjs"), *arguments])
    return findings


def check_html(page: Path) -> list[dict[str, Any]]:
    """The messages of the Nu HTML checker: errors, warnings and remarks alike."""
    jar = node_modules() / "vnu-jar" / "build" / "dist" / "vnu.jar"
    options = ("--format", "json", "--stdout", "--exit-zero-always")
    report: dict[str, Any] = _json([java(), "-jar", str(jar), *options, str(page)])
    return list(report["messages"])


def _command(names: Sequence[str], packages: Sequence[str]) -> str:
    """The first of `names` on the path; without any, Debian's `packages` are installed."""
    if found := _on_path(names):
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _refresh_package_lists()
        _install("apt-get", "install", "-y", *packages)
        if found := _on_path(names):
            return found
    raise ToolMissing(
        f"the browser tests need {' or '.join(names)}. On Debian: apt-get install "
        f"{' '.join(packages)}. To leave these tests out: pytest -m 'not browser'"
    )


def _on_path(names: Sequence[str]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


@cache
def _refresh_package_lists() -> None:
    _install("apt-get", "update")


def _install(*command: str) -> None:
    """Run `command` and say so: it takes a while, and changes the machine or this folder."""
    print(f"browser tests: {' '.join(command)} ...", file=sys.stderr, flush=True)
    done = subprocess.run(
        command,
        cwd=HERE,
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )
    if done.returncode != 0:
        raise ToolMissing(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}")


def _json(command: Sequence[str]) -> Any:
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stderr}"
    return json.loads(done.stdout)
