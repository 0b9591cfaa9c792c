"""The native kernels that grow trees against their NumPy twins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from rankwright.kernels import reference

native = pytest.importorskip("rankwright.kernels._native")

SEEDS = st.integers(0, 100_000)


def _cell_ptr(codes: Any, rng: np.random.Generator) -> Any:
    """More cells than codes where there may be; the last one for missing values."""
    n_cells = np.minimum(codes.max(axis=0, initial=0).astype(int) + 1 + rng.integers(0, 3, codes.shape[1]), 256)
    return np.concatenate([[0], np.cumsum(np.maximum(n_cells, 3))]).astype(np.int64)


def _codes(rng: np.random.Generator, n_rows: int, n_features: int) -> Any:
    tops = rng.choice([2, 5, 40, 255], n_features)
    return rng.integers(0, tops + 1, (n_rows, n_features)).astype(np.uint8)


@given(seed=SEEDS, n_rows=st.sampled_from([0, 1, 7, 700]), max_bins=st.sampled_from([2, 16, 255]))
@settings(max_examples=40, deadline=None)
def test_codes_by_rows(seed: int, n_rows: int, max_bins: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, int(rng.integers(1, 40)))).astype(np.float32)
    X[:, ::3] = np.round(X[:, ::3])
    X[rng.random(X.shape) < 0.1] = np.nan
    X[rng.random(X.shape) < 0.02] = -np.inf
    cuts, ptr = native.bin_cuts(X, max_bins, 1)
    used = np.flatnonzero(np.diff(ptr))
    codes, twin = np.zeros((2, n_rows, len(used)), np.uint8)
    native.code_rows(X, cuts, ptr, used, codes, 2)
    reference.code_rows(X, cuts, ptr, used, twin)
    assert np.array_equal(codes, twin)


@given(seed=SEEDS, hash_seed=st.integers(0, 2**63))
@settings(max_examples=40, deadline=None)
def test_quantising(seed: int, hash_seed: int) -> None:
    rng = np.random.default_rng(seed)
    gradients, hessians = rng.standard_cauchy(300), rng.random(300)
    gradients[::7] = -0.0
    scales = 8191 / np.abs(gradients).max(), 8191 / hessians.max()
    quantised = native.quantise(gradients, hessians, scales, hash_seed, 2)
    assert np.array_equal(quantised, reference.quantise(gradients, hessians, scales, hash_seed))
    assert np.abs(quantised - np.column_stack([gradients * scales[0], hessians * scales[1]])).max() <= 1


@given(seed=SEEDS, n=st.sampled_from([0, 1, 7, 8, 100, 40_000]), n_threads=st.integers(1, 3), odd=st.booleans())
@settings(max_examples=40, deadline=None)
def test_extents(seed: int, n: int, n_threads: int, odd: bool) -> None:
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=n), rng.random(n)
    if odd and n:
        numbers[int(rng.integers(2))][int(rng.integers(n))] = np.nan
    assert np.array_equal(native.extents(*numbers, n_threads), reference.extents(*numbers), equal_nan=True)


@given(seed=SEEDS, n=st.sampled_from([0, 1, 100, 40_000]), n_threads=st.integers(1, 3))
@settings(max_examples=20, deadline=None)
def test_leaves_are_added(seed: int, n: int, n_threads: int) -> None:
    rng = np.random.default_rng(seed)
    values, leaf_of, scores = rng.normal(size=9), rng.integers(0, 9, n).astype(np.int32), rng.normal(size=n)
    wanted = scores.copy()
    reference.add_leaves(wanted, leaf_of, values)
    native.add_leaves(scores, leaf_of, values, n_threads)
    assert np.array_equal(scores, wanted)


def test_quantising_is_right_in_the_mean() -> None:
    gradients = np.random.default_rng(0).uniform(0.2, 0.3, 40_000)
    quantised = native.quantise(gradients, gradients, (1.0, 2.0), 5)
    error = np.abs(quantised.mean(axis=0) - gradients.mean() * np.array([1, 2]))
    assert (error < 5 * 0.5 / np.sqrt(len(gradients))).all()


@given(seed=SEEDS, n_threads=st.integers(1, 3), drawn=st.booleans())
@settings(max_examples=60, deadline=None)
def test_histograms(seed: int, n_threads: int, drawn: bool) -> None:
    rng = np.random.default_rng(seed)
    n_rows = int(rng.choice([1, 30, 3000, 9000]))
    codes = _codes(rng, n_rows, int(rng.integers(1, 45)))
    ptr = _cell_ptr(codes, rng)
    quantised = np.column_stack([rng.integers(-8191, 8192, n_rows), rng.integers(0, 8192, n_rows)]).astype(np.int16)
    rows = np.flatnonzero(rng.random(n_rows) < rng.choice([0.0, 0.1, 1.0])).astype(np.int32)
    features = np.arange(codes.shape[1])
    if drawn:
        features = np.sort(rng.choice(features, len(features) // 2 + 1, replace=False))
    cells = native.leaf_cells(codes, quantised, rows, ptr, features, 20, n_threads)
    assert np.array_equal(cells, reference.leaf_cells(codes, quantised, rows, ptr, features, 20))


def test_histograms_of_the_largest_numbers_overflow_nothing() -> None:
    n = 300_000
    codes = np.zeros((n, 20), np.uint8)
    rows, ptr, features = np.arange(n, dtype=np.int32), np.arange(0, 61, 3), np.arange(20)
    for g in (-8191, 8191):
        quantised = np.full((n, 2), 8191, np.int16)
        quantised[:, 0] = g
        cells = native.leaf_cells(codes, quantised, rows, ptr, features, 19, 2)
        assert (cells[0, ::3] == g * n).all()
        assert (cells[1, ::3] == (8191 * n << 19) + n).all()


@given(
    seed=SEEDS,
    mse=st.booleans(),
    by_frequency=st.booleans(),
    bounds=st.sampled_from([(-np.inf, np.inf), (-0.1, 0.2), (0.0, np.inf)]),
)
@settings(max_examples=150, deadline=None)
def test_best_splits(seed: int, mse: bool, by_frequency: bool, bounds: tuple[float, float]) -> None:
    rng = np.random.default_rng(seed)
    n_rows = int(rng.choice([1, 2, 40, 2000]))
    codes = _codes(rng, n_rows, int(rng.integers(1, 30)))
    ptr = _cell_ptr(codes, rng)
    quantised = np.column_stack([rng.integers(-9, 10, n_rows), rng.integers(0, 4, n_rows)]).astype(np.int16)
    everything = np.arange(codes.shape[1])
    cells = native.leaf_cells(codes, quantised, np.arange(n_rows, dtype=np.int32), ptr, everything, 12)
    categorical = rng.random(len(everything)) < 0.3
    monotone = np.where(categorical, 0, rng.integers(-1, 2, len(everything)) * int(rng.integers(0, 2))).astype(np.int8)
    features = everything[rng.random(len(everything)) < 0.8]
    limits = (
        int(rng.integers(1, 20)),
        float(rng.choice([0.0, 5.0])),
        float(rng.choice([0, 3])),
        mse,
        2.0,
        by_frequency,
    )
    known = ptr, features, monotone, categorical, limits
    assert native.best_split(cells, known, bounds, 12, 2) == reference.best_split(cells, known, bounds, 12)
    # a step is its three parts together
    if n_rows < 2 or len(features) == 0:
        return
    to_left = (np.arange(256) <= codes[0, 0]).astype(np.uint8).tobytes()
    within = rng.choice([None, 1], 2).tolist()
    within = tuple(bounds if side else None for side in within)
    results = []
    for kernels in (native, reference):
        held, fresh = cells.copy(), np.zeros_like(cells)
        rows = np.arange(n_rows, dtype=np.int32)
        left_is_small = bool(2 * (codes[:, 0] <= codes[0, 0]).sum() <= n_rows)
        step = kernels.split_leaf(
            (codes, quantised),
            (codes, 0, to_left),
            (rows, np.empty_like(rows)),
            (held, fresh, left_is_small),
            known,
            within,
            12,
        )
        chosen = np.concatenate([np.arange(ptr[f], ptr[f + 1]) for f in features])
        results.append((step, rows.tolist(), held[:, chosen].tolist(), fresh[:, chosen].tolist()))
    assert results[0] == results[1]


@given(seed=SEEDS, n_rows=st.sampled_from([0, 1, 500, 70_000]), n_threads=st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_dividing_and_settling_rows(seed: int, n_rows: int, n_threads: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 9, (n_rows, 3)).astype(np.uint8)
    rows = np.flatnonzero(rng.random(n_rows) < 0.7).astype(np.int32)
    twin_rows, spare = rows.copy(), np.empty_like(rows)
    to_left = (rng.random(256) < 0.5).astype(np.uint8).tobytes()
    n_left = native.divide_rows(codes, rows, spare, 1, to_left, n_threads)
    assert n_left == reference.divide_rows(codes, twin_rows, spare, 1, to_left)
    assert np.array_equal(rows, twin_rows)
    begins, ends = np.array([n_left, 0]), np.array([len(rows), n_left])
    numbers = rng.normal(size=n_rows), rng.random(n_rows), (2.0**30, 2.0**31)
    leaf_of, twin_leaf_of = np.full(n_rows, -1, np.int32), np.full(n_rows, -1, np.int32)
    sums = native.settle_leaves(rows, begins, ends, *numbers, leaf_of, n_threads)
    assert np.array_equal(sums, reference.settle_leaves(rows, begins, ends, *numbers, twin_leaf_of))
    assert np.array_equal(leaf_of, twin_leaf_of)


@given(seed=SEEDS)
@settings(max_examples=20, deadline=None)
def test_leaves_by_codes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 9, (5000, 4)).astype(np.uint8)
    # split 1 hangs to the left of split 0, split 2 to the right of split 1
    left, right = np.array([1, ~0, ~1], np.int32), np.array([~3, 2, ~2], np.int32)
    features, to_left = rng.integers(0, 4, 3), (rng.random((3, 256)) < 0.5).astype(np.uint8)
    leaves = native.code_leaves(codes, features, to_left, left, right, 2)
    assert np.array_equal(leaves, reference.code_leaves(codes, features, to_left, left, right))
