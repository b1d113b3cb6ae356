"""What a claim needs of the machine, and whether it is there."""

from feedrate.claims.evidence import Evidence
from feedrate.claims.grammar import Requirement, RequirementRule
from feedrate.claims.selection import NoData, cores, known_number
from feedrate.environment.accelerators import PINNING_DEVICES


def unmet(requirement: Requirement, evidence: Evidence) -> str | None:
    """Why `requirement` isn't met, as the reason of a verdict; None if it is."""
    device = evidence.facts.get("device")
    try:
        match requirement:
            case "pinning" if device not in PINNING_DEVICES:
                return (
                    f"memory is page-locked only for {' or '.join(sorted(PINNING_DEVICES))}, "
                    f"the device here is {device}"
                )
            case "gpu_use" if device != "cuda" or not evidence.facts.get("gpus"):
                return f"GPU use needs an NVIDIA GPU that trains, the device here is {device}"
            case "hyperthreading":
                return _without_hyperthreading(evidence)
            case RequirementRule(elsewhere=str() as reason):
                return reason
            case RequirementRule(sweep_reaches=count) if count is not None:
                return _short_sweep(cores(count, evidence.facts), evidence)
    except NoData as reason:
        return str(reason)
    return None


def _without_hyperthreading(evidence: Evidence) -> str | None:
    physical = known_number("physical_cores", evidence.facts)
    if known_number("logical_cores", evidence.facts) > physical:
        return None
    return "each physical core has one logical CPU here, so that the two can't be told apart"


def _short_sweep(wanted: int, evidence: Evidence) -> str | None:
    measured = evidence.repetitions
    most = 0 if measured.empty else int(measured["num_workers"].max())
    if most >= wanted:
        return None
    return f"the sweep ends at {most} workers and would have to reach {wanted}"
