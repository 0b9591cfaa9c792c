"""The native kernels of weighted pairs against their twins, which write every pair out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from rankwright.kernels import reference

native = pytest.importorskip("rankwright.kernels._native")

SEEDS = st.integers(0, 100_000)
RULES = st.tuples(st.sampled_from(["mean", "product", "min", "max"]), st.sampled_from([1, 2, 7]), st.booleans())
ONE = 2.0**50


def _documents(seed: int, n_labels: int, spread: float, n_queries: int = 12) -> Any:
    rng = np.random.default_rng(seed)
    qptr = np.concatenate([[0], np.cumsum(rng.integers(0, 25, n_queries))]).astype(np.int64)
    n = int(qptr[-1])
    levels = native.label_levels(rng.integers(0, n_labels, n).astype(np.float32), qptr, 1)
    F = spread * (levels + rng.normal(size=n))
    weights = rng.random(n) * (rng.random(n) < 0.9)
    codes = rng.integers(0, 9, (5, n), dtype=np.uint8)
    codes[rng.random(codes.shape) < 0.2] = 255
    return rng, qptr, levels, F, weights, rng.random(n_queries), codes


@given(seed=SEEDS, rule=RULES, spread=st.sampled_from([0.0, 1.0, 20.0]), n_labels=st.sampled_from([1, 2, 4, 30]))
@settings(max_examples=80, deadline=None)
def test_potentials_of_weighted_pairs(seed: int, rule: Any, spread: float, n_labels: int) -> None:
    _, qptr, levels, F, weights, omega, _ = _documents(seed, n_labels, spread)
    got = native.weighted_pair_potentials(F, levels, weights, omega, qptr, rule, 2)
    twin = reference.weighted_pair_potentials(F, levels, weights, omega, qptr, rule)
    for ours, theirs in zip(got, twin, strict=True):
        assert np.allclose(ours, theirs, rtol=1e-11, atol=1e-12 * max(1.0, np.abs(theirs).max(initial=0.0)))


@given(seed=SEEDS, rule=RULES, fires=st.booleans(), n_labels=st.sampled_from([1, 2, 4, 30]))
@settings(max_examples=60, deadline=None)
def test_agreements_of_weighted_pairs(seed: int, rule: Any, fires: bool, n_labels: int) -> None:
    _, qptr, levels, F, weights, omega, codes = _documents(seed, n_labels, 0.5)
    scale = ONE / 2.0**20
    got = native.pair_agreements(codes, F, levels, weights, omega, qptr, rule, scale, fires, 2)
    twin = reference.pair_agreements(codes, F, levels, weights, omega, qptr, rule, scale, fires)
    assert np.abs(_above(got) - _above(twin)).max(initial=0) <= 1e-11 * np.abs(_above(twin)).max(initial=0) + 10_000


@given(seed=SEEDS, fires=st.booleans(), n_labels=st.sampled_from([1, 2, 4, 30]))
@settings(max_examples=60, deadline=None)
def test_agreements_of_pairs_that_factorise(seed: int, fires: bool, n_labels: int) -> None:
    rng, qptr, levels, _, _, _, codes = _documents(seed, n_labels, 1.0)
    a, b = rng.random((2, len(levels)))
    got = native.factored_agreements(codes, levels, a, b, qptr, ONE / 2.0**12, fires, 2)
    twin = reference.factored_agreements(codes, levels, a, b, qptr, ONE / 2.0**12, fires)
    assert np.abs(_above(got) - _above(twin)).max(initial=0) <= 10_000  # of sums up to 2^50


def test_cells_by_hand() -> None:
    """One pair: the better document has the codes 2, 0 and missing, the worse one 0, 1 and 1."""
    codes = np.array([[2, 0], [0, 1], [255, 1]], dtype=np.uint8)
    args = (np.zeros(2), np.array([1, 0], np.int32), np.array([0.5, 0.25]), np.ones(1), np.array([0, 2]))
    for kernels in (native, reference):
        low = _above(kernels.pair_agreements(codes, *args, ("product", 1, False), 8.0, False))
        high = _above(kernels.pair_agreements(codes, *args, ("product", 1, False), 8.0, True))
        assert low[0, :, :3].tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 0]]  # 8 · ½ · ¼, right for b = 0 and 1
        assert low[1, :, :3].tolist() == [[0, 0, 0], [1, 0, 0], [1, 0, 0]]  # a missing value stays below
        assert high[0, 2, :4].tolist() == [0, 1, 1, 1]  # or fires whatever b is
        assert high[1, 2].tolist() == [0] * 256


@given(seed=SEEDS, n_labels=st.sampled_from([1, 2, 5, 40]), n_scores=st.sampled_from([1, 3, 1000]))
@settings(max_examples=60, deadline=None)
def test_ordered_pairs(seed: int, n_labels: int, n_scores: int) -> None:
    rng, qptr, levels, *_ = _documents(seed, n_labels, 1.0)
    scores = rng.integers(0, n_scores, len(levels)).astype(float)
    assert (
        native.ordered_pairs(scores, levels, qptr, 2).tolist() == reference.ordered_pairs(scores, levels, qptr).tolist()
    )


def test_same_bits_for_any_number_of_threads() -> None:
    _, qptr, levels, F, weights, omega, codes = _documents(0, 4, 1.0, n_queries=800)
    of_threads = []
    for n in (1, 2, 3):
        pi, mass = native.weighted_pair_potentials(F, levels, weights, omega, qptr, ("mean", 3, False), n)
        cells = native.pair_agreements(codes, F, levels, weights, omega, qptr, ("mean", 3, False), ONE, True, n)
        swept = native.factored_agreements(codes, levels, weights, weights, qptr, ONE, True, n)
        counts = native.ordered_pairs(F, levels, qptr, n)
        of_threads.append([part.tobytes() for part in (pi, mass, cells, swept, counts)])
    assert of_threads[0] == of_threads[1] == of_threads[2]


def _above(cells: Any) -> Any:
    """The sums over the codes above each b."""
    sums = np.cumsum(cells[:, :, ::-1], axis=2)[:, :, ::-1]
    return np.concatenate([sums[:, :, 1:], np.zeros_like(sums[:, :, :1])], axis=2)
