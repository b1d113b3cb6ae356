import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from feedrate.running.supervision import CellFailed, last_line, run_measuring_process


def run(code: str, log: Path, monkeypatch: pytest.MonkeyPatch, limit_seconds: int = 60) -> None:
    """Run `code` where the measuring process would run."""
    real = subprocess.Popen

    def popen(command: list[str], **options: Any) -> subprocess.Popen[str]:
        assert command[:3] == [sys.executable, "-m", "feedrate.measurement"]
        return real([sys.executable, "-c", code], **options)

    monkeypatch.setattr(subprocess, "Popen", popen)
    with log.with_suffix(".lock").open("w") as lock:
        run_measuring_process([], "{}", log, limit_seconds, lock.fileno())


def test_a_result_is_no_failure_and_words_go_to_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("import sys; print(sys.stdin.read())", tmp_path / "log", monkeypatch)
    assert (tmp_path / "log").read_text() == "{}\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise ValueError('the reason')", "ValueError: the reason"),
        ("import sys; sys.exit('a message')", "a message"),
        ("import sys; sys.exit(3)", "status 3"),
        ("import os; os.kill(os.getpid(), 9)", "SIGKILL.*memory"),
        ("import os; os.kill(os.getpid(), 11)", "killed by SIGSEGV"),
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
        "print(child.pid, flush=True)\n"
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
