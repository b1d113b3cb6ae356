"""A measured report as a folder to publish: what belongs in it, what doesn't, how to check it."""

CARD = "social-card.png"
"""The picture that links to the page show, beside it."""


def card_address(url: str | None) -> str:
    """The picture of links to the page: beside it, absolute where its address is known."""
    return f"{url.rstrip('/')}/{CARD}" if url else CARD
