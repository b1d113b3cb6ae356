import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedrate.canonical import canonical_json, digest

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(), values))
def test_the_order_of_keys_does_not_count(value: dict[str, object]) -> None:
    backwards = dict(reversed(list(value.items())))
    assert canonical_json(value) == canonical_json(backwards)


def test_a_swap_of_values_counts() -> None:
    assert digest({"a": 1, "b": 2}) != digest({"a": 2, "b": 1})


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        canonical_json(float("nan"))
