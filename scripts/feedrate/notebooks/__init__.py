"""Sections as notebooks: what is stale in them is executed, what they show is kept."""
