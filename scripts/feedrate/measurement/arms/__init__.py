"""The arms, a module each; only what its `measure` reaches can make an arm's cells stale."""

from feedrate.measurement.arm import Arm
from feedrate.measurement.members import members

ARMS = members(__name__, Arm)
