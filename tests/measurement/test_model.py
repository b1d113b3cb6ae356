import torch

from feedrate.measurement.model import small_cnn


def test_the_model_has_the_articles_number_of_parameters() -> None:
    assert sum(parameter.numel() for parameter in small_cnn().parameters()) == 105_866


def test_it_gives_ten_scores_for_a_grey_image() -> None:
    assert small_cnn()(torch.zeros(3, 1, 28, 28)).shape == (3, 10)
