"""The picture that a link to the report shows where links are previewed: its leading figure."""

import io
from pathlib import Path

import matplotlib as mpl
from PIL import Image, ImageDraw, ImageFont, ImageOps

from feedrate.page.palette import COLOURS

WIDTH, HEIGHT = 1200, 630
"""Pixels, the size that previews are cut for."""

_MARGIN = 24
_TEXT = 26


def social_card(figure: Path, footer: str) -> bytes:
    """A PNG of WIDTH by HEIGHT: the PNG `figure`, as large as it fits, above one line of text.

    The same figure and text give the same bytes. A line that is too long is written smaller.
    """
    card = Image.new("RGB", (WIDTH, HEIGHT), COLOURS["paper"])
    room = (WIDTH - 2 * _MARGIN, HEIGHT - 3 * _MARGIN - _TEXT)
    with Image.open(figure) as drawn:
        picture = ImageOps.pad(
            drawn.convert("RGB"), room, Image.Resampling.LANCZOS, COLOURS["paper"]
        )
    card.paste(picture, (_MARGIN, _MARGIN))
    # Of the figures' family.
    font = ImageFont.truetype(Path(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"), _TEXT)
    if (length := font.getlength(footer)) > room[0]:
        font = font.font_variant(size=_TEXT * room[0] / length)
    place = (_MARGIN, HEIGHT - _MARGIN)
    ImageDraw.Draw(card).text(place, footer, COLOURS["muted"], font, anchor="ls")
    png = io.BytesIO()
    card.save(png, "PNG")
    return png.getvalue()
