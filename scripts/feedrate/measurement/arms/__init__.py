"""The arms, a module each; what its `measure` reaches is all that makes its cells stale."""

from feedrate.measurement.arm import Arm
from feedrate.measurement.members import members

ARMS = members(__name__, Arm)
