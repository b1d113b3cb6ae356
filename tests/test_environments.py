"""The lock, the direct requirements and the conda files say the same."""

import re
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ENVS = Path(__file__).resolve().parents[1] / "envs"


def direct(name: str) -> list[Requirement]:
    lines = (line.partition("#")[0].strip() for line in (ENVS / name).read_text().splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-r")]


def locked(name: str) -> dict[str, set[str]]:
    pins: dict[str, set[str]] = {}
    for match in re.finditer(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", (ENVS / name).read_text(), re.M):
        pins.setdefault(canonicalize_name(match[1]), set()).add(match[2])
    return pins


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_the_lock_meets_every_direct_requirement(name: str) -> None:
    pins = locked(f"{name}.txt")
    requirements = direct(f"{name}.in")
    assert len(requirements) > 5
    for requirement in requirements:
        versions = pins[canonicalize_name(requirement.name)]
        assert all(version in requirement.specifier for version in versions), requirement


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_every_pin_has_a_hash(name: str) -> None:
    entries = re.split(r"\n(?=[A-Za-z0-9])", (ENVS / f"{name}.txt").read_text())
    pinned = [entry for entry in entries if re.match(r"[A-Za-z0-9._-]+==", entry)]
    assert len(pinned) > 30
    assert all("--hash=sha256:" in entry for entry in pinned)


def test_development_adds_to_the_lock_and_changes_nothing() -> None:
    run, development = locked("requirements.txt"), locked("requirements-dev.txt")
    assert {name: development[name] for name in run} == run


@pytest.mark.parametrize("name", ["measure.yaml", "report.yaml"])
def test_conda_files_pin_what_the_lock_pins(name: str) -> None:
    dependencies = yaml.safe_load((ENVS / name).read_text())["dependencies"]
    (pip,) = (entry["pip"] for entry in dependencies if isinstance(entry, dict))
    pins = locked("requirements.txt")
    pinned = {
        canonicalize_name(requirement.name): {each.version for each in requirement.specifier}
        for requirement in map(Requirement, pip)
    }
    assert pinned
    assert pinned == {name: pins[name] for name in pinned}


def test_torch_and_torchvision_are_a_pair() -> None:
    """The minor version of torchvision is 15 above torch's; others fail when they are imported."""
    pins = locked("requirements.txt")
    (torch,), (torchvision,) = (map(Version, pins[name]) for name in ("torch", "torchvision"))
    assert (torch.major, torch.minor + 15) == (2, torchvision.minor)
