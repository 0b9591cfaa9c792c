"""What every feature is worth as a score: the kernel, its twin, and one measure call per feature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import rankwright as rw
from rankwright import kernels
from rankwright.kernels import reference
from rankwright.measures.values import measure_columns

MEASURES = ["nDCG@10", "nDCG@3", "AP", "AP@2", "RR(ties=worst)", "KendallTau", "P(ties=input)@5", "ERR(ties=docid)"]


def judged(seed: int, sizes: list[int], n_columns: int, values: int) -> tuple[np.ndarray, ...]:
    """Features of few and of many values, some missing; labels 0 to 4."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    X = rng.integers(-values, values + 1, (n, n_columns)).astype(np.float32) / np.float32(3)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 5, n).astype(np.float32)
    return X, y, np.concatenate([[0], np.cumsum(sizes)]), rng.permutation(n)


@pytest.mark.parametrize("name", MEASURES)
@settings(deadline=None, max_examples=10)
@given(
    st.integers(0, 2**32),
    st.lists(st.integers(1, 90), min_size=1, max_size=3),
    st.sampled_from([1, 3, 17]),
    st.sampled_from([1, 9, 10**6]),
    st.booleans(),
)
def test_kernel_and_twin_agree(name: str, seed: int, sizes: list[int], n: int, values: int, both: bool) -> None:
    X, y, qptr, ids = judged(seed, sizes, n, values)
    spec = rw.measure(name).bind(y).kernel_spec()
    native = kernels.measure_columns(spec, X, y, qptr, both, ids)
    np.testing.assert_allclose(native, reference.measure_columns(spec, X, y, qptr, both, ids), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_a_column_is_worth_what_it_is_as_scores(name: str) -> None:
    X, y, qptr, ids = judged(1, [1, 40, 70, 7, 300], 19, 50)
    m = rw.measure(name)
    found = measure_columns(m, y, X, qptr, both=True, doc_ids=ids, n_threads=1)
    columns = np.nan_to_num(X.astype(np.float64)).T
    expected = [m.per_query(y, s, qptr, doc_ids=ids) for s in [*columns, *-columns]]
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(found, measure_columns(m, y, X, qptr, both=True, doc_ids=ids, n_threads=4))


def test_scores_that_differ_beyond_single_precision_are_told_apart() -> None:
    n = 64
    scores = 1.0 + np.arange(n) * 2.0**-45  # one and the same in single precision, and in their upper halves
    labels = np.zeros(n)
    labels[[3, 60]] = 1
    expected = (1 / (n - 60) + 2 / (n - 3)) / 2
    assert rw.measure("AP").mean(labels, scores) == pytest.approx(expected, abs=1e-15)


def test_no_columns_and_no_queries_are_no_values() -> None:
    m = rw.measure("AP")
    y, X, qptr = np.zeros(0, np.float32), np.zeros((0, 3), np.float32), np.zeros(1, np.int64)
    assert measure_columns(m, y, X, qptr).shape == (3, 0)
    y, X, qptr = np.ones(2, np.float32), np.zeros((2, 0), np.float32), np.array([0, 2])
    assert measure_columns(m, y, X, qptr, both=True).shape == (0, 1)
