import json
from pathlib import Path

import yaml

from feedrate.configuration.model import Experiment, json_schema

ROOT = Path(__file__).resolve().parents[2]


def test_the_schema_file_is_the_models() -> None:
    written = json.loads((ROOT / "workflow/schemas/config.schema.json").read_text())
    assert written == json_schema(), "run `make schema`"


def test_the_file_has_every_key_of_the_model() -> None:
    raw = yaml.safe_load((ROOT / "config.yaml").read_text())
    whole = Experiment.model_validate(raw).model_dump()
    assert list(raw) == list(whole)
    for section, content in raw.items():
        if isinstance(content, dict) and section not in ("conditions", "sweeps"):
            assert content.keys() == whole[section].keys(), section


def test_the_file_says_what_the_model_defaults_to() -> None:
    raw = yaml.safe_load((ROOT / "config.yaml").read_text())
    # These say what is measured; without them, only the conditions' sweeps would be, or nothing.
    asked = ("conditions", "sweeps", "ceilings", "resources")
    defaults = Experiment.model_validate({section: raw[section] for section in asked})
    assert Experiment.model_validate(raw) == defaults
