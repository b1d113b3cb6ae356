import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from feedrate.running.supervision import Answer, CellFailed, ask_measuring_process, last_line


def run(code: str, log: Path, monkeypatch: pytest.MonkeyPatch, limit_seconds: int = 60) -> Answer:
    """Run `code` where the measuring process would run."""
    real = subprocess.Popen

    def popen(command: list[str], **options: Any) -> subprocess.Popen[str]:
        assert command == [sys.executable, "-m", "feedrate.measurement"]
        return real([sys.executable, "-c", code], **options)

    monkeypatch.setattr(subprocess, "Popen", popen)
    with log.with_suffix(".lock").open("w") as lock:
        return ask_measuring_process({"data": "here"}, log, limit_seconds, lock.fileno())


def test_the_answer_is_on_standard_output_and_words_go_to_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import json, os, sys\n"
        "request = json.load(sys.stdin)\n"
        "print('words', file=sys.stderr)\n"
        "print(json.dumps([request['data'], request['parent'] == os.getppid()]))\n"
    )
    answer = run(code, tmp_path / "log", monkeypatch)
    assert answer.content == ["here", True]
    assert 0 < answer.ended - answer.started < 60
    assert (tmp_path / "log").read_text() == "words\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise ValueError('the reason')", "ValueError: the reason"),
        ("import sys; sys.exit('a message')", "a message"),
        ("import sys; sys.exit(3)", "status 3"),
        ("import os; os.kill(os.getpid(), 9)", "SIGKILL.*memory"),
        ("import os; os.kill(os.getpid(), 11)", "killed by SIGSEGV"),
        ("print('{\"half')", "ended without an answer"),
        ("pass", "ended without an answer"),
    ],
)
def test_a_failure_is_put_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, reason: str
) -> None:
    with pytest.raises(CellFailed, match=reason):
        run(code, tmp_path / "log", monkeypatch)


def test_a_hung_process_ends_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, file=sys.stderr, flush=True)\n"
        "time.sleep(600)\n"
    )
    with pytest.raises(CellFailed, match="hung: not finished after 2 s"):
        run(code, tmp_path / "log", monkeypatch, limit_seconds=2)
    child = int(last_line(tmp_path / "log"))
    # Killed is not gone: a busy machine takes a moment for it.
    try:
        psutil.Process(child).wait(timeout=10)
    except psutil.NoSuchProcess:
        return
    except psutil.TimeoutExpired:
        assert psutil.Process(child).status() == psutil.STATUS_ZOMBIE
