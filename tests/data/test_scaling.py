"""Scaling within queries."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import rankwright as rw
from rankwright.data.scaling import scale_queries
from rankwright.errors import InputError

NAN = np.nan


def _scaled(values: list[float], how: str, qid: list[int]) -> list[float]:
    data = rw.Dataset(np.array(values)[:, None], qid=qid)
    return scale_queries(data, how).X[:, 0].tolist()  # type: ignore[arg-type]


def test_each_query_by_itself() -> None:
    assert _scaled([10, 30, 20, 1, 3], "minmax", [1, 1, 1, 2, 2]) == [0, 1, 1 / 2, 0, 1]
    assert _scaled([10, 30, 20, 1, 3], "rank", [1, 1, 1, 2, 2]) == [0, 1, 1 / 2, 0, 1]
    assert _scaled([1, 3, 5, 9], "z", [1, 1, 2, 2]) == [-1, 1, -1, 1]


@pytest.mark.parametrize("how", ["minmax", "z", "rank"])
def test_constant_features_become_0_and_missing_values_stay_missing(how: str) -> None:
    assert _scaled([0.1, 0.1, 0.1, 7, 4, 4], how, [1, 1, 1, 2, 3, 3]) == [0, 0, 0, 0, 0, 0]
    got = _scaled([NAN, 2, 4, NAN, NAN, 3, NAN], how, [1, 1, 1, 2, 2, 3, 3])
    expected = {"minmax": [0, 1], "z": [-1, 1], "rank": [0, 1]}[how]
    assert np.array_equal(got, [NAN, *expected, NAN, NAN, 0, NAN], equal_nan=True)


def test_ties_share_a_rank() -> None:
    assert _scaled([1, 1, 2], "rank", [1, 1, 1]) == [1 / 4, 1 / 4, 1]


def test_all_else_stays() -> None:
    data = rw.Dataset([[1.0, 2.0], [3.0, 2.0]], [0, 1], qid=["a", "a"], feature_names=["f", "g"])
    scaled = scale_queries(data)
    assert scaled.feature_names == ("f", "g")
    assert scaled.y.tolist() == [0, 1]
    assert scaled.X.dtype == np.float32
    assert scale_queries(scaled).X.tolist() == scaled.X.tolist()


def test_refusals() -> None:
    data = rw.Dataset(sp.csr_matrix(np.eye(2)), [0, 1])
    with pytest.raises(InputError, match="must be dense"):
        scale_queries(data)
    with pytest.raises(InputError, match="minmax"):
        scale_queries(rw.Dataset([[1.0]]), "min-max")  # type: ignore[arg-type]
