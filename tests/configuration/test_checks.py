from pathlib import Path
from typing import Any

import pytest
import yaml

from feedrate.configuration.checks import ConfigurationError, message, read_experiment
from feedrate.configuration.mistakes import Problem
from feedrate.configuration.places import read_places

ROOT = Path(__file__).resolve().parents[2]

GOOD = """\
conditions:
  light: [ToTensor]
sweeps:
  workers: {conditions: [light], num_workers: [0, 2], repetitions: 3}
"""


def complaints(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "config.yaml"
    file.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        read_experiment(yaml.safe_load(text), read_places([file]))
    return [line.strip().removeprefix(f"{file}:") for line in str(caught.value).splitlines()[1:]]


def test_the_articles_configuration_is_accepted() -> None:
    file = ROOT / "config.yaml"
    experiment = read_experiment(yaml.safe_load(file.read_text()), read_places([file]))
    assert experiment.sweeps["workers"].levels["num_workers"] == [0, 1, 2, 4, 8, 12, 16]
    assert experiment.dataset.images == "all"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("light: [ToTensor]", "light: [ToTensr]", ["2:", "light[0]", "did you mean ToTensor?"]),
        ("[ToTensor]", "[{Resize: {sise: 28}}]", ["2:", "sise", "did you mean size?", "antialias"]),
        ("[ToTensor]", "[RandomRotation]", ["2:", "needs the argument degrees"]),
        ("[ToTensor]", "nodots", ["2:", "isn't a dotted path", "package.module.name"]),
        ("[ToTensor]", "[]", ["2:", "must be a list of transforms"]),
        ("conditions: [light]", "conditions: [lihgt]", ["4:", "did you mean light?"]),
        ("repetitions: 3", "repetitions: 0", ["4:", "is 0", "greater than or equal to 1"]),
        ("[0, 2]", "[0, -2]", ["4:", "num_workers[1]", "is -2"]),
        ("[0, 2]", "['2']", ["4:", "num_workers[0]", "whole number"]),
        ("repetitions: 3", "repetition: 3", ["4:", "did you mean repetitions?"]),
        ("  light:", "  Light:", ["2:", "lower-case"]),
        (GOOD, GOOD + "device: gpu\n", ["5:", "'gpu'", "cuda"]),
        (GOOD, GOOD + "dataset: {sources: [local]}\n", ["local_folder", "is required"]),
    ],
)
def test_a_mistake_is_reported_with_its_place_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, expected: list[str]
) -> None:
    told = complaints(tmp_path, GOOD.replace(old, new))
    assert any(all(part in line for part in expected) for line in told), told


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("ToTensor", "Tensor").replace("repetitions: 3", "repetitions: x")
    told = complaints(tmp_path, text + "devise: cpu\n")
    assert len(told) == 3


def test_a_later_file_is_where_a_mistake_is_shown(tmp_path: Path) -> None:
    base, overlay = tmp_path / "config.yaml", tmp_path / "overlay.yaml"
    base.write_text(GOOD)
    overlay.write_text("\nsweeps:\n  workers: {repetitions: 0}\n")
    problem = Problem(("sweeps", "workers", "repetitions"), "is 0")
    assert f"{overlay}:3: sweeps.workers.repetitions: is 0" in message(
        [problem], read_places([base, overlay])
    )


def test_a_transform_of_ones_own_takes_named_arguments(tmp_path: Path) -> None:
    (told,) = complaints(tmp_path, GOOD.replace("[ToTensor]", "[{mine.Turn: [15]}]"))
    assert "mine.Turn takes named arguments, as in `mine.Turn: {argument: …}`" in told


@pytest.mark.parametrize("api", ["v1", "v2"])
def test_nested_transforms_are_checked(tmp_path: Path, api: str) -> None:
    steps = "[{RandomApply: {transforms: [Foo]}}]"
    told = complaints(tmp_path, GOOD.replace("[ToTensor]", steps) + f"transforms_api: {api}\n")
    assert any("RandomApply.transforms[0]" in line and "'Foo'" in line for line in told)


def test_one_level_of_a_factor_needs_no_brackets() -> None:
    raw: dict[str, Any] = yaml.safe_load(GOOD)
    raw["sweeps"]["workers"]["num_workers"] = 2
    assert read_experiment(raw, read_places([])).sweeps["workers"].levels["num_workers"] == [2]
