"""What a claim requires of the machine, and whether the machine meets it."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Discriminator, Tag

from feedrate.claims.evidence import Evidence, NoData, known_number
from feedrate.claims.grammar import Count, OneOf, form, known, number_of
from feedrate.environment.accelerators import PINNING_DEVICES

Facts = Mapping[str, Any]

OF_MACHINE: dict[str, tuple[Callable[[Facts], bool], str]] = {
    "pinning": (
        lambda facts: facts.get("device") in PINNING_DEVICES,
        f"memory is page-locked only for {' or '.join(sorted(PINNING_DEVICES))}, "
        "the device here is {device}",
    ),
    "gpu_use": (
        lambda facts: facts.get("device") == "cuda" and bool(facts.get("gpus")),
        "GPU use needs an NVIDIA GPU that trains, the device here is {device}",
    ),
    "hyperthreading": (
        lambda facts: known_number("logical_cores", facts) > known_number("physical_cores", facts),
        "each physical core has one logical CPU here, so that the two can't be told apart",
    ),
}
"""Name of a requirement -> whether it is met, and the reason to give if not."""


class RequirementRule(OneOf):
    """`sweep_reaches` needs worker counts up to a number; `elsewhere` is never met here."""

    sweep_reaches: Count | None = None
    elsewhere: str | None = None


Requirement = Annotated[
    Annotated[str, known(OF_MACHINE, "a requirement"), Tag("name")]
    | Annotated[RequirementRule, Tag("rule")],
    Discriminator(
        form,
        custom_error_type="requirement",
        custom_error_message="must be a name, or a rule such as sweep_reaches",
    ),
]


def unmet(requirement: str | RequirementRule, evidence: Evidence) -> str | None:
    """Why `requirement` isn't met, as the reason of a verdict; None if it is."""
    try:
        if isinstance(requirement, str):
            is_met, otherwise = OF_MACHINE[requirement]
            met = is_met(evidence.facts)
            return None if met else otherwise.format(device=evidence.facts.get("device"))
        if requirement.elsewhere is not None:
            return requirement.elsewhere
        measured = [*map(int, evidence.repetitions.get("num_workers", []))]
        wanted = number_of(requirement.sweep_reaches, measured, evidence.facts)
        most = max(measured, default=0)
        return (
            None
            if most >= wanted
            else (f"the sweep ends at {most} workers and would have to reach {wanted}")
        )
    except NoData as reason:
        return str(reason)
