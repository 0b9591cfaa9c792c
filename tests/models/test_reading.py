"""Checked reading of model documents."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from rankwright.errors import FormatError, InputError
from rankwright.models import reading

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_whatever_a_value_is_it_is_read_or_refused(value) -> None:
    document = {"x": value}
    readers = (
        lambda: reading.a_number(document, "x"),
        lambda: reading.a_count(document, "x", 5),
        lambda: reading.numbers(document, "x"),
        lambda: reading.numbers(document, "x", 2),
        lambda: reading.table(document, "x", 2, 2),
        lambda: reading.pairs(document, "x", 5),
    )
    outcomes = []
    for read in readers:
        try:
            outcomes.append(read() is not None)
        except reading.DAMAGE:
            outcomes.append(False)
    assert len(outcomes) == len(readers)
    assert outcomes[0] == (isinstance(value, (int, float)) and not isinstance(value, bool))


def test_what_is_read() -> None:
    document = {"n": 2, "list": [1, 2.5], "table": [[1, 2], [3, 4]], "pairs": [[0, 0.5]], "none": []}
    assert reading.a_number(document, "n") == 2.0
    assert reading.a_count(document, "n", 2) == 2
    assert reading.numbers(document, "list", 2).tolist() == [1.0, 2.5]
    assert reading.table(document, "table", 2, 2).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert reading.table(document, "none", 0, 3).shape == (0, 3)
    assert reading.pairs(document, "pairs", 0) == ((0, 0.5),)


@pytest.mark.parametrize(
    ("read", "reason"),
    [
        (lambda d: reading.a_count(d, "n", 1), r"n must hold whole numbers in 0\.\.1. Got 2"),
        (lambda d: reading.numbers(d, "list", 3), "list must be a list of 3"),
        (lambda d: reading.table(d, "table", 2, 3), "table must be a list of 3"),
        (lambda d: reading.pairs(d, "list", 5), "list must be a list of 2"),
    ],
)
def test_what_is_refused(read, reason) -> None:
    document = {"n": 2, "list": [1, 2.5], "table": [[1, 2], [3, 4]]}
    with pytest.raises(InputError, match=reason):
        read(document)


@given(JSON)
def test_json_that_is_json_is_read_as_it_is(value) -> None:
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write(json.dumps(value).encode())
        file.flush()
        assert reading.read_json(file.name) == value


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_a_format_error(data) -> None:
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        try:
            outcome = json.dumps(reading.read_json(file.name))
        except FormatError as wrong:
            outcome = str(wrong)
        assert outcome
