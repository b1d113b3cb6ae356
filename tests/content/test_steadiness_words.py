"""Drift, outliers and sessions in words."""

from dataclasses import replace

from feedrate.analysis.samples import SessionMatch
from feedrate.analysis.steadiness import Outlier, Steadiness
from feedrate.content.steadiness_words import outlier_texts, session_texts, steadiness_facts
from feedrate.statistics.comparison import Verdict
from feedrate.statistics.drift import Drift
from tests.content.decided import GAIN


def test_steadiness_sessions_and_outliers_become_texts() -> None:
    drift = Drift(percent_per_hour=-4.91, low=-5.0, high=-4.8, measurements=16)
    outlier = Outlier("light", "b", "s1", repetition=3, warm_images_per_second=60.0)
    steadiness = Steadiness("s1", 1.5, all_cells=drift, sentinel=None, outliers=(outlier,))
    facts = steadiness_facts(steadiness)
    assert facts["all_cells"] == (
        "-4.9 % per hour (95 % interval -5.0 to -4.8; 16 repetitions): drift shown"
    )
    assert facts["sentinel"] is None
    assert outlier_texts(steadiness) == ["light, `b`, repetition 3: 60 images/s"]
    equivalent = replace(GAIN, verdict=Verdict.EQUIVALENT)
    merged = SessionMatch("s2", "light/a", 3, 3, equivalent, merged=True)
    apart = SessionMatch("s3", "light/a", 3, 1, None, merged=False)
    first, second = session_texts([merged, apart])
    assert first["text"].startswith("counts together with the first: `light/a` reaches 2.980")
    assert "have 3 and 1 repetitions of one setting" in second["text"]
