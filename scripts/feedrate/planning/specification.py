"""A cell's specification: everything that can change its number, resolved."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from feedrate.canonical import digest
from feedrate.code_digest import code_digest, first_party_closure
from feedrate.configuration.model import Experiment
from feedrate.dataset.registry import FASHION_MNIST
from feedrate.environment.machine import fingerprint, torch_threads
from feedrate.environment.packages import measuring_packages
from feedrate.planning.cells import EVERY_CONDITION, Cell

SPECIFICATION_VERSION = 2

INSTRUMENTED_ARMS = ("instrumented", "leak")
FILE_STEMS = {"training": "rep"}

Specification = dict[str, Any]


@dataclass(frozen=True)
class Surroundings:
    """What all cells of a plan share and the configuration doesn't say."""

    device: str
    threads: int
    machine: Mapping[str, Any]
    packages: Mapping[str, str]
    code: Mapping[str, str]
    user_code: Mapping[str, str]


def surroundings(experiment: Experiment, device: str, scripts: Path, root: Path) -> Surroundings:
    """Read off this machine and the files below `scripts` (ours) and `root` (the user's)."""
    measurement = scripts / "feedrate" / "measurement"
    main = measurement / "__main__.py"
    return Surroundings(
        device=device,
        threads=torch_threads() if experiment.threads == "auto" else experiment.threads,
        machine=fingerprint(),
        packages=measuring_packages(),
        code={
            entry.stem: code_digest(first_party_closure([main, entry], scripts), scripts)
            for entry in sorted((measurement / "arms").glob("*.py"))
        },
        user_code={
            name: digest_of_user_code(steps, root) for name, steps in experiment.conditions.items()
        },
    )


def digest_of_user_code(steps: Any, root: Path) -> str:
    """Digest of the modules below `root` that a condition's dotted paths lead to; "" if none."""
    modules = [
        file
        for path in dotted_paths(steps)
        for file in [root.joinpath(*path.split(".")[:-1]).with_suffix(".py")]
        if file.is_file()
    ]
    return code_digest(first_party_closure(modules, root), root) if modules else ""


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


def specification(cell: Cell, experiment: Experiment, around: Surroundings) -> Specification:
    """Everything that can change the number of `cell`, as plain JSON types."""
    content: Specification = {
        "version": SPECIFICATION_VERSION,
        "arm": cell.arm,
        "condition": _condition(cell.condition, experiment, around),
        "loader": asdict(cell.settings),
        "training": experiment.training.model_dump(),
        "device": device_specification(experiment, around.device),
        "threads": around.threads,
        "seed": experiment.seed,
        "repetition": cell.repetition,
        "dataset": {
            "name": FASHION_MNIST.name,
            "digest": FASHION_MNIST.digest,
            "images": experiment.dataset.images,
        },
        "code": around.code[cell.arm],
        "machine": dict(around.machine),
        "packages": dict(around.packages),
    }
    if cell.session:
        content["session"] = cell.session
    if cell.arm in INSTRUMENTED_ARMS:
        content["sample_seconds"] = experiment.resources.sample_seconds
    if cell.arm == "leak" and experiment.resources.leak:
        content["training"]["epochs"] = experiment.resources.leak.epochs
    return content


def _condition(name: str, experiment: Experiment, around: Surroundings) -> dict[str, Any] | None:
    if name == EVERY_CONDITION:
        return None
    return {
        "name": name,
        "api": experiment.transforms_api,
        "transforms": experiment.conditions[name],
        "user_code": around.user_code[name],
    }


def device_specification(experiment: Experiment, device: str) -> dict[str, Any]:
    """The device, with the rate that an emulated one stands for."""
    emulated = experiment.emulated.model_dump() if device == "emulated" else {}
    return {"name": device} | emulated


def cell_path(cell: Cell, content: Specification) -> str:
    """The cell's place below the results folder; another specification has another one."""
    without_loader = cell.arm in ("step", "resident")
    return "/".join(
        (
            "cells",
            cell.condition or "every-condition",
            f"batch-{cell.settings.batch_size}" if without_loader else cell.settings.slug,
            f"{FILE_STEMS.get(cell.arm, cell.arm)}-{cell.repetition}-{digest(content)[:12]}.json",
        )
    )
