"""The sentinel in a later session: measured as the timed arm is, to compare the two sessions."""

from feedrate.measurement.arm import Arm, Role
from feedrate.measurement.arms.training import measure

__all__ = ["ARM", "measure"]

ARM = Arm(
    role=Role.ANCHOR,
    meaning="the sentinel measured again in a later session",
    label="anchor of this session",
)
