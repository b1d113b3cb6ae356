"""What an arm is: one way to run a cell."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """What an arm's cells are for."""

    TIMED = "timed"
    """Trains from the loader; the answer comes from its times."""
    ANCHOR = "anchor"
    """A timed cell once more in a later session, to compare the sessions."""
    CEILING = "ceiling"
    """Bounds what training can reach; takes part in the rounds."""
    WATCHED = "watched"
    """Shows resources; its times are never used."""


class Scope(StrEnum):
    """What distinguishes the cells of an arm, besides their repetition."""

    SETTINGS = "settings"
    """A condition and the settings of its loader."""
    CONDITION = "condition"
    """A condition and the size of a batch."""
    BATCH = "batch"
    """The size of a batch."""


@dataclass(frozen=True)
class Arm:
    """An arm as the plan and the report describe it; its module's `measure` is what runs.

    `label` names it in the terminal and is empty for the usual one; `meaning` says, in tables and
    in the schema, what it measures. `loads` and `trains` say what work a forecast of its duration
    has to count. `settings` adds keys to the specification, each with the path of its value in the
    configuration.
    """

    role: Role
    meaning: str
    label: str = ""
    scope: Scope = Scope.SETTINGS
    loads: bool = True
    trains: bool = True
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
