"""Drift, outliers and sessions in words."""

from feedrate.content.steadiness_words import outlier_texts, session_texts, steadiness_facts
from tests.content.decided import GAIN


def test_steadiness_sessions_and_outliers_become_texts() -> None:
    drift = {"percent_per_hour": -4.91, "low": -5.0, "high": -4.8, "measurements": 16}
    steadiness = {
        "hours": 1.5,
        "all_cells": drift,
        "sentinel": None,
        "outliers": [
            {
                "condition": "light",
                "settings": "b",
                "repetition": 3,
                "warm_images_per_second": 60.0,
            }
        ],
    }
    facts = steadiness_facts(steadiness)
    assert facts["all_cells"] == (
        "-4.9 % per hour (95 % interval -5.0 to -4.8; 16 repetitions): a drift"
    )
    assert facts["sentinel"] is None
    assert outlier_texts(steadiness) == ["light, `b`, repetition 3: 60 images/s"]
    merged = {
        "session": "s2",
        "setting": "light/a",
        "merged": True,
        "comparison": GAIN | {"verdict": "equivalent"},
    }
    apart = {
        "session": "s3",
        "repetitions": 3,
        "first_repetitions": 1,
        "merged": False,
        "comparison": None,
    }
    first, second = session_texts([merged, apart])
    assert first["text"].startswith("counts together with the first: `light/a` reaches 2.980")
    assert "with 3 and 1 repetitions of one setting" in second["text"]
