"""From cells to tables."""
