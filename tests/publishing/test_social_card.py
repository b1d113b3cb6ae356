"""The picture for previews of links."""

import io
from pathlib import Path

import pytest
from PIL import Image

from feedrate.publishing.social_card import social_card

BLUE = (0, 114, 178)
WHITE = (255, 255, 255)


def drawn(folder: Path, width: int, height: int) -> Path:
    file = folder / f"{width}x{height}.png"
    Image.new("RGBA", (width, height), BLUE).save(file)
    return file


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def rows_with_ink(card: Image.Image, top: int, bottom: int) -> int:
    return sum(
        any(card.getpixel((x, y)) != WHITE for x in range(card.width)) for y in range(top, bottom)
    )


# 1152 by 532 pixels are free for the figure, 24 from the edges.
@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((2304, 864), (24, 74, 1176, 506)),  # half as large, in the middle of the height
        ((1000, 1064), (350, 24, 850, 556)),  # half as large, in the middle of the width
    ],
)
def test_the_whole_figure_is_on_it_as_large_as_fits(
    tmp_path: Path, size: tuple[int, int], shown: tuple[int, int, int, int]
) -> None:
    card = opened(social_card(drawn(tmp_path, *size), ""))
    assert (card.format, card.size) == ("PNG", (1200, 630))
    left, top, right, bottom = shown
    for inside, outside in (
        ((left, top), (left - 1, top - 1)),
        ((right - 1, bottom - 1), (right, bottom)),
    ):
        assert card.getpixel(inside) == BLUE
        assert card.getpixel(outside) == WHITE


def test_the_line_below_is_written_smaller_where_it_is_too_long(tmp_path: Path) -> None:
    figure = drawn(tmp_path, 1152, 532)
    short, long = (opened(social_card(figure, "M" * count)) for count in (10, 100))
    assert rows_with_ink(short, 560, 630) > 2 * rows_with_ink(long, 560, 630) > 0
    assert all(long.getpixel((x, y)) == WHITE for x in range(1180, 1200) for y in range(630))


def test_the_same_figure_and_line_give_the_same_bytes(tmp_path: Path) -> None:
    figure = drawn(tmp_path, 1840, 688)
    assert social_card(figure, "a processor") == social_card(figure, "a processor")
    assert social_card(figure, "a processor") != social_card(figure, "another")
