"""What the data set is, byte for byte, and who hands it out."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DataFile:
    """One extracted file. Archives differ between sources by their gzip headers: not pinned."""

    name: str
    size: int
    """Bytes."""
    sha256: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set that torchvision reads from `<root>/<name>/raw/`."""

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
        """SHA-256 (hex) over the names and contents of all files, in an order of their own."""
        contents = sorted([file.name, file.sha256] for file in self.files)
        return hashlib.sha256(json.dumps(contents, separators=(",", ":")).encode()).hexdigest()

    @property
    def folder_name(self) -> str:
        """The folder's name, which changes with the content: `<slug>-<12 hex>`."""
        return f"{self.slug}-{self.digest[:12]}"

    def raw_folder(self, destination: Path) -> Path:
        """Where torchvision looks for the extracted files below its `root`."""
        return destination / self.name / "raw"


FASHION_MNIST = Dataset(
    name="FashionMNIST",
    slug="fashion-mnist",
    files=(
        DataFile(
            name="train-images-idx3-ubyte",
            size=47_040_016,
            sha256="c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
        ),
        DataFile(
            name="train-labels-idx1-ubyte",
            size=60_008,
            sha256="bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
        ),
        DataFile(
            name="t10k-images-idx3-ubyte",
            size=7_840_016,
            sha256="5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
        ),
        DataFile(
            name="t10k-labels-idx1-ubyte",
            size=10_008,
            sha256="0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
        ),
    ),
    # torchvision.datasets.FashionMNIST.mirrors
    mirrors=("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",),
    debian_package="dataset-fashion-mnist",
    debian_folder="usr/share/datasets/fashion-mnist",
)
