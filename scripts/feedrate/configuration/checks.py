"""Find all mistakes in a configuration at once: where they are, and what is allowed there."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from feedrate.configuration.catalogue import Signature, transforms
from feedrate.configuration.mistakes import Problem, allowed, dotted, existing_key, in_words
from feedrate.configuration.model import AutoRepetitions, Experiment, json_schema
from feedrate.configuration.places import Key, Places
from feedrate.measurement.models import MODELS
from feedrate.measurement.workloads import WORKLOADS


class ConfigurationError(Exception):
    """The configuration can't be used; the message lists every reason, a line each."""


def read_experiment(raw: Mapping[str, Any], places: Places) -> Experiment:
    """The experiment that `raw` describes; ConfigurationError lists every mistake."""
    problems = [*_condition_problems(raw), *_reference_problems(raw)]
    experiment = None
    try:
        experiment = Experiment.model_validate(raw)
    except ValidationError as error:
        problems = [*_model_problems(error, raw), *problems]
    if experiment is None or problems:
        raise ConfigurationError(message(problems, places))
    return experiment


def message(problems: Sequence[Problem], places: Places) -> str:
    """All problems as one text, each with its place in the files."""
    count = "1 mistake" if len(problems) == 1 else f"{len(problems)} mistakes"
    lines = (
        f"  {places.of(problem.key)}: {dotted(problem.key)}: {problem.text}" for problem in problems
    )
    return "\n".join([f"The configuration has {count}:", *lines])


# --- what the model finds -------------------------------------------------------------------------


def _model_problems(error: ValidationError, raw: Mapping[str, Any]) -> list[Problem]:
    schema = json_schema()
    texts: dict[Key, list[str]] = {}
    for detail in error.errors(include_url=False):
        key = existing_key(detail, raw)
        if key[0] == "conditions" and len(key) > 1 and detail["loc"][-1] != "[key]":
            continue  # _condition_problems says it better
        texts.setdefault(key, []).append(in_words(key, detail, schema))
    return [Problem(key, ", or ".join(dict.fromkeys(found))) for key, found in texts.items()]


# --- what needs more than one key, or torchvision -------------------------------------------------


def _reference_problems(raw: Mapping[str, Any]) -> Iterator[Problem]:
    conditions, sweeps = _mapping(raw, "conditions"), _mapping(raw, "sweeps")
    naming: dict[Key, Any] = {("sweeps", name): sweep for name, sweep in sweeps.items()}
    naming["resources", "leak"] = _mapping(raw, "resources").get("leak")
    for key, section in naming.items():
        named = section.get("conditions") if isinstance(section, Mapping) else None
        for index, condition in enumerate(named if isinstance(named, list) else []):
            if condition not in conditions:
                yield Problem(
                    (*key, "conditions", index),
                    f"{condition!r} isn't a condition; {allowed(condition, map(str, conditions))}",
                )
    auto = _mapping(raw, "auto_repetitions")
    minimum, maximum = (
        auto.get(key, AutoRepetitions.model_fields[key].default) for key in ("minimum", "maximum")
    )
    if isinstance(minimum, int) and isinstance(maximum, int) and minimum > maximum:
        yield Problem(
            ("auto_repetitions", "maximum"), f"is {maximum}, less than the minimum, {minimum}"
        )
    compared = _mapping(raw, "report").get("compare")
    for index, bundle in enumerate(compared if isinstance(compared, list) else []):
        if isinstance(bundle, str) and not Path(bundle).exists():
            yield Problem(
                ("report", "compare", index),
                f"{bundle!r} doesn't exist; give the path of a bundle.zip that `make publish` "
                "wrote, or of the folder that it unpacks to",
            )
    yield from _workload_problems(raw)
    dataset = _mapping(raw, "dataset")
    if dataset.get("sources") == ["local"] and not dataset.get("local_folder"):
        yield Problem(("dataset", "local_folder"), "is required: dataset.sources has only local")


def _workload_problems(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """More images than the chosen workload has, and a model that doesn't fit it."""
    name = raw.get("workload", Experiment.model_fields["workload"].default)
    workload = WORKLOADS.get(name) if isinstance(name, str) else None
    if workload is None:
        return
    images = _mapping(raw, "dataset").get("images")
    if isinstance(images, int) and images > workload.images:
        yield Problem(
            ("dataset", "images"),
            f"is {images}, but {name} has {workload.images} training images; allowed: all, or "
            f"1 to {workload.images}",
        )
    model = MODELS.get(str(_mapping(raw, "training").get("model")))
    if model and (model.image_shape, model.classes) != (workload.image_shape, workload.classes):
        fitting = (
            other
            for other, each in MODELS.items()
            if (each.image_shape, each.classes) == (workload.image_shape, workload.classes)
        )
        yield Problem(("training", "model"), f"doesn't fit {name}; {allowed('', fitting)}")


def _condition_problems(raw: Mapping[str, Any]) -> Iterator[Problem]:
    api = raw.get("transforms_api", "v1")
    known = transforms(api) if api in ("v1", "v2") else {}
    for name, steps in _mapping(raw, "conditions").items():
        key = ("conditions", name)
        if isinstance(steps, str):
            yield from _dotted_problems(key, steps)
        elif isinstance(steps, list) and steps:
            yield from _step_problems(key, steps, known)
        else:
            yield Problem(
                key, "must be a list of transforms, or the dotted path of a callable of your own"
            )


def _step_problems(
    key: Key, steps: Sequence[Any], known: Mapping[str, Signature]
) -> Iterator[Problem]:
    for index, step in enumerate(steps):
        place = (*key, index)
        if isinstance(step, str):
            name, arguments = step, None
        elif isinstance(step, Mapping) and len(step) == 1:
            name, arguments = next(iter(step.items()))
        else:
            yield Problem(place, f"is {step!r}; allowed: a class name, or `Name: {{argument: …}}`")
            continue
        arguments = {} if arguments is None else arguments
        is_own = "." in str(name)
        if is_own:
            yield from _dotted_problems(place, name)
        elif name not in known:
            yield Problem(place, f"{name!r} isn't a transform; {allowed(name, known)}")
            continue
        if not isinstance(arguments, Mapping):
            what = "" if is_own else f"; {allowed('', known[name].arguments)}"
            yield Problem(
                place, f"{name} takes named arguments, as in `{name}: {{argument: …}}`{what}"
            )
        elif is_own:
            continue
        else:
            yield from _argument_problems((*place, name), arguments, known[name])
            nested = arguments.get("transforms")
            if isinstance(nested, list):
                yield from _step_problems((*place, name, "transforms"), nested, known)


def _argument_problems(
    key: Key, arguments: Mapping[str, Any], signature: Signature
) -> Iterator[Problem]:
    if not signature.open_ended:
        for argument in arguments:
            if argument not in signature.arguments:
                yield Problem(
                    (*key, argument), f"unknown argument; {allowed(argument, signature.arguments)}"
                )
    for argument in sorted(signature.required - arguments.keys()):
        yield Problem(key, f"needs the argument {argument}")


def _dotted_problems(key: Key, path: object) -> Iterator[Problem]:
    parts = str(path).split(".")
    if len(parts) < 2 or not all(part.isidentifier() for part in parts):
        yield Problem(
            key, f"{path!r} isn't a dotted path to a callable; write it as package.module.name"
        )


def _mapping(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = raw.get(key)
    return value if isinstance(value, Mapping) else {}
