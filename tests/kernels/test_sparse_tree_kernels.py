"""The kernels of trees on sparse features: as their twins, and as the kernels of dense features on the same codes."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from hypothesis import given, settings, strategies as st

from rankwright.kernels import _native as native, reference

SEEDS = st.integers(0, 2**32 - 1)


def _columns(seed: int) -> tuple[Any, Any, Any]:
    """A sparse matrix by columns: few or many values, explicit zeros, missing values, columns without entries."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(int(rng.integers(1, 300)), int(rng.integers(1, 12)))).astype(np.float32)
    X[:, ::3] = np.round(X[:, ::3])
    X[rng.random(X.shape) < 0.05] = np.nan
    kept = rng.random(X.shape) < rng.choice([0.0, 0.1, 0.6, 1.0])
    X = np.where(kept, X, np.float32(0))
    by_column = sp.csc_matrix(X)
    by_column.data[rng.random(len(by_column.data)) < 0.1] = 0.0
    by_column.data[rng.random(len(by_column.data)) < 0.05] = -0.0
    return np.ascontiguousarray(by_column.toarray()), by_column.data, by_column.indptr.astype(np.int64)


@given(seed=SEEDS, max_bins=st.sampled_from([2, 5, 255]), n_threads=st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_thresholds_and_codes_are_those_of_dense_columns(seed: int, max_bins: int, n_threads: int) -> None:
    X, values, ptr = _columns(seed)
    cuts, cut_ptr = native.sparse_bin_cuts(values, ptr, len(X), max_bins, n_threads)
    for twin in (reference.sparse_bin_cuts(values, ptr, len(X), max_bins), native.bin_cuts(X, max_bins)):
        assert np.array_equal(cuts, twin[0])
        assert np.array_equal(cut_ptr, twin[1])
    codes = native.sparse_codes(values, ptr, cuts, cut_ptr)
    assert np.array_equal(codes, reference.sparse_codes(values, ptr, cuts, cut_ptr))


@given(seed=SEEDS, n_threads=st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_histograms_divisions_and_leaves(seed: int, n_threads: int) -> None:
    rng = np.random.default_rng(seed)
    n_rows, n_features = int(rng.choice([1, 30, 2000])), int(rng.integers(1, 10))
    n_codes = rng.integers(2, 40, n_features)
    usual_codes = (rng.random(n_features) * n_codes).astype(np.uint8)
    codes = np.tile(usual_codes, (n_rows, 1))
    other = rng.random(codes.shape) < rng.choice([0.0, 0.1, 0.9])
    codes = np.where(other, (rng.random(codes.shape) * n_codes).astype(np.uint8), codes)
    cell_ptr = np.concatenate([[0], np.cumsum(n_codes)]).astype(np.int64)
    row_of, feature_of = np.nonzero(codes != usual_codes)
    ptr = np.concatenate([[0], np.cumsum(np.bincount(row_of, minlength=n_rows))]).astype(np.int64)
    entries = ptr, (cell_ptr[feature_of] + codes[row_of, feature_of]).astype(np.int32)
    usual = cell_ptr[:-1] + usual_codes
    quantised = np.column_stack([rng.integers(-8191, 8192, n_rows), rng.integers(0, 8192, n_rows)]).astype(np.int16)
    rows = np.flatnonzero(rng.random(n_rows) < rng.choice([0.0, 0.3, 1.0])).astype(np.int32)

    cells = native.sparse_leaf_cells(entries, quantised, rows, cell_ptr, usual, 20, n_threads)
    assert np.array_equal(cells, reference.sparse_leaf_cells(entries, quantised, rows, cell_ptr, usual, 20))
    assert np.array_equal(cells, native.leaf_cells(codes, quantised, rows, cell_ptr, np.arange(n_features), 20))

    f = int(rng.integers(n_features))
    to_left = (rng.random(256) < 0.5).astype(np.uint8)
    of_f = (int(cell_ptr[f]), int(cell_ptr[f + 1]))
    divided = []
    for backend in (native, reference):
        mine = rows.copy()
        n_left = backend.sparse_divide_rows(
            entries, mine, np.empty_like(mine), of_f, int(usual_codes[f]), to_left.tobytes()
        )
        divided.append((n_left, mine.tolist()))
    goes = to_left[codes[rows, f]] > 0
    assert divided[0] == divided[1] == (int(goes.sum()), [*rows[goes].tolist(), *rows[~goes].tolist()])

    features = rng.integers(n_features, size=2)
    tables = (rng.random((2, 256)) < 0.5).astype(np.uint8)
    left, right = np.array([1, ~0], np.int32), np.array([~2, ~1], np.int32)
    of_splits = np.column_stack([cell_ptr[features], cell_ptr[features + 1]]).astype(np.int32)
    asked = entries, of_splits, usual_codes[features], tables, (left, right)
    leaves = native.sparse_leaves(*asked, n_threads)
    assert np.array_equal(leaves, reference.sparse_leaves(*asked))
    assert np.array_equal(leaves, native.code_leaves(codes, features, tables, left, right))
