from __future__ import annotations

import numpy as np
import pytest

from rankwright.evaluation import Table
from rankwright.evaluation.table import plain, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5000"),
        (0.0, "0.0000"),
        (1e-7, "1e-07"),
        (float("nan"), "–"),
        (float("inf"), "inf"),
        (3, "3"),
        ("x", "x"),
    ],
)
def test_cells(value, text):
    assert shown(value) == text


def test_numbers_stand_right_and_words_left():
    assert repr(Table(name=["a", "long"], n=[10, 1])) == "name   n\na     10\nlong   1"


def test_long_tables_are_cut():
    lines = repr(Table(n=np.arange(100))).splitlines()
    assert len(lines) == 1 + 30 + 1
    assert lines[-1] == "... 70 more rows"


def test_plain_values():
    table = Table(q=np.array(["a", "b"]), v=[1.0, np.nan], n=[1, 2])
    assert table.to_dict() == {"q": ["a", "b"], "v": [1.0, None], "n": [1, 2]}
    assert table.rows()[0] == {"q": "a", "v": 1.0, "n": 1}
    assert [plain(np.float64("inf")), plain(np.int64(3)), plain(b"x")] == [None, 3, "b'x'"]


def test_no_rows_and_no_columns():
    assert repr(Table(n=[])) == "n"
    assert repr(Table()) == ""
    assert Table().n_rows == 0
