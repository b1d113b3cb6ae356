import random

import numpy
import torch

from feedrate.measurement.cell import epochs_of, seed_and_threads


def test_every_generator_that_a_transform_may_draw_from_is_seeded_by_repetition() -> None:
    def drawn(repetition: int) -> tuple[float, float, float]:
        seed_and_threads({"threads": torch.get_num_threads(), "seed": 7, "repetition": repetition})
        return random.random(), float(numpy.random.random()), float(torch.rand(()))

    first, again, other = drawn(1), drawn(1), drawn(2)
    assert first == again
    assert all(one != another for one, another in zip(first, other, strict=True))


def test_an_arm_may_have_epochs_of_its_own() -> None:
    training = {"training": {"epochs": 2}}
    assert list(epochs_of(training)) == [1, 2]
    assert list(epochs_of({**training, "epochs": 3})) == [1, 2, 3]
