"""Files that are complete or absent: written to a temporary file beside them, then renamed."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write `content` to `path`; a reader sees the old file or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(0o666 & ~_umask())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_json(path: Path, content: Any) -> None:
    """Write `content` as JSON; ValueError for a number that JSON doesn't have (nan, infinity)."""
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    write_atomically(path, text + "\n")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
