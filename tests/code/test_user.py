import codecs
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from feedrate.code.user import CodeUnreadable, digest_of_user_code

Write = Callable[[Mapping[str, str]], None]


@pytest.fixture
def digest_of(tmp_path: Path) -> Callable[..., str]:
    """The digest of dotted paths, searched for in folders below the temporary one."""

    def digest_of(*paths: str, search: Sequence[str] = ("",), ours: Sequence[str] = ()) -> str:
        return digest_of_user_code(paths, [str(tmp_path / each) for each in search], ours)

    return digest_of


# --- files ----------------------------------------------------------------------------------------


def test_code_counts_with_what_it_imports(write: Write, digest_of: Callable[..., str]) -> None:
    write({"mine.py": "from helper import f\ndef crop(image): return f(image)\n"})
    write({"helper.py": "def f(image): return image\n"})
    before = digest_of("mine.crop")
    write({"helper.py": "def f(image):\n    # says why\n    return image\n"})
    assert digest_of("mine.crop") == before
    write({"helper.py": "def f(image): return image.copy()\n"})
    assert digest_of("mine.crop") != before


def test_without_code_of_a_users_there_is_no_digest(digest_of: Callable[..., str]) -> None:
    assert digest_of() == ""
    assert digest_of("json.loads") == ""  # Python's own, which the specification names
    assert digest_of("no_such_module.crop") == ""  # the rehearsal tells


PACKAGE = {
    "mine/__init__.py": "from .crops import crop\nSIZE = 3\n",
    "mine/crops.py": "from . import sizes\nfrom .deep.more import pad\nEDGE = 1\ncrop = 1\n",
    "mine/sizes.py": "SIZE = 28\n",
    "mine/deep/__init__.py": "",
    "mine/deep/more.py": "from ..far import pad\n",
    "mine/far.py": "pad = 5\n",
    "mine/unused.py": "x = 1\n",
}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("mine/crops.py", "EDGE = 1", "EDGE = 2"),
        ("mine/__init__.py", "SIZE = 3", "SIZE = 4"),
        ("mine/sizes.py", "28", "32"),
        ("mine/deep/__init__.py", "", "import os\n"),
        ("mine/far.py", "5", "6"),
    ],
)
def test_a_package_counts_with_all_that_it_imports(
    file: str, old: str, new: str, write: Write, digest_of: Callable[..., str]
) -> None:
    write(PACKAGE)
    before = digest_of("mine.crop")
    write({file: PACKAGE[file].replace(old, new) if old else new})
    assert digest_of("mine.crop") != before


def test_a_module_that_nobody_imports_does_not_count(
    write: Write, digest_of: Callable[..., str]
) -> None:
    write(PACKAGE)
    before = digest_of("mine.crop")
    write({"mine/unused.py": "x = 2\n"})
    assert digest_of("mine.crop") == before
    assert digest_of("mine.crop", "mine.unused.x") != before


def test_a_namespace_package_has_modules_and_no_file(
    write: Write, digest_of: Callable[..., str]
) -> None:
    write({"one/space/crops.py": "EDGE = 1\n", "two/space/pads.py": "EDGE = 1\n"})
    search = ("one", "two")
    before = digest_of("space.crops.crop", "space.pads.pad", search=search)
    for file in ("one/space/crops.py", "two/space/pads.py"):
        write({file: "EDGE = 2\n"})
        after = digest_of("space.crops.crop", "space.pads.pad", search=search)
        assert after != before
        before = after


def test_the_first_folder_in_which_it_lies_counts(
    write: Write, digest_of: Callable[..., str]
) -> None:
    write({"one/mine.py": "x = 1\n", "two/mine.py": "x = 2\n"})
    before = digest_of("mine.x", search=("one", "two"))
    write({"two/mine.py": "x = 3\n"})
    assert digest_of("mine.x", search=("one", "two")) == before
    assert digest_of("mine.x", search=("two", "one")) != before


def test_the_folder_does_not_count(write: Write, digest_of: Callable[..., str]) -> None:
    write({"one/mine.py": "x = 1\n", "two/mine.py": "x = 1\n"})
    assert digest_of("mine.x", search=("one",)) == digest_of("mine.x", search=("two",))


def test_what_is_compiled_counts_by_its_bytes(
    write: Write, digest_of: Callable[..., str], tmp_path: Path
) -> None:
    from importlib.machinery import EXTENSION_SUFFIXES

    write({"mine.py": "import quick\n"})
    library = tmp_path / f"quick{EXTENSION_SUFFIXES[0]}"
    library.write_bytes(b"\x7fELF one")
    before = digest_of("mine.x")
    library.write_bytes(b"\x7fELF two")
    assert digest_of("mine.x") != before


# --- what can't be read ---------------------------------------------------------------------------


def test_a_syntax_error_is_reported_with_file_and_line(
    write: Write, digest_of: Callable[..., str], tmp_path: Path
) -> None:
    write({"mine.py": "import helper\n", "helper.py": "x = 1\ndef f(:\n"})
    with pytest.raises(CodeUnreadable) as caught:
        digest_of("mine.crop")
    assert str(caught.value).startswith(f"{tmp_path / 'helper.py'}:2: isn't Python")


def test_another_encoding_is_reported_with_file_and_line(
    digest_of: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_bytes("x = 1\n\ny = 'größer'\n".encode("latin-1"))
    with pytest.raises(CodeUnreadable) as caught:
        digest_of("mine.crop")
    assert str(caught.value).startswith(f"{tmp_path / 'mine.py'}:3: isn't Python")
    assert "UTF-8" in str(caught.value)


def test_an_encoding_that_is_declared_is_read(
    digest_of: Callable[..., str], tmp_path: Path
) -> None:
    text = "# coding: latin-1\nx = 'größer'\n"
    (tmp_path / "mine.py").write_bytes(text.encode("latin-1"))
    assert digest_of("mine.x")


def test_a_byte_order_mark_is_not_a_mistake(digest_of: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(b"x = 1\n")
    without = digest_of("mine.x")
    (tmp_path / "mine.py").write_bytes(codecs.BOM_UTF8 + b"x = 1\n")
    assert digest_of("mine.x") == without


def test_a_file_with_null_bytes_is_reported(digest_of: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(b"x = 1\0\n")
    with pytest.raises(CodeUnreadable, match=r"mine\.py"):
        digest_of("mine.x")


# --- installed ------------------------------------------------------------------------------------


def install(write: Write, version: str = "1.0", record: str = "sha256=a") -> None:
    """A distribution `Quick-Crops` with the package `crops`, as pip lays it out."""
    info = "env/site-packages/quick_crops-1.0.dist-info"
    write(
        {
            "env/site-packages/crops/__init__.py": "EDGE = 1\n",
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: Quick-Crops\nVersion: {version}\n",
            f"{info}/RECORD": f"crops/__init__.py,{record},9\n",
        }
    )


SEARCH = ("", "env/site-packages")


@pytest.mark.parametrize("path", ["mine.crop", "crops.EDGE"])
def test_an_installed_package_counts_by_version_and_record(
    path: str, write: Write, digest_of: Callable[..., str]
) -> None:
    write({"mine.py": "from crops import EDGE\n"})
    install(write)
    before = digest_of(path, search=SEARCH)
    write({"env/site-packages/crops/__init__.py": "EDGE = 2  # its RECORD would tell\n"})
    assert digest_of(path, search=SEARCH) == before
    install(write, version="1.1")
    newer = digest_of(path, search=SEARCH)
    install(write, record="sha256=b")
    assert len({before, newer, digest_of(path, search=SEARCH)}) == 3


def test_what_an_installed_package_requires_counts_too(
    write: Write, digest_of: Callable[..., str]
) -> None:
    install(write)
    metadata = "env/site-packages/quick_crops-1.0.dist-info/METADATA"
    needs = "Requires-Dist: Slow_Pixels>=1\nRequires-Dist: unused; extra == 'all'\n"
    write({metadata: f"Metadata-Version: 2.1\nName: Quick-Crops\nVersion: 1.0\n{needs}"})

    def version_of(name: str, version: str) -> str:
        info = f"env/site-packages/{name}.dist-info/METADATA"
        write({info: f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"})
        return digest_of("crops.EDGE", search=SEARCH)

    assert version_of("slow-pixels", "1.0") != version_of("slow-pixels", "1.1")
    assert version_of("unused", "1.0") == version_of("unused", "1.1")


@pytest.mark.parametrize("name", ["Quick-Crops", "quick_crops"])
def test_a_package_that_the_specification_names_counts_there(
    name: str, write: Write, digest_of: Callable[..., str]
) -> None:
    install(write)
    assert digest_of("crops.EDGE", search=SEARCH, ours=[name]) == ""


def test_a_file_among_installed_ones_that_nobody_installed_counts_itself(
    write: Write, digest_of: Callable[..., str]
) -> None:
    install(write)
    write({"env/site-packages/copied.py": "x = 1\n"})
    before = digest_of("copied.x", search=SEARCH)
    assert before
    write({"env/site-packages/copied.py": "x = 2\n"})
    assert digest_of("copied.x", search=SEARCH) != before


def test_an_editable_installation_by_its_path_counts_by_its_files(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(write)
    write({"elsewhere/src/crops/__init__.py": "EDGE = 1\n"})
    write({"site-packages/__editable__.crops-1.0.pth": str(tmp_path / "elsewhere/src") + "\n"})
    monkeypatch.setattr(sys, "path", [*sys.path])
    import site

    site.addsitedir(str(tmp_path / "site-packages"))
    before = digest_of_user_code(["crops.EDGE"], sys.path, [])
    write({"elsewhere/src/crops/__init__.py": "EDGE = 2\n"})
    assert digest_of_user_code(["crops.EDGE"], sys.path, []) != before


class EditableFinder(MetaPathFinder):
    """As setuptools makes one: it knows where the top-level packages of a project lie."""

    def __init__(self, places: Mapping[str, Path]) -> None:
        self.places = places

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self.places:
            return None
        return importlib.util.spec_from_file_location(name, self.places[name] / "__init__.py")


@pytest.mark.parametrize("file", ["__init__.py", "crops.py"])
def test_an_editable_installation_by_a_finder_counts_by_its_files(
    file: str,
    write: Write,
    digest_of: Callable[..., str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write({"src/mine/__init__.py": "from .crops import crop\n", "src/mine/crops.py": "crop = 1\n"})
    finder = EditableFinder({"mine": tmp_path / "src/mine"})
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, finder])
    before = digest_of("mine.crop")
    assert before
    (tmp_path / "src/mine" / file).write_text("from .crops import crop as other\ncrop = 2\n")
    assert digest_of("mine.crop") != before
