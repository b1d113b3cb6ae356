import inspect

import pytest

from feedrate.environment.dataloader import loader_defaults


@pytest.mark.parametrize("argument", ["persistent_workers", "prefetch_factor", "batch_size"])
def test_the_defaults_are_those_of_the_imported_signature(argument: str) -> None:
    from torch.utils.data import DataLoader

    signature = inspect.signature(DataLoader.__init__)
    assert loader_defaults()[argument] == signature.parameters[argument].default


def test_an_argument_without_a_default_has_none() -> None:
    assert not {"self", "dataset"} & loader_defaults().keys()
