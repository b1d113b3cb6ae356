"""From an experiment to the cells that measure it."""
