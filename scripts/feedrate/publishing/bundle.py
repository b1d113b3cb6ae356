"""A published folder as one archive: packed to the same bytes each time, unpacked with care."""

import io
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from feedrate.files import write_atomically
from feedrate.publishing.checksums import BUNDLE, files_below
from feedrate.reading import sha256

LIMIT_BYTES = 200_000_000
"""No published folder is larger, unpacked; an archive that is may be meant to fill the disk."""

_OLDEST = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


class BundleError(Exception):
    """An archive can't be used; the message names it, says why and what to do."""


def bundle_files(bundles: Iterable[str]) -> list[str]:
    """The files that published bundles consist of: each itself, or all in its folder."""
    paths = [
        path
        for bundle in map(Path, bundles)
        for path in (sorted(bundle.rglob("*")) if bundle.is_dir() else [bundle])
    ]
    return [str(path) for path in paths if not path.is_dir()]


def write_bundle(folder: Path, target: Path) -> None:
    """Pack all files below `folder` but bundle.zip; the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, path in files_below(folder).items():
            if name != BUNDLE:
                archive.writestr(_member(name), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    write_atomically(target, packed.getvalue())


def _member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, _OLDEST)
    member.create_system = _UNIX
    member.external_attr = (stat.S_IFREG | 0o644) << 16
    return member


@contextmanager
def open_bundle(path: Path) -> Iterator[Path]:
    """The folder that `path` is, or a temporary one that the archive `path` is unpacked to.

    BundleError for an archive that is damaged, leads out of its folder or is too large.
    """
    if path.is_dir():
        yield path
        return
    if not path.is_file():
        raise BundleError(f"{path} doesn't exist: name a {BUNDLE}, or the folder it unpacks to")
    with tempfile.TemporaryDirectory(prefix="feedrate-bundle-") as name:
        _unpack(path, Path(name))
        yield Path(name)


def _unpack(path: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if problems := list(_problems(members)):
                raise BundleError(f"{path} is refused: {'; '.join(problems)}")
            for member in members:
                if not member.is_dir():
                    _write_member(archive, member, folder / member.filename)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BundleError(f"{path} isn't an intact {BUNDLE} ({error}): get it again") from None
    except OSError as error:
        raise BundleError(f"{path} can't be unpacked: {error}") from None


def _write_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # zipfile reads no more than the size that it announces.
    with archive.open(member) as packed, file.open("xb") as unpacked:
        shutil.copyfileobj(packed, unpacked)


def _problems(members: Sequence[zipfile.ZipInfo]) -> Iterator[str]:
    for member in members:
        path = PurePosixPath(member.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in member.filename or not path.parts:
            yield f"{member.filename!r} leads out of the folder"
        elif stat.S_ISLNK(member.external_attr >> 16):
            yield f"{member.filename!r} is a symbolic link"
    size = sum(member.file_size for member in members)
    if size > LIMIT_BYTES:
        yield f"it unpacks to {size:,} bytes, and at most {LIMIT_BYTES:,} are accepted"


def bundle_differences(folder: Path) -> list[str]:
    """A sentence for every file in which bundle.zip, if it is there, differs from `folder`."""
    if not (folder / BUNDLE).exists():
        return []
    try:
        with open_bundle(folder / BUNDLE) as unpacked:
            packed, beside = _digests(unpacked), _digests(folder)
    except BundleError as error:
        return [str(error)]
    names = sorted(packed.keys() | beside.keys())
    return [
        f"{name} in {BUNDLE} isn't the one beside it"
        for name in names
        if packed.get(name) != beside.get(name)
    ]


def _digests(folder: Path) -> dict[str, str]:
    return {name: sha256(path) for name, path in files_below(folder).items() if name != BUNDLE}
