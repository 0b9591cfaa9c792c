"""The native kernels of boosting against their NumPy twins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from rankwright.kernels import reference

native = pytest.importorskip("rankwright.kernels._native")

SEEDS = st.integers(0, 100_000)


def _features(rng: np.random.Generator, n_rows: int, n_columns: int) -> Any:
    """Columns of many, few and one value, with −0, huge values and gaps."""
    X = rng.normal(size=(n_rows, n_columns)).astype(np.float32)
    X[:, ::3] = np.round(X[:, ::3])
    X[:, 1::5] = -0.0 if rng.random() < 0.5 else 3.0
    X[rng.random(X.shape) < 0.02] = 3e38
    X[rng.random(X.shape) < rng.choice([0.0, 0.3])] = np.nan
    return X


def _queries(rng: np.random.Generator, n_queries: int) -> Any:
    sizes = rng.integers(1, 30, n_queries)
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


@given(seed=SEEDS, n_rows=st.sampled_from([0, 1, 7, 300, 3000]), max_bins=st.sampled_from([2, 3, 16, 255]))
@settings(max_examples=60, deadline=None)
def test_bins(seed: int, n_rows: int, max_bins: int) -> None:
    rng = np.random.default_rng(seed)
    X = _features(rng, n_rows, int(rng.integers(1, 20)))
    cuts, ptr = native.bin_cuts(X, max_bins, 2)
    cuts_twin, ptr_twin = reference.bin_cuts(X, max_bins)
    assert np.array_equal(cuts, cuts_twin)
    assert np.array_equal(ptr, ptr_twin)
    codes = native.bin_codes(X, cuts, ptr, 2)
    assert np.array_equal(codes, reference.bin_codes(X, cuts, ptr))
    numbers = rng.normal(size=n_rows)
    cells = native.bin_histograms(codes, numbers, 2.0**40, 2)
    assert np.array_equal(cells, reference.bin_histograms(codes, numbers, 2.0**40))
    table, added, added_twin = rng.normal(size=256), numbers.copy(), numbers.copy()
    native.add_by_code(added, codes[0], table, 2)
    reference.add_by_code(added_twin, codes[0], table)
    assert np.array_equal(added, added_twin)


@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize("n_columns", [1, 5, 9, 46])
def test_histograms_of_many_rows(n_columns: int, n_threads: int) -> None:
    rng = np.random.default_rng(n_columns)
    codes = rng.integers(0, 256, (n_columns, 150_001), dtype=np.uint8)
    numbers = rng.normal(size=codes.shape[1])
    cells = native.bin_histograms(codes, numbers, 2.0**30, n_threads)
    expected = np.array([np.bincount(c, np.trunc(numbers * 2.0**30), minlength=256) for c in codes])
    assert np.array_equal(cells, expected.astype(np.int64))


@given(seed=SEEDS, spread=st.sampled_from([0.0, 1.0, 100.0, 2000.0]))
@settings(max_examples=60, deadline=None)
def test_potentials(seed: int, spread: float) -> None:
    """At a spread of 2000 exp(F) overflows; pairs that are misordered by so much may be infinite, as they should."""
    rng = np.random.default_rng(seed)
    qptr = _queries(rng, 20)
    n = int(qptr[-1])
    y = rng.integers(0, 4, n).astype(np.float32)
    levels = native.label_levels(y, qptr, 2)
    assert np.array_equal(levels, reference.label_levels(y, qptr))
    a, b = rng.random(n) * (rng.random(n) < 0.9), rng.random(n)
    F = spread * (levels + rng.normal(size=n) * 0.01)  # in order for the most part
    got, twin = native.pair_potentials(F, levels, a, b, qptr, 2), reference.pair_potentials(F, levels, a, b, qptr)
    for ours, theirs in zip(got, twin, strict=True):
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-12 * max(1.0, np.abs(theirs).max(initial=0.0)))


@given(seed=SEEDS)
@settings(max_examples=40, deadline=None)
def test_positions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    qptr = _queries(rng, 12)
    X = _features(rng, int(qptr[-1]), int(rng.integers(1, 20)))
    h = native.mean_positions(X, qptr, 2)
    assert np.array_equal(h, reference.mean_positions(X, qptr))
    numbers = rng.normal(size=len(X))
    dots, twin = native.query_dots(h, numbers, qptr, 2.0**40, 2), reference.query_dots(h, numbers, qptr, 2.0**40)
    assert np.abs(dots - twin).max() <= 2.0**40 * 1e-10


@given(seed=SEEDS, n_rows=st.sampled_from([0, 1, 63, 64, 65, 2000]))
@settings(max_examples=40, deadline=None)
def test_stumps(seed: int, n_rows: int) -> None:
    rng = np.random.default_rng(seed)
    X = _features(rng, n_rows, 6)
    T = int(rng.integers(0, 12))
    stumps = (
        rng.integers(0, 6, T),
        rng.normal(size=T).astype(np.float32),
        rng.normal(size=T),
        rng.random(T) < 0.5,
    )
    for width in (512, 256, 128):
        for n_threads in (1, 2):
            found = native.stump_scores(X, *stumps, width, n_threads)
            assert np.array_equal(found, reference.stump_scores(X, *stumps))
