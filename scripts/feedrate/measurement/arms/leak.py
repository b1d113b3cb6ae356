"""Many epochs over one loader, watched: does memory grow while workers live on?"""

from feedrate.measurement.arms.instrumented import measure

__all__ = ["measure"]
