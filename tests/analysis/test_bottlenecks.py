import pandas as pd
import pytest

from feedrate.analysis.bottlenecks import BOTTLENECK_COLUMNS, bottleneck_table


def repetitions(workers: int, *values: float) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "condition": "light",
            "settings": f"workers-{workers}",
            "num_workers": workers,
            "batch_size": 256,
            "prefetch_factor": 2,
            "persistent_workers": True,
            "pin_memory": False,
            "start_method": "fork",
            "kind": "dataloader",
            "device": "cpu",
            "group": "first",
            "warm_images_per_second": values,
        }
    )


def ceiling(arm: str, value: float | None, workers: int | None = None) -> dict[str, object]:
    return {
        "arm": arm,
        "condition": None if arm == "step" else "light",
        "settings": None if workers is None else f"workers-{workers}",
        "num_workers": workers,
        "batch_size": 256,
        "group": "first",
        "images_per_second": value,
    }


CEILINGS = pd.DataFrame(
    [
        ceiling("loader", 1000.0, 0),
        ceiling("loader", 4000.0, 4),
        ceiling("step", 3000.0),
        ceiling("resident", None),
    ]
)


def test_each_setting_is_held_against_its_own_loader_and_the_step() -> None:
    found = bottleneck_table(
        pd.concat([repetitions(0, 740, 750, 760), repetitions(4, 2900, 2950)]), CEILINGS
    )
    assert list(found.columns) == list(BOTTLENECK_COLUMNS)
    alone, beside = found.to_dict("records")
    assert alone["expected"] == pytest.approx(750)  # 1 / (1/1000 + 1/3000)
    assert alone["bound"] == "loader-bound"
    assert beside["expected"] == 3000
    assert beside["bound"] == "compute-bound"
    assert found["resident"].isna().all()


def test_a_device_of_its_own_trains_while_the_main_process_loads() -> None:
    cuda = repetitions(0, 990.0).assign(device="cuda")
    (row,) = bottleneck_table(cuda, CEILINGS).to_dict("records")
    assert row["expected"] == 1000
    assert row["bound"] == "loader-bound"


def test_what_reaches_neither_ceiling_is_contention() -> None:
    (row,) = bottleneck_table(repetitions(4, 1500.0), CEILINGS).to_dict("records")
    assert row["bound"] == "contention"
    assert row["reached"] == 0.5


def test_without_ceilings_there_is_no_row() -> None:
    assert bottleneck_table(repetitions(2, 1500.0), CEILINGS).empty
    assert bottleneck_table(repetitions(0, 1500.0), CEILINGS.iloc[:0]).empty


def test_ceilings_of_another_session_do_not_count() -> None:
    later = CEILINGS.assign(group="later")
    assert bottleneck_table(repetitions(4, 1500.0), later).empty
