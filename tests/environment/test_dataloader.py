import inspect

from feedrate.environment.dataloader import persistent_workers_default


def test_the_default_is_that_of_the_imported_signature() -> None:
    from torch.utils.data import DataLoader

    signature = inspect.signature(DataLoader.__init__)
    assert persistent_workers_default() is signature.parameters["persistent_workers"].default
