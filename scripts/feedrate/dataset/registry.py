"""What a dataset is, byte for byte, and where it can be had."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DataFile:
    """One extracted file. Archives aren't pinned: their gzip headers differ between sources."""

    name: str
    size: int
    """Bytes."""
    sha256: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset that torchvision reads from `<root>/<name>/raw/`."""

    name: str
    slug: str
    files: tuple[DataFile, ...]
    mirrors: tuple[str, ...]
    """Addresses, with a final slash, to which `<file name>.gz` is appended."""
    debian_package: str
    debian_folder: str
    """Where the package keeps the archives, relative to the root of the file system."""

    @property
    def digest(self) -> str:
        """SHA-256 (hex) over the names and contents of all files, sorted."""
        contents = sorted([file.name, file.sha256] for file in self.files)
        return hashlib.sha256(json.dumps(contents, separators=(",", ":")).encode()).hexdigest()

    @property
    def folder_name(self) -> str:
        """The folder's name, which changes with the content: `<slug>-<12 hex>`."""
        return f"{self.slug}-{self.digest[:12]}"

    def raw_folder(self, destination: Path) -> Path:
        """Where torchvision looks for the extracted files below its `root`."""
        return destination / self.name / "raw"
