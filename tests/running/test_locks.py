import os
import subprocess
import sys
from pathlib import Path

from feedrate.running.locks import only_one_measurement, take_folder


def test_a_folder_has_one_run_at_a_time(tmp_path: Path) -> None:
    first = take_folder(tmp_path / "results")
    assert first is not None
    assert take_folder(tmp_path / "results") is None
    os.close(first)
    assert take_folder(tmp_path / "results") is not None


def test_the_second_measurement_waits_until_the_first_process_is_gone(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from feedrate.running.locks import only_one_measurement\n"
        "with only_one_measurement(Path(sys.argv[1]), lambda: None):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, lock],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "scripts")},
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    waited = []

    def end_holder() -> None:
        waited.append(True)
        holder.kill()  # as abruptly as can be: the kernel must free the lock

    with only_one_measurement(lock, end_holder):
        assert waited == [True]
    holder.wait()
