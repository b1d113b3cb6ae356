"""Many epochs over one loader, watched: does memory grow while workers live on?"""

from feedrate.measurement.arm import Arm, Role
from feedrate.measurement.arms.instrumented import measure

__all__ = ["ARM", "measure"]

ARM = Arm(
    role=Role.WATCHED,
    meaning="many epochs",
    label="many epochs, instrumented",
    settings={
        "sample_seconds": ("resources", "sample_seconds"),
        "epochs": ("resources", "leak", "epochs"),
    },
)
