"""The models, a module each."""

from feedrate.measurement.members import members
from feedrate.measurement.workload import Model

MODELS = members(__name__, Model)
