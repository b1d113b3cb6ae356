"""The sentinel in a later session: measured as the timed arm is, to compare the two sessions."""

from feedrate.measurement.arms.training import measure

__all__ = ["measure"]
