import pytest
import torch

from feedrate.measurement.rehearse import build_of


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
