"""Bins: exact where a feature has few values, of equal size where it has many, the same for every order of rows."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from hypothesis import given, settings, strategies as st

from rankwright.learners import Bins


def _column(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)[:, None]


def test_few_values_have_a_threshold_between_any_two() -> None:
    bins = Bins.of(_column(3, 1, 2, 1, 3))
    assert bins.of_feature(0).tolist() == [(1 + 2) / 2, (2 + 3) / 2]
    assert bins.codes(_column(0, 1, 1.5, 1.6, 9)).tolist() == [[0, 0, 0, 1, 2]]


def test_many_values_are_divided_into_bins_of_equal_size() -> None:
    codes = Bins.of(np.arange(1000, dtype=np.float32)[:, None], max_bins=4).codes(
        np.arange(1000, dtype=np.float32)[:, None]
    )
    assert np.bincount(codes[0]).tolist() == [250, 250, 250, 250]


def test_a_value_that_fills_more_than_its_share_leaves_the_other_bins_to_the_rest() -> None:
    x = np.concatenate([np.zeros(900), np.arange(1, 101)]).astype(np.float32)[:, None]
    counts = np.bincount(Bins.of(x, max_bins=5).codes(x)[0])
    assert counts.tolist() == [900, 25, 25, 25, 25]


def test_missing_values_have_a_code_of_their_own_and_can_be_told_from_all_others() -> None:
    x = _column(1, np.nan, 2)
    bins = Bins.of(x)
    assert bins.codes(x).tolist() == [[1, 255, 2]]
    assert bins.of_feature(0)[0] < -3e38


def test_constant_features_are_not_used() -> None:
    X = np.array([[1, 5, 0], [1, 6, 0]], dtype=np.float32)
    bins = Bins.of(X)
    assert bins.used.tolist() == [1]
    assert bins.codes(X).tolist() == [[0, 1]]
    assert bins.row_of(1) == 0


def test_neighbouring_floats_are_still_told_apart() -> None:
    a = np.float32(1.0)
    b = np.nextafter(a, np.float32(2.0))
    x = np.array([[a], [b]])
    assert Bins.of(x).codes(x).tolist() == [[0, 1]]


@given(seed=st.integers(0, 10_000), max_bins=st.integers(2, 255))
@settings(max_examples=50, deadline=None)
def test_thresholds_say_what_codes_say_and_depend_on_no_order(seed: int, max_bins: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(200, 3)), rng.integers(0, 4)).astype(np.float32)
    X[rng.random(X.shape) < 0.1] = np.nan
    bins = Bins.of(X, max_bins)
    shuffled = Bins.of(X[rng.permutation(200)], max_bins, n_threads=2)
    assert np.array_equal(bins.cuts, shuffled.cuts)
    codes = bins.codes(X)
    for row, k in enumerate(bins.used):
        cuts = bins.of_feature(int(k))
        assert len(cuts) < max_bins
        present = ~np.isnan(X[:, k])
        assert ((X[present, k, None] > cuts) == (codes[row, present, None] > np.arange(len(cuts)))).all()


def test_sparse_columns_are_binned_as_dense_ones() -> None:
    rng = np.random.default_rng(3)
    X = (rng.normal(size=(50, 40)) * (rng.random((50, 40)) < 0.2)).astype(np.float32)
    dense, sparse = Bins.of(X), Bins.of(sp.csr_matrix(X))
    assert np.array_equal(dense.cuts, sparse.cuts)
    assert np.array_equal(dense.cut_ptr, sparse.cut_ptr)
    assert np.array_equal(dense.codes(X), sparse.codes(sp.csr_matrix(X)))
