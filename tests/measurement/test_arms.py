"""Every arm on a few real images; the numbers that must hold whatever the machine."""

import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import torch

from feedrate.measurement.arms.loader import Copier
from feedrate.measurement.arms.resident import batched
from feedrate.measurement.events import EventTimedTrainer
from feedrate.measurement.trainer import EmulatedTrainer

pytestmark = pytest.mark.slow

AUGMENTED = [
    {"RandomResizedCrop": {"size": 28, "scale": [0.75, 1.0]}},
    {"RandomRotation": {"degrees": 15}},
    "ToTensor",
]


def specification(arm: str, workers: int = 0, **changes: Any) -> dict[str, Any]:
    return {
        "arm": arm,
        "condition": {"name": "augmented", "api": "v1", "transforms": AUGMENTED, "user_code": ""},
        "loader": {"num_workers": workers, "batch_size": 100}
        | ({"persistent_workers": True, "start_method": "fork"} if workers else {}),
        "training": {"epochs": 2, "learning_rate": 0.001, "model": "small-cnn"},
        "device": {"name": "cpu"},
        "threads": torch.get_num_threads(),
        "seed": 1,
        "repetition": 1,
        "workload": {"name": "fashion-mnist", "images": 250},
        "sample_seconds": 0.02,
    } | changes


def measured(data: Path, **arguments: Any) -> dict[str, Any]:
    content = specification(**arguments)
    arm = import_module(f"feedrate.measurement.arms.{content['arm']}")
    return dict(arm.measure(content, data, 60))


@pytest.mark.parametrize("arm", ["training", "anchor"])
def test_the_timed_arm_trains_on_every_image(dataset: Path, arm: str) -> None:
    first, warm = measured(dataset, arm=arm)["epochs"]
    assert (first["images"], first["batches"]) == (250, 3)
    assert 0 < warm["mean_loss"] < first["mean_loss"]


def test_the_loader_alone_gives_every_image_and_trains_nothing(dataset: Path) -> None:
    first, warm = measured(dataset, arm="loader", workers=1)["epochs"]
    assert (first["images"], warm["images"]) == (250, 250)
    assert first["mean_loss"] is None


def test_the_step_alone_takes_as_many_steps_as_an_epoch(dataset: Path) -> None:
    epochs = measured(dataset, arm="step", condition=None)["epochs"]
    assert [(each["batches"], each["images"]) for each in epochs] == [(3, 300)] * 2
    assert min(each["seconds"] for each in epochs) > 0


def test_the_step_of_an_emulated_device_has_its_rate(dataset: Path) -> None:
    device = {"name": "emulated", "images_per_second": 1000}
    epochs = measured(dataset, arm="step", condition=None, device=device)["epochs"]
    assert min(each["seconds"] for each in epochs) >= 300 / 1000


def test_the_resident_dataset_is_trained_on_once_an_epoch(dataset: Path) -> None:
    epochs = measured(dataset, arm="resident")["epochs"]
    assert [(each["images"], each["batches"]) for each in epochs] == [(250, 3)] * 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"device": {"name": "emulated", "images_per_second": 1000}}, "holds no data"),
        (
            {
                "condition": {
                    "api": "v1",
                    "transforms": ["ToTensor", "ToPILImage", "ToTensor"],
                }
            },
            "don't take a batch",
        ),
        ({"condition": {"api": "v1", "transforms": [{"CenterCrop": {"size": 28}}]}}, "don't give"),
    ],
)
def test_where_the_resident_arm_does_not_apply_it_says_why(
    dataset: Path, changes: dict[str, Any], reason: str
) -> None:
    assert reason in measured(dataset, arm="resident", **changes)["not_applicable"]


def test_batches_on_the_device_look_as_the_loaders_do(dataset: Path) -> None:
    from feedrate.measurement.transforms import build_condition

    for api, transforms in (
        ("v1", ["ToTensor"]),
        ("v2", ["ToImage", {"ToDtype": {"dtype": "float32", "scale": True}}]),
    ):
        transform = batched(build_condition({"api": api, "transforms": transforms}))
        batch = torch.tensor([0, 51, 255], dtype=torch.uint8).reshape(3, 1, 1, 1)
        assert transform(batch).flatten().tolist() == pytest.approx([0, 0.2, 1])


@pytest.mark.parametrize("arm", ["instrumented", "leak"])
def test_an_instrumented_epoch_has_times_and_use(dataset: Path, arm: str) -> None:
    found = measured(
        dataset, arm=arm, workers=2, workload={"name": "fashion-mnist", "images": 9000}
    )
    for epoch in found["epochs"]:
        assert epoch["samples"] >= 2
        assert epoch["images"] == 9000
        assert 0 < epoch["worker_memory_bytes"] <= epoch["workers_memory_bytes"]
        assert epoch["workers_memory_bytes"] < epoch["total_memory_bytes"]
        assert 0 < epoch["main_cpu_cores"] < 64
        assert epoch["workers_cpu_cores"] > 0
        assert epoch["gpu_busy_seconds"] is None  # never 0 where it can't be told
        assert epoch["gpu_utilisation_percent"] is None
        assert epoch["pinned_memory_bytes"] is None
    assert max(epoch["shared_memory_bytes"] for epoch in found["epochs"]) > 0


def test_a_watched_cell_that_fails_ends_at_once_with_its_own_error(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_transform.py").write_text("def fail(image):\n    raise KeyError('mine')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    condition = {"name": "b", "api": "v1", "transforms": "broken_transform.fail", "user_code": ""}
    started = time.monotonic()
    with pytest.raises(KeyError, match="mine"):
        measured(dataset, arm="instrumented", workers=2, condition=condition)
    assert time.monotonic() - started < 60  # not the limit of a whole cell


class Event:
    """A device event on a clock that advances by one millisecond a record."""

    now = 0

    def __init__(self, enable_timing: bool) -> None:
        assert enable_timing
        self.at = 0

    def record(self) -> None:
        Event.now += 1
        self.at = Event.now

    def elapsed_time(self, other: "Event") -> float:
        return other.at - self.at


def test_busy_seconds_are_summed_over_the_steps_since_the_last_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "Event", Event)
    trainer = EventTimedTrainer(EmulatedTrainer(1e6), "cuda")
    batch = torch.zeros(1, 1, 28, 28), torch.zeros(1)
    for _ in range(3):
        trainer.step(*batch)
    assert trainer.busy_seconds() == pytest.approx(0.003)
    assert trainer.busy_seconds() == 0
    assert EventTimedTrainer(EmulatedTrainer(1e6), "cpu").busy_seconds() is None


def test_a_copier_of_an_emulated_device_leaves_batches_in_main_memory() -> None:
    copier = Copier("emulated")
    copier.step(torch.zeros(1, 1, 28, 28), torch.zeros(1))
    copier.synchronize()
    assert copier.mean_loss() is None
