"""Read files: as JSON, as the dataclasses that were written to them, or as a digest.

Separate from files.py, which every measurement uses; reading results isn't part of measuring.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

Kind = TypeVar("Kind")


def read_json(path: Path) -> Any:
    """The content of the JSON file `path`."""
    return json.loads(path.read_text(encoding="utf-8"))


def read_as(kind: type[Kind], path: Path) -> Kind:
    """The JSON file `path` as the dataclass, or collection of them, that was written to it.

    Keys that the dataclass doesn't have are ignored; ValueError for a file of another form, with
    the place of the first difference.
    """
    try:
        return TypeAdapter(kind).validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = "".join(f", {key}" for key in first["loc"])
        raise ValueError(f"{path.name}{place}: {first['msg']}") from None


def sha256(path: Path) -> str:
    """SHA-256, in hex, of a file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
