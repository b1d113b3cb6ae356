"""The command that acquires the data: a small data set, servers and tools that misbehave."""

import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

import download_dataset
from feedrate.dataset.acquire import acquire, manifest
from feedrate.dataset.integrity import DatasetError, verify
from feedrate.dataset.progress import Reporter, reporter_for
from feedrate.dataset.registry import DataFile, Dataset
from feedrate.dataset.sources import Source
from feedrate.measurement.workloads.fashion_mnist import DATASET as FASHION_MNIST

SCRIPT = Path(download_dataset.__file__)
TRAIN, TRAIN_LABELS = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
TEST, TEST_LABELS = "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"
CONTENTS = {
    TRAIN: bytes(range(256)) * 2000,
    TRAIN_LABELS: b"\1" * 60,
    TEST: bytes(range(255, -1, -1)) * 40,
    TEST_LABELS: b"\2" * 60,  # as long as the other labels
}
TINY = Dataset(
    name="FashionMNIST",
    slug="tiny",
    files=tuple(
        DataFile(name, len(content), hashlib.sha256(content).hexdigest())
        for name, content in CONTENTS.items()
    ),
    mirrors=(),
    debian_package="dataset-tiny",
    debian_folder="usr/share/datasets/tiny",
)

Answer = Callable[[BaseHTTPRequestHandler], None]


def broken_off(content: bytes, sent: int) -> Answer:
    """All of `content` is announced, `sent` bytes of it come."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content[:sent])

    return answer


def body(content: bytes) -> Answer:
    return broken_off(content, len(content))


def status(code: int) -> Answer:
    return lambda request: request.send_error(code)


def interrupted(request: BaseHTTPRequestHandler) -> None:
    """Half of what is announced, then Ctrl-C."""
    broken_off(b"x" * 1000, 500)(request)
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


@dataclass
class Mirror:
    """A server that gives the queued answers first, then the right archives."""

    dataset: Dataset = TINY
    queued: dict[str, list[Answer]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        name = request.path.removeprefix("/").removesuffix(".gz")
        self.requests.append(name)
        queued = self.queued.get(name)
        (queued.pop(0) if queued else body(gzip.compress(CONTENTS[name])))(request)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that a download would have waited between attempts: it doesn't wait."""
    seconds: list[float] = []
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=seconds.append))
    return seconds


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch, pauses: list[float]) -> Iterator[Mirror]:
    """A running server; its `dataset` names it as the only mirror."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    given = Mirror()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            given.answer(self)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        given.dataset = replace(TINY, mirrors=(f"http://127.0.0.1:{server.server_port}/",))
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield given
        server.shutdown()


@pytest.fixture
def destination(tmp_path: Path) -> Path:
    return tmp_path / "data" / TINY.folder_name


def place(folder: Path, contents: dict[str, bytes] = CONTENTS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return folder


def archives(contents: dict[str, bytes] = CONTENTS) -> dict[str, bytes]:
    return {f"{name}.gz": gzip.compress(content) for name, content in contents.items()}


def download(
    destination: Path,
    *sources: str,
    dataset: Dataset = TINY,
    local_folder: Path | str = "",
) -> int:
    """Run the command; its exit status."""
    arguments = ["--destination", str(destination), "--sources", *sources]
    arguments += ["--local-folder", str(local_folder)]
    return download_dataset.main(arguments, {"fashion-mnist": dataset})


def assert_complete(destination: Path) -> None:
    raw = destination / "FashionMNIST" / "raw"
    assert {path.name: path.read_bytes() for path in raw.iterdir()} == CONTENTS
    assert sorted(os.listdir(destination)) == ["FashionMNIST", "manifest.json"]
    assert_nothing_beside(destination)


def assert_nothing_beside(destination: Path) -> None:
    assert [path for path in destination.parent.iterdir() if path != destination] == []


class TestMirrors:
    def test_makes_what_torchvision_reads_and_a_manifest(
        self, mirror: Mirror, destination: Path
    ) -> None:
        assert download(destination, "mirrors", dataset=mirror.dataset) == 0
        assert_complete(destination)
        manifest = json.loads((destination / "manifest.json").read_text())
        assert manifest["name"] == "FashionMNIST"
        assert manifest["digest"] == TINY.digest
        assert {file["name"]: file["size"] for file in manifest["files"]} == {
            name: len(content) for name, content in CONTENTS.items()
        }

    def test_tries_again_after_passing_failures(
        self,
        mirror: Mirror,
        pauses: list[float],
        destination: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        mirror.queued[TRAIN] = [status(503), broken_off(b"x" * 1000, 10)]
        assert download(destination, "mirrors", dataset=mirror.dataset) == 0
        assert_complete(destination)
        assert mirror.requests[:4] == [TRAIN, TRAIN, TRAIN, TRAIN_LABELS]
        assert pauses == [1, 2]
        url = f"{mirror.dataset.mirrors[0]}{TRAIN}.gz"
        told = capsys.readouterr().err
        assert f"failed: {url}: 503 Server Error: Service Unavailable\n" in told
        assert f"failed: {url}: IncompleteRead(10 bytes read, 990 more expected)\n" in told

    def test_a_file_that_no_mirror_has_is_reported_with_the_reason_of_each(
        self, mirror: Mirror, destination: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        mirror.queued[TEST] = [broken_off(b"x" * 1000, 10)] * 9
        (url,) = mirror.dataset.mirrors
        dataset = replace(TINY, mirrors=(url, "http://127.0.0.1:9/"))
        assert download(destination, "mirrors", dataset=dataset) == 1
        assert mirror.requests.count(TEST) == 3
        error = capsys.readouterr().err.partition("error: ")[2]
        assert f"  mirrors: {url}{TEST}.gz: IncompleteRead(10 bytes read, 990 more" in error
        assert f"; http://127.0.0.1:9/{TEST}.gz: [Errno " in error
        assert "] Connection refused\n" in error
        assert_nothing_beside(destination)
        assert not destination.exists()

    def test_the_next_mirror_gives_what_one_does_not_have(
        self, mirror: Mirror, destination: Path
    ) -> None:
        mirror.queued[TRAIN] = [status(404)] * 3
        twice = replace(TINY, mirrors=mirror.dataset.mirrors * 2)
        assert download(destination, "mirrors", dataset=twice) == 0
        assert_complete(destination)
        assert mirror.requests.count(TRAIN) == 4

    def test_does_not_wait_for_a_silent_server(
        self, mirror: Mirror, destination: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("pooch.downloaders.DEFAULT_TIMEOUT", 0.1)
        mirror.queued[TRAIN] = [lambda _: time.sleep(0.5)]
        assert download(destination, "mirrors", dataset=mirror.dataset) == 0
        assert_complete(destination)

    def test_reports_its_progress(
        self, mirror: Mirror, destination: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        mirror.queued[TRAIN] = [body(gzip.compress(CONTENTS[TRAIN], compresslevel=0))]
        assert download(destination, "mirrors", dataset=mirror.dataset) == 0
        assert capsys.readouterr().err.splitlines() == [
            "Trying mirrors",
            f"{TRAIN}.gz 50 %",  # after the first 256 of 500 KB
            *(f"{name}.gz 100 %" for name in CONTENTS),
            f"{destination} is complete, from mirrors",
        ]

    def test_an_interrupted_download_leaves_nothing(
        self, mirror: Mirror, destination: Path
    ) -> None:
        mirror.queued[TEST] = [interrupted]
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # perhaps ignored so far
        try:
            with pytest.raises(KeyboardInterrupt):
                download(destination, "mirrors", dataset=mirror.dataset)
        finally:
            signal.signal(signal.SIGINT, heard)
        assert mirror.requests == [TRAIN, TRAIN_LABELS, TEST]
        assert list(destination.parent.iterdir()) == []

    @pytest.mark.parametrize(
        ("sent", "reason"),
        [
            (gzip.compress(CONTENTS[TRAIN])[:-9], "corrupt or truncated archive"),
            (b"<html>Please log in</html>", "corrupt or truncated archive"),
            (gzip.compress(CONTENTS[TRAIN])[:20] + b"\xff" * 500, "corrupt or truncated archive"),
            (gzip.compress(CONTENTS[TRAIN][:-7]), "truncated: 511,993 bytes instead of 512,000"),
            (gzip.compress(CONTENTS[TRAIN] + b"1"), "too long"),
            (gzip.compress(b"\0" * len(CONTENTS[TRAIN])), "wrong content: SHA-256"),
            (gzip.compress(CONTENTS[TEST]), f"holds the content of {TEST}"),
        ],
    )
    def test_wrong_content_is_named_and_the_next_source_is_used(
        self,
        mirror: Mirror,
        destination: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        sent: bytes,
        reason: str,
    ) -> None:
        mirror.queued[TRAIN] = [body(sent)] * 3
        local = place(tmp_path / "local")
        arguments = partial(download, destination, dataset=mirror.dataset, local_folder=local)
        assert arguments("mirrors", "local") == 0
        assert_complete(destination)
        stderr = capsys.readouterr().err
        assert mirror.requests == [TRAIN] * 3
        assert f"  mirrors: {mirror.dataset.mirrors[0]}{TRAIN}.gz: {TRAIN}.gz " in stderr
        assert reason in stderr


class TestLocalFolder:
    @pytest.mark.parametrize("subfolder", ["", "raw", "FashionMNIST/raw"])
    @pytest.mark.parametrize("contents", [CONTENTS, archives()], ids=["extracted", "archives"])
    def test_is_read_in_every_usual_layout(
        self, destination: Path, tmp_path: Path, subfolder: str, contents: dict[str, bytes]
    ) -> None:
        place(tmp_path / "local" / subfolder, contents)
        assert download(destination, "local", local_folder=tmp_path / "local") == 0
        assert_complete(destination)

    def test_an_intact_archive_makes_up_for_a_broken_extracted_file(
        self, destination: Path, tmp_path: Path
    ) -> None:
        local = place(tmp_path / "local", archives() | {TRAIN: b"half"})
        assert download(destination, "local", local_folder=local) == 0
        assert_complete(destination)

    def test_every_wrong_file_is_named(
        self, destination: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        swapped = {TRAIN_LABELS: CONTENTS[TEST_LABELS], TEST_LABELS: CONTENTS[TRAIN_LABELS]}
        local = place(tmp_path / "local", swapped | {TRAIN: CONTENTS[TRAIN][:-1]})
        assert download(destination, "local", local_folder=local) == 1
        stderr = capsys.readouterr().err
        assert f"{TRAIN_LABELS} holds the content of {TEST_LABELS}" in stderr
        assert f"{TEST_LABELS} holds the content of {TRAIN_LABELS}" in stderr
        assert f"{TRAIN} is truncated: 511,999 bytes instead of 512,000" in stderr
        assert f"{TEST} is missing" in stderr


FAKE_APT_GET = """#!/bin/sh
# Knows the package only once `update` has filled a list folder given on the command line.
echo "$@" >> "$LOG"
lists=/nonexistent
for word in "$@"; do
    case "$word" in Dir::State::lists=*) lists="${word#*=}";; esac
done
for word in "$@"; do
    if [ "$word" = update ]; then
        touch "$lists/filled"
        echo "dlstatus:1:50.0:Retrieving"
        echo "W: Failed to fetch a list: offline" >&2
        exit 0
    fi
done
if [ -n "$APT_KNOWS_NOTHING" ] || [ ! -e "$lists/filled" ]; then
    echo "W: noise" >&2
    echo "E: Unable to locate package" >&2
    exit 100
fi
touch tiny_1_all.deb
"""
FAKE_DPKG_DEB = """#!/bin/sh
[ -e "$2" ] && mkdir -p "$3" && cp -r "$PACKAGE"/. "$3"
"""


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """apt-get and dpkg-deb that only pretend; the file in which apt-get's calls are logged."""
    for name, text in (("apt-get", FAKE_APT_GET), ("dpkg-deb", FAKE_DPKG_DEB)):
        tool = place(tmp_path / "bin", {name: text.encode()}) / name
        tool.chmod(0o755)
    package = tmp_path / "package"
    place(package / TINY.debian_folder, archives())
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("PACKAGE", str(package))
    monkeypatch.setenv("LOG", str(tmp_path / "apt.log"))
    return tmp_path / "apt.log"


class TestDebianPackage:
    def test_empty_lists_are_filled_once_aside(
        self, debian: Path, destination: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert download(destination, "debian") == 0
        assert_complete(destination)
        first, update, second = debian.read_text().splitlines()
        assert all("Dir::Cache=" in call for call in (first, update, second))
        assert first.endswith("download dataset-tiny")
        assert "Dir::State::lists" not in first
        assert update.endswith("update")
        assert second.endswith("download dataset-tiny")
        assert "package lists 50 %" in capsys.readouterr().err

    def test_unknown_package_is_reported_with_why_the_lists_are_empty(
        self,
        debian: Path,
        destination: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("APT_KNOWS_NOTHING", "1")
        assert download(destination, "debian") == 1
        reason = "apt-get: E: Unable to locate package W: Failed to fetch a list: offline"
        assert f"  debian: {reason}\n" in capsys.readouterr().err
        assert len(debian.read_text().splitlines()) == 3

    def test_system_without_the_tools(
        self, destination: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("PATH", "")
        assert download(destination, "debian") == 1
        assert "this system has no apt-get and no dpkg-deb" in capsys.readouterr().err

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_a_cancelled_job_leaves_nothing(
        self, debian: Path, tmp_path: Path, number: signal.Signals
    ) -> None:
        (tmp_path / "bin" / "apt-get").write_text('#!/bin/sh\ntouch "$LOG"\nexec sleep 60\n')
        temp = tmp_path / "temp"
        temp.mkdir()
        destination = tmp_path / "data" / "fashion-mnist"
        process = subprocess.Popen(
            [sys.executable, SCRIPT, "--destination", destination, "--sources", "debian"],
            env=os.environ | {"TMPDIR": str(temp)},
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 20
        while not debian.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(number)
        _, told = process.communicate(timeout=10)
        assert (process.returncode, told) == (128 + number, "Trying debian\n")
        assert [*destination.parent.iterdir(), *temp.iterdir()] == []


class TestExistingDestination:
    def test_intact_is_left_alone(self, mirror: Mirror, destination: Path) -> None:
        run = partial(download, destination, "mirrors", dataset=mirror.dataset)
        assert run() == 0
        before = (destination.stat(), (destination / "manifest.json").stat(), len(mirror.requests))
        assert run() == 0
        after = (destination.stat(), (destination / "manifest.json").stat(), len(mirror.requests))
        assert after == before

    @pytest.mark.parametrize("manifest", [{}, {"manifest.json": b"{}"}], ids=["none", "wrong"])
    def test_files_placed_by_hand_only_need_the_manifest(
        self, destination: Path, tmp_path: Path, manifest: dict[str, bytes]
    ) -> None:
        place(destination / "FashionMNIST" / "raw")
        place(destination, manifest)
        assert download(destination, "local") == 0
        assert_complete(destination)
        other = tmp_path / "other" / "destination"
        assert download(other, "local", local_folder=destination) == 0
        placed, copied = (folder / "manifest.json" for folder in (destination, other))
        assert placed.read_bytes() == copied.read_bytes()

    @pytest.mark.parametrize(
        "wrong",
        [
            {TRAIN_LABELS: CONTENTS[TEST_LABELS]},
            {"../processed/training.pt": b"", "../processed/test.pt": b""},
        ],
        ids=["swapped", "legacy"],
    )
    def test_broken_is_replaced(
        self, destination: Path, tmp_path: Path, wrong: dict[str, bytes]
    ) -> None:
        (destination / "FashionMNIST" / "processed").mkdir(parents=True)
        place(destination / "FashionMNIST" / "raw", CONTENTS | {"left-over": b""} | wrong)
        assert download(destination, "local", local_folder=place(tmp_path / "local")) == 0
        assert_complete(destination)

    def test_the_commands_that_the_check_names_repair_it(
        self, mirror: Mirror, tmp_path: Path
    ) -> None:
        destination = tmp_path / "two words" / TINY.folder_name
        place(tmp_path / "FOLDER")
        for number in (0, 1):
            place(destination / "FashionMNIST" / "raw", CONTENTS | {TRAIN: CONTENTS[TRAIN][:-1]})
            place(destination, {"manifest.json": manifest(TINY).encode()})
            with pytest.raises(DatasetError) as error:
                verify(destination, TINY)
            commands = re.findall("python scripts/download_dataset.py (.*)", str(error.value))
            command = commands[number].replace("FOLDER", str(tmp_path / "FOLDER"))
            arguments = shlex.split(command)
            datasets = {"fashion-mnist": FASHION_MNIST, TINY.slug: mirror.dataset}
            assert download_dataset.main(arguments, datasets) == 0
            assert_complete(destination)
            verify(destination, TINY)
        assert len(mirror.requests) == len(CONTENTS)

    def test_broken_stays_and_is_named_if_no_source_works(
        self, destination: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        raw = place(destination / "FashionMNIST" / "raw", CONTENTS | {TRAIN: b"half"})
        assert download(destination, "local") == 1
        assert f"{raw / TRAIN} is truncated: 4 bytes" in capsys.readouterr().err
        assert (raw / TRAIN).read_bytes() == b"half"
        assert_nothing_beside(destination)

    def test_empty_folder_made_by_snakemake_is_no_obstacle(
        self, destination: Path, tmp_path: Path
    ) -> None:
        destination.mkdir(parents=True)
        assert download(destination, "local", local_folder=place(tmp_path / "local")) == 0
        assert_complete(destination)

    def test_other_things_are_never_replaced(
        self, destination: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        place(destination, {"thesis.tex": b"years of work"})
        assert download(destination, "local", local_folder=place(tmp_path / "local")) == 1
        assert "also holds thesis.tex" in capsys.readouterr().err
        assert (destination / "thesis.tex").read_bytes() == b"years of work"

    def test_another_process_may_finish_first(self, destination: Path, tmp_path: Path) -> None:
        local = place(tmp_path / "local")
        theirs = destination / "FashionMNIST" / "raw" / TRAIN

        def overtaken(_dataset: Dataset, folder: Path, _reporter: Reporter) -> None:
            assert download(destination, "local", local_folder=local) == 0
            inodes.append(theirs.stat().st_ino)
            place(folder)

        inodes: list[int] = []
        acquire(TINY, destination, [Source("slow", overtaken)], reporter_for(sys.stderr))
        assert_complete(destination)
        assert inodes == [theirs.stat().st_ino]

    def test_only_abandoned_partial_folders_are_removed(
        self, destination: Path, tmp_path: Path
    ) -> None:
        old, young = (destination.parent / f".{destination.name}.partial-{n}" for n in (1, 2))
        for folder in (old, young):
            place(folder, {"part": b""})
        two_days_ago = time.time() - 2 * 24 * 3600
        os.utime(old, (two_days_ago, two_days_ago))
        assert download(destination, "local", local_folder=place(tmp_path / "local")) == 0
        assert (old.exists(), young.exists()) == (False, True)


class TestOffline:
    @pytest.mark.usefixtures("debian", "pauses")
    def test_says_what_failed_and_what_to_place_where(
        self,
        destination: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("APT_KNOWS_NOTHING", "1")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        unreachable = replace(TINY, mirrors=("http://127.0.0.1:9/",))
        sources = ("debian", "mirrors", "local")
        folder = tmp_path / "not there"
        assert download(destination, *sources, dataset=unreachable, local_folder=folder) == 1
        error = capsys.readouterr().err.partition("error: ")[2].splitlines()
        assert [line.split(":")[0].strip() for line in error[1:4]] == list(sources)
        assert "Connection refused" in error[2]
        assert f"{folder} is not a folder" in error[3]
        text = "\n".join(error)
        for file in TINY.files:
            assert f"{file.size:,} bytes  SHA-256 {file.sha256}" in text
        assert f"extracted, into\n  {destination / 'FashionMNIST' / 'raw'}\n" in text
        assert text.endswith(
            f"scripts/download_dataset.py --workload tiny --destination {destination}"
            " --sources local --local-folder FOLDER"
        )


def run_script(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command: Sequence[str | Path] = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )


class TestScript:
    def test_help(self) -> None:
        result = run_script("--help")
        assert (result.returncode, result.stderr) == (0, "")
        assert "--local-folder" in result.stdout

    def test_a_failure_is_a_message_and_a_status(self, tmp_path: Path) -> None:
        place(tmp_path, {"file": b""})
        for destination in (tmp_path / "data", tmp_path / "file", tmp_path / "file" / "data"):
            result = run_script("--destination", destination, "--sources", "local")
            assert result.returncode == 1
            assert "error: " in result.stderr
            assert "Traceback" not in result.stderr

    def test_unknown_source_is_refused_with_the_known_ones(self) -> None:
        result = run_script("--sources", "ftp")
        assert result.returncode == 2
        assert "mirrors" in result.stderr


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("apt-get") and shutil.which("dpkg-deb")), reason="needs apt-get and dpkg-deb"
)
@pytest.mark.parametrize("lists", ["of the system", "empty"])
def test_the_real_package_through_the_script(tmp_path: Path, lists: str) -> None:
    torchvision = pytest.importorskip("torchvision")
    environment = {}
    if lists == "empty":
        (tmp_path / "lists").mkdir()
        config = place(tmp_path, {"apt.conf": f'Dir::State::lists "{tmp_path}/lists";'.encode()})
        environment = {"APT_CONFIG": f"{config}/apt.conf"}
    destination = tmp_path / "data" / FASHION_MNIST.folder_name
    arguments = ("--destination", destination, "--sources", "debian")
    result = run_script(*arguments, **environment)
    assert result.returncode == 0, result.stderr
    assert ("fresh package lists" in result.stderr) == (lists == "empty")
    reader = torchvision.datasets.FashionMNIST
    assert len(reader(str(destination), train=True, download=False)) == 60_000
    assert len(reader(str(destination), train=False, download=False)) == 10_000
    assert tuple(reader.mirrors) == FASHION_MNIST.mirrors
    assert_nothing_beside(destination)
