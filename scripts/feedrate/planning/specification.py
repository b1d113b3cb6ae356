"""A cell's specification: everything that can change its number, resolved."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from feedrate.canonical import digest
from feedrate.code.behaviour import reached_digest
from feedrate.code.user import digest_of_user_code
from feedrate.configuration.model import Experiment
from feedrate.environment.machine import fingerprint, torch_threads
from feedrate.environment.packages import MEASURING_PACKAGES, measuring_packages
from feedrate.measurement.arm import Role, Scope
from feedrate.measurement.arms import ARMS
from feedrate.measurement.members import module_of
from feedrate.measurement.workloads import WORKLOADS
from feedrate.planning.cells import Cell

SPECIFICATION_VERSION = 3

Specification = dict[str, Any]


@dataclass(frozen=True)
class Surroundings:
    """What all cells of a plan share beyond the configuration.

    `code` maps an arm and a kind of loader to the digest of what measures with them.
    """

    device: str
    threads: int
    machine: Mapping[str, Any]
    packages: Mapping[str, str]
    code: Mapping[tuple[str, str], str]
    user_code: Mapping[str, str]


class MeasurementCode(dict[tuple[str, str], str]):
    """Digests of the measuring code by arm and kind of loader, computed on demand."""

    def __init__(self, scripts: Path, workload: str, model: str) -> None:
        super().__init__()
        self._scripts = scripts
        self._shared = {"workloads": workload, "models": model}

    def __missing__(self, key: tuple[str, str]) -> str:
        arm, kind = key
        folder = self._scripts / "feedrate" / "measurement"
        entries = [(folder / "__main__.py", "main"), (folder / "run.py", "run")]
        for room, name in ({"arms": arm, "loaders": kind} | self._shared).items():
            file = folder / room / f"{module_of(name)}.py"
            entries += [(file, point) for point in ENTRY_POINTS[room]]
        self[key] = reached_digest(entries, self._scripts)
        return self[key]


ENTRY_POINTS = {
    "arms": ("measure",),
    "loaders": ("make",),
    "models": ("build",),
    "workloads": ("training_images", "as_tensors", "IMAGE_SHAPE", "CLASSES"),
}
"""The attributes of a member that the measuring process looks up in its module."""


def surroundings(
    experiment: Experiment, device: str, scripts: Path, beside: Sequence[Path]
) -> Surroundings:
    """The surroundings here: of this machine, the code in `scripts` and the user's in `beside`."""
    return Surroundings(
        device=device,
        threads=torch_threads() if experiment.threads == "auto" else experiment.threads,
        machine=fingerprint(),
        packages=measuring_packages(),
        code=MeasurementCode(scripts, experiment.workload, model_of(experiment)),
        user_code={
            name: digest_of_user_code(
                dotted_paths(steps), module_folders(scripts, beside), MEASURING_PACKAGES
            )
            for name, steps in experiment.conditions.items()
        },
    )


def module_folders(scripts: Path, beside: Sequence[Path]) -> list[str]:
    """Where the measuring process looks for modules, in its order."""
    return [os.getcwd(), *module_path(scripts, beside), *filter(None, sys.path)]


def module_path(scripts: Path, beside: Sequence[Path]) -> list[str]:
    """PYTHONPATH for all that a run starts: ours, beside the configuration, and the user's own."""
    inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return list(dict.fromkeys([str(scripts), *map(str, beside), *filter(None, inherited)]))


def dotted_paths(steps: Any) -> Iterable[str]:
    """The dotted paths among the transforms of a condition, nested ones included."""
    match steps:
        case str():
            if "." in steps:
                yield steps
        case list():
            for step in steps:
                yield from dotted_paths(step)
        case dict():
            for name, arguments in steps.items():
                yield from dotted_paths(name)
                yield from dotted_paths((arguments or {}).get("transforms"))


def model_of(experiment: Experiment) -> str:
    """The name of the model that is trained."""
    return experiment.training.model or WORKLOADS[experiment.workload].model


def images_of(experiment: Experiment) -> int:
    """How many training images an epoch has."""
    images = experiment.dataset.images
    return WORKLOADS[experiment.workload].images if images == "all" else images


def specification(cell: Cell, experiment: Experiment, around: Surroundings) -> Specification:
    """Everything that can change the number of `cell`, as plain JSON types."""
    arm, workload = ARMS[cell.arm], WORKLOADS[experiment.workload]
    content: Specification = {
        "version": SPECIFICATION_VERSION,
        "arm": cell.arm,
        "condition": None
        if arm.scope is Scope.BATCH
        else {
            "name": cell.condition,
            "api": experiment.transforms_api,
            "transforms": experiment.conditions[cell.condition],
            "user_code": around.user_code[cell.condition],
        },
        "loader": cell.settings.specification,
        "training": experiment.training.model_dump() | {"model": model_of(experiment)},
        "device": device_specification(experiment, around.device),
        "threads": around.threads,
        "seed": experiment.seed,
        "repetition": cell.repetition,
        "workload": {
            "name": experiment.workload,
            "digest": workload.dataset.digest,
            "images": images_of(experiment),
        },
        "code": around.code[cell.arm, cell.settings["kind"]],
        "machine": dict(around.machine),
        "packages": dict(around.packages),
    }
    if cell.session:
        content["session"] = cell.session
    for key, place in arm.settings.items():
        content[key] = reduce(getattr, place, experiment)
    return content


def device_specification(experiment: Experiment, device: str) -> dict[str, Any]:
    """The device, with its rate if it is emulated."""
    emulated = experiment.emulated.model_dump() if device == "emulated" else {}
    return {"name": device} | emulated


def cell_path(cell: Cell, content: Specification) -> str:
    """The cell's path below the results folder; it differs for every specification."""
    arm = ARMS[cell.arm]
    stem = "rep" if arm.role is Role.TIMED else cell.arm
    return "/".join(
        (
            "cells",
            cell.condition or "every-condition",
            cell.settings.slug
            if arm.scope is Scope.SETTINGS
            else f"batch-{cell.settings.batch_size}",
            f"{stem}-{cell.repetition}-{digest(content)[:12]}.json",
        )
    )


def role_of(content: Mapping[str, Any]) -> Role:
    """The role of the arm of a specification."""
    return ARMS[content["arm"]].role
