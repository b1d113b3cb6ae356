"""A measured report as a folder to publish: what belongs in it, what doesn't, how to check it."""

CARD = "social-card.png"
"""The picture that links to the page show, beside it."""
