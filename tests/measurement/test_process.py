"""The measuring process among other processes, and what it asks and answers."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from feedrate.measurement.process import forget_foreign_settings

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def python(
    *arguments: str, asked: str = "", modules: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Python with the library, and perhaps the modules in a folder, on its path."""
    path = os.pathsep.join(map(str, [SCRIPTS, *([modules] if modules else [])]))
    return subprocess.run(
        [sys.executable, *arguments],
        input=asked,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


# --- among other processes ------------------------------------------------------------------------


def test_what_others_set_for_openmp_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = ("OMP_NUM_THREADS", "KMP_AFFINITY", "GOMP_CPU_AFFINITY", "MKL_NUM_THREADS")
    for name in (*foreign, "OMPHALOS"):
        monkeypatch.setenv(name, "1")
    forget_foreign_settings()
    assert not os.environ.keys() & set(foreign)
    assert os.environ["OMPHALOS"] == "1"


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux does it")
def test_a_process_whose_parent_is_another_ends_at_once() -> None:
    code = (
        "import sys; from feedrate.measurement.process import die_with; die_with(int(sys.argv[1]))"
    )
    of_another = python("-c", code, str(os.getppid()))
    assert of_another.returncode == 1
    assert "the parent process has ended" in of_another.stderr
    assert python("-c", code, str(os.getpid())).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux does it")
def test_a_process_ends_with_its_parent() -> None:
    child = (
        "import os, time; from feedrate.measurement.process import die_with\n"
        "die_with(os.getppid()); print(os.getpid(), flush=True); time.sleep(600)"
    )
    parent = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.PIPE)\n"
        "print(child.stdout.readline().decode())"
    )
    number = int(python("-c", parent).stdout)
    try:
        psutil.Process(number).wait(timeout=10)
    except psutil.NoSuchProcess:
        return
    except psutil.TimeoutExpired:
        assert psutil.Process(number).status() == psutil.STATUS_ZOMBIE


# --- question and answer --------------------------------------------------------------------------

CONVERSATION = """
import os, subprocess, sys
from feedrate.measurement.process import read_request, take_answer
answer = take_answer()
request = read_request()
print("printed")
subprocess.run(["echo", "printed by a child"])
print(repr(sys.stdin.read()), file=sys.stderr)
with os.fdopen(answer, "w") as stream:
    stream.write(request["word"])
"""


def test_the_answer_stands_alone_and_nothing_is_left_to_read() -> None:
    asked = json.dumps({"parent": os.getpid(), "word": "answered"})
    done = python("-c", CONVERSATION, asked=asked)
    assert done.stdout == "answered"
    said = done.stderr.splitlines()
    assert sorted(said) == ["''", "printed", "printed by a child"]


# --- python -m feedrate.measurement ---------------------------------------------------------------

RUDE = """
import argparse, os, random, sys, warnings
import torch
from torchvision.transforms import ToTensor
print("printed at import")
os.write(1, b"written at import")
argparse.ArgumentParser().parse_args()
torch.manual_seed(0)
random.seed(0)
torch.set_num_threads(1)
sys.stdout = None

def polite(image):
    print("printed in every call", file=sys.__stdout__)
    return ToTensor()(image)

def meddling(image):
    torch.set_num_threads(3)
    return ToTensor()(image)
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A FashionMNIST of 40 images."""
    raw = tmp_path / "data" / "FashionMNIST" / "raw"
    raw.mkdir(parents=True)
    for part in ("train", "t10k"):
        images, labels = (
            bytes(index % 251 for index in range(40 * 28 * 28)),
            bytes([*range(10)] * 4),
        )
        header = struct.pack(">IIII", 0x803, 40, 28, 28)
        (raw / f"{part}-images-idx3-ubyte").write_bytes(header + images)
        (raw / f"{part}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 0x801, 40) + labels)
    return tmp_path / "data"


def measured(
    transforms: Any, data: Path, modules: Path, **changes: Any
) -> subprocess.CompletedProcess[str]:
    """The measuring process, asked for two epochs of 40 images."""
    specification = {
        "arm": "training",
        "condition": {"name": "c", "api": "v1", "transforms": transforms, "user_code": ""},
        "loader": {"num_workers": 0, "batch_size": 10},
        "training": {"epochs": 2, "learning_rate": 0.001, "model": "small-cnn"},
        "device": {"name": "cpu"},
        "threads": 2,
        "seed": 1,
        "repetition": 1,
        "workload": {"name": "fashion-mnist", "images": 40},
    }
    asked = {
        "specification": specification | changes,
        "data": str(data),
        "batch_seconds": 60,
        "parent": os.getpid(),
    }
    return python("-m", "feedrate.measurement", asked=json.dumps(asked), modules=modules)


@pytest.mark.slow
def test_a_rude_module_disturbs_neither_the_answer_nor_the_numbers(
    data: Path, tmp_path: Path
) -> None:
    (tmp_path / "rude.py").write_text(RUDE)
    rude = measured("rude.polite", data, tmp_path)
    assert rude.returncode == 0, rude.stderr
    assert rude.stderr.count("printed in every call") == 80
    assert "printed at import" in rude.stderr
    assert "written at import" in rude.stderr
    answer, plain = (
        json.loads(rude.stdout),
        json.loads(measured(["ToTensor"], data, tmp_path).stdout),
    )
    assert answer["process"]["undone"] == ["standard streams", "torch's threads"]
    assert answer["process"]["threads"] == plain["process"]["threads"] == 2
    losses, of_plain = (
        [epoch["mean_loss"] for epoch in each["measurement"]["epochs"]] for each in (answer, plain)
    )
    assert losses == of_plain


@pytest.mark.slow
def test_a_transform_that_changes_the_process_is_an_error_by_name(
    data: Path, tmp_path: Path
) -> None:
    (tmp_path / "rude.py").write_text(RUDE)
    done = measured("rude.meddling", data, tmp_path)
    assert done.returncode != 0
    assert done.stdout == ""
    last = done.stderr.strip().splitlines()[-1]
    assert "the measurement changed torch's threads (2, now 3)" in last


@pytest.mark.slow
def test_a_module_that_ends_the_program_gives_no_answer(data: Path, tmp_path: Path) -> None:
    (tmp_path / "ending.py").write_text("import sys\nsys.exit()\n")
    done = measured("ending.crop", data, tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
