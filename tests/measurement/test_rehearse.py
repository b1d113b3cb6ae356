from pathlib import Path
from typing import Any

import pytest
import torch

from feedrate.measurement.rehearse import build_of, try_condition


def test_a_kernel_that_fails_names_the_gpu_and_what_torch_is_built_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (12, 0))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "RTX 5070 Ti")
    monkeypatch.setattr(torch.cuda, "get_arch_list", lambda: ["sm_80", "sm_90"])
    text = build_of("cuda")
    assert "RTX 5070 Ti (sm_120)" in text
    assert "sm_80, sm_90" in text


def test_other_devices_have_no_build_to_blame() -> None:
    assert build_of("cpu") == ""
    assert build_of("emulated") == ""


MODULES = {
    "single": (
        "import torch\nfrom torchvision.transforms.functional import to_tensor\n"
        "def crop(image):\n    torch.set_grad_enabled(False)\n    return to_tensor(image)\n"
    ),
    "ends": "import sys\nsys.exit(3)\n",
    "moving": "import os\nos.chdir('/')\nraise KeyError('mine')\n",
    "small": "import torch\ndef crop(image): return torch.zeros(1, 2, 2)\n",
    "changing": (
        "import torch\nfrom itertools import cycle\nsizes = cycle([28] * 300 + [27])\n"
        "def crop(image):\n"
        "    size = next(sizes)\n"
        "    return torch.zeros(1, 28, 28) if size == 28 else torch.zeros(1, 27, 27)\n"
    ),
}


@pytest.mark.parametrize(
    ("transforms", "error"),
    [
        (["PILToTensor"], "of torch.uint8; the model takes (1, 28, 28) of torch.float32"),
        ([{"CenterCrop": {"size": 28}}], "gives a Image, not a tensor; end the list with ToTensor"),
        ("small.crop", "gives (1, 2, 2) of torch.float32"),
        ("changing.crop", "the results of 512 images can't form a batch"),
        ("ends.crop", "one of its modules exits when it is imported (exit 3)"),
        ("moving.crop", "KeyError: 'mine'"),
        ("single.crop", "changed torch's gradients (True, now False); a transform must leave"),
        ("no_such_module.crop", "ModuleNotFoundError"),
    ],
)
def test_a_condition_that_does_not_work_is_reported_with_its_reason(
    transforms: Any, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    here = Path.cwd()
    found = try_condition({"api": "v1", "transforms": transforms}, "fashion-mnist")
    assert error in found["error"]
    assert Path.cwd() == here


def test_a_condition_that_works_has_its_time() -> None:
    found = try_condition({"api": "v1", "transforms": ["ToTensor"]}, "fashion-mnist")
    assert 0 < found["load_seconds_per_image"] < 1
