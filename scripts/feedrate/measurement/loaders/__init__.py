"""The kinds of loader, a module each."""

from feedrate.measurement.loader_kind import LoaderKind
from feedrate.measurement.members import members

LOADERS = members(__name__, LoaderKind)
