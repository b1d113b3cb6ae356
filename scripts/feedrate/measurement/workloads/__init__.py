"""The workloads, a module each."""

from feedrate.measurement.members import members
from feedrate.measurement.workload import Workload

WORKLOADS = members(__name__, Workload)
