"""What a user's module does to the measuring process."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from feedrate.measurement import state
from feedrate.measurement.state import StateChanged, Trait, keeping_state, same_state

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"

CHANGES = {
    "the working directory": "os.chdir('/')",
    "environment variables": "os.environ['TOKEN'] = 'a secret'; del os.environ['KEPT']",
    "the command line": "sys.argv[:] = ['other', '--flag']",
    "standard streams": "sys.stdout = io.StringIO()",
    "the mask for new files": "os.umask(0o007)",
    "signal handlers": "signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
    "automatic garbage collection": "gc.disable()",
    "the interpreter's switch interval": "sys.setswitchinterval(0.5)",
    "torch's threads": "torch.set_num_threads(torch.get_num_threads() + 1)",
    "torch's default dtype": "torch.set_default_dtype(torch.float64)",
    "torch's default device": "torch.set_default_device('meta')",
    "torch's detection of anomalies": "torch.autograd.set_detect_anomaly(True)",
    "when garbage is collected": "gc.set_threshold(10)",
    "torch's gradients": "torch.set_grad_enabled(False)",
    "torch's deterministic algorithms": "torch.use_deterministic_algorithms(True)",
    "cuDNN's benchmark mode": "torch.backends.cudnn.benchmark = True",
    "how torch shares memory between processes": (
        "torch.multiprocessing.set_sharing_strategy('file_system')"
    ),
}
if len(os.sched_getaffinity(0)) > 1:
    CHANGES["the cores to run on"] = "os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])"

FINAL = {
    "torch's threads between operators": (
        "torch.set_num_interop_threads(torch.get_num_interop_threads() + 1)"
    ),
    "the priority of the process": "os.nice(1)",
    "running threads": (
        "threading.Thread(target=time.sleep, args=[60], daemon=True, name='mine').start()"
    ),
}
"""What nobody can undo."""

IMPORTS = "import gc, io, os, signal, sys, threading, time, torch\n"

CHECK = """
import importlib, json, sys
import torch
from feedrate.measurement import state
answer = sys.stdout
state.ENDING_SECONDS = 0.01
before = {trait: trait.read() for trait in state.TRAITS}

def outcome_of(module):
    state.undone.clear()
    error = None
    try:
        with state.keeping_state():
            importlib.import_module(module)
    except state.StateChanged as caught:
        error = str(caught)
    left = [trait.name for trait in state.changed(before)]
    return {"error": error, "undone": list(state.undone), "left": left}

print(json.dumps([outcome_of("rude"), outcome_of("final")]), file=answer)
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What came of importing a module with all CHANGES, and then one with all of FINAL.

    In a process of its own, and one for both: importing torch takes seconds.
    """
    folder = tmp_path_factory.mktemp("modules")
    (folder / "rude.py").write_text(IMPORTS + "\n".join(CHANGES.values()))
    lines = [*FINAL.values(), CHANGES["environment variables"]]
    (folder / "final.py").write_text(IMPORTS + "\n".join(lines))
    path = os.pathsep.join([str(SCRIPTS), str(folder)])
    done = subprocess.run(
        [sys.executable, "-c", CHECK],
        env=os.environ | {"PYTHONPATH": path, "KEPT": "another secret"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "secret" not in done.stdout
    return list(json.loads(done.stdout))


def test_what_an_import_changes_is_undone_and_named(outcomes: list[Any]) -> None:
    names = [trait.name for trait in state.TRAITS if trait.name in CHANGES]
    assert outcomes[0] == {"error": None, "undone": names, "left": []}


def test_what_nobody_can_undo_is_an_error_by_name(outcomes: list[Any]) -> None:
    for name in FINAL:
        assert f"{name} (" in outcomes[1]["error"]
    assert "running threads (mine)" in outcomes[1]["error"]
    assert outcomes[1]["undone"] == ["environment variables"]
    assert outcomes[1]["left"] == [trait.name for trait in state.TRAITS if trait.name in FINAL]


def test_every_trait_has_its_test() -> None:
    assert {trait.name for trait in state.TRAITS} == CHANGES.keys() | FINAL.keys() | (
        {"the cores to run on"}
    )


def test_a_thread_that_ends_by_itself_is_waited_for() -> None:
    import threading

    with keeping_state():
        threading.Thread(target=lambda: threading.Event().wait(0.2)).start()


def fail_in(folder: Path) -> None:
    os.chdir(folder)
    raise ZeroDivisionError


def test_what_fails_is_undone_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "undone", [])
    here = Path.cwd()
    with pytest.raises(ZeroDivisionError), keeping_state():
        fail_in(tmp_path)
    assert Path.cwd() == here


def test_a_measurement_that_changes_the_process_is_an_error_by_name() -> None:
    threads = torch.get_num_threads()
    told = rf"torch's threads \({threads}, now {threads + 1}\)"
    try:
        with pytest.raises(StateChanged, match=told), same_state():
            torch.set_num_threads(threads + 1)
    finally:
        torch.set_num_threads(threads)


def test_what_torch_itself_changes_is_not_an_error() -> None:
    with same_state():
        os.environ["OF_TORCH"] = "1"
    del os.environ["OF_TORCH"]


def test_of_many_values_only_their_names_are_reported() -> None:
    trait = Trait("environment variables", lambda: {"TOKEN": "new secret", "SAME": "1"})
    told = trait.change({"TOKEN": "old secret", "SAME": "1", "GONE": "secret"})
    assert told == "environment variables (GONE, TOKEN)"
