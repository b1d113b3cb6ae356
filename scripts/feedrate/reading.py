"""Files that were written: their content as JSON, their digest.

Apart from files.py, which is part of every measurement: what only reads results isn't.
"""

import hashlib
import json
from pathlib import Path
from typing import Any


def read_json(path: Path) -> Any:
    """The content of the JSON file `path`."""
    return json.loads(path.read_text(encoding="utf-8"))


def sha256(path: Path) -> str:
    """SHA-256, in hex, of a file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
