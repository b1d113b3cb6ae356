"""How steady the machine was, in words: drift, outliers, sessions."""

from collections.abc import Sequence
from typing import Any

from feedrate.analysis.samples import SessionMatch
from feedrate.analysis.steadiness import Steadiness
from feedrate.content.thresholds import CONFIDENCE_PERCENT, TWO_ONE_SIDED_PERCENT
from feedrate.statistics.drift import Drift


def steadiness_facts(steadiness: Steadiness) -> dict[str, Any]:
    """Drift of all settings and of the sentinel, as texts; None where too little was measured."""

    def spelled(drift: Drift | None) -> str | None:
        if drift is None:
            return None
        shown = "drift shown" if drift.low > 0 or drift.high < 0 else "no drift shown"
        return (
            f"{drift.percent_per_hour:+.1f} % per hour ({CONFIDENCE_PERCENT} % interval "
            f"{drift.low:+.1f} to {drift.high:+.1f}; {drift.measurements} repetitions): {shown}"
        )

    return {
        "hours": f"{steadiness.hours:.1f}",
        "all_cells": spelled(steadiness.all_cells),
        "sentinel": spelled(steadiness.sentinel),
    }


def outlier_texts(steadiness: Steadiness) -> list[str]:
    """Each flagged repetition, with its throughput."""
    return [
        f"{each.condition}, `{each.settings}`, repetition {each.repetition}: "
        f"{each.warm_images_per_second:,.0f} images/s"
        for each in steadiness.outliers
    ]


def session_texts(sessions: Sequence[SessionMatch]) -> list[dict[str, str]]:
    """Each later session, and whether it counts together with the first."""
    found = []
    for each in sessions:
        comparison = each.comparison
        if comparison is None:
            text = (
                f"is kept apart: it can't be compared with the first; they have {each.repetitions} "
                f"and {each.first_repetitions} repetitions of one setting, and two each are needed"
            )
        else:
            standing = "counts together with the first" if each.merged else "is kept apart"
            text = (
                f"{standing}: `{each.setting}` reaches {comparison.ratio:.3f} times its "
                f"throughput there ({TWO_ONE_SIDED_PERCENT} % interval "
                f"{comparison.low90:.3f} to {comparison.high90:.3f}), {comparison.verdict}"
            )
        found.append({"session": each.session, "text": text})
    return found
