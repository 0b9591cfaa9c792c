"""The native kernels of networks against their twins; and the twins' losses against their definitions."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from rankwright.kernels import reference
from rankwright.kernels.reference_networks import likelihood, pairs, top_one

native = pytest.importorskip("rankwright.kernels._native")

SEEDS = st.integers(0, 100_000)
LOSSES = ["pairs", "top_one", "likelihood"]


def _documents(seed: int, n_labels: int, spread: float, n_queries: int = 12) -> Any:
    rng = np.random.default_rng(seed)
    qptr = np.concatenate([[0], np.cumsum(rng.integers(0, 25, n_queries))]).astype(np.int64)
    n = int(qptr[-1])
    y = rng.integers(0, n_labels, n).astype(np.float32)
    scores = spread * rng.normal(size=n).round(1)
    return scores, y, native.label_levels(y, qptr, 1), rng.random(n) * (rng.random(n) < 0.9), qptr


@given(
    seed=SEEDS,
    loss=st.sampled_from(LOSSES),
    spread=st.sampled_from([0.0, 1.0, 30.0, 600.0]),
    n_labels=st.sampled_from([1, 2, 4, 30]),
    weighted=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_list_losses(seed: int, loss: str, spread: float, n_labels: int, weighted: bool) -> None:
    scores, y, levels, weights, qptr = _documents(seed, n_labels, spread)
    args = (loss, scores, y, levels, weights if weighted else None, qptr)
    gradient, losses = native.list_losses(*args, 2)
    same_gradient, same_losses = reference.list_losses(*args)
    assert np.allclose(gradient, same_gradient, rtol=1e-9, atol=1e-11)
    assert np.allclose(losses, same_losses, rtol=1e-9, atol=1e-11)
    assert np.allclose(np.add.reduceat(np.append(gradient, 0.0), qptr[:-1])[np.diff(qptr) > 0], 0.0, atol=1e-9)


@pytest.mark.parametrize("of", [lambda s, y: pairs(s, y, None), top_one, likelihood])
@given(seed=SEEDS, n_labels=st.sampled_from([2, 3, 8]))
@settings(max_examples=30, deadline=None)
def test_gradients_are_slopes(of: Any, seed: int, n_labels: int) -> None:
    rng = np.random.default_rng(seed)
    s, y = rng.normal(size=8), rng.integers(0, n_labels, 8)
    y[:2] = (0, 1)
    step = 1e-6 * np.eye(8)
    slopes = [(of(s + e, y)[0] - of(s - e, y)[0]) / 2e-6 for e in step]
    assert of(s, y)[1] == pytest.approx(slopes, abs=1e-7)


def test_the_likelihood_of_a_full_order_is_plackett_luces() -> None:
    """P(order) = Π e^s / Σ of those not yet drawn; over all orders it sums to 1."""
    s = np.array([0.3, -1.0, 2.0, 0.5])
    orders = list(permutations(range(4)))
    chances = []
    for order in orders:
        e = np.exp(s[list(order)])
        by_hand = np.prod([e[i] / e[i:].sum() for i in range(4)])
        y = np.empty(4)
        y[list(order)] = [3, 2, 1, 0]
        assert np.exp(-likelihood(s, y)[0]) == pytest.approx(by_hand, rel=1e-12)
        chances.append(by_hand)
    assert sum(chances) == pytest.approx(1.0)


def test_losses_by_hand() -> None:
    """Two documents, the better one a behind by 1: ln(1 + e); the same for the likelihood."""
    s, y = np.array([0.0, 1.0]), np.array([1, 0])
    assert pairs(s, y, None)[0] == pytest.approx(np.log1p(np.e))
    assert likelihood(s, y)[0] == pytest.approx(np.log1p(np.e))
    p = np.e / (1 + np.e)  # P_y = (p, 1 − p), P_s = (1 − p, p)
    assert top_one(s, y)[0] == pytest.approx(-p * np.log(1 - p) - (1 - p) * np.log(p))
    assert pairs(np.zeros(3), np.array([2, 1, 0]), np.array([1.0, 2.0, 3.0]))[1] == pytest.approx(
        [-(2 + 3) / 2 / 11, (2 - 6) / 2 / 11, (3 + 6) / 2 / 11]  # weights 2, 3 and 6 of pairs, ρ = ½
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_layers(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    for n, k, h in ((0, 3, 2), (1, 1, 1), (700, 7, 5), (1500, 3, 1)):
        x, W, b, up = rng.normal(size=(n, k)).astype(dtype), *map(rng.standard_normal, ((k, h), h, (n, h)))
        assert np.allclose(native.layer(x, W, b, 2), reference.layer(x, W, b), rtol=1e-12, atol=1e-13)
        assert np.allclose(native.layer_gradient(x, up, 2), reference.layer_gradient(x, up), rtol=1e-11, atol=1e-11)
    with pytest.raises(ValueError, match="3 columns meet 2 rows"):
        native.layer(np.zeros((1, 3)), np.zeros((2, 1)), np.zeros(1))


def test_same_bits_for_any_number_of_threads_and_rows() -> None:
    scores, y, levels, weights, qptr = _documents(0, 4, 1.0, n_queries=3000)
    rng = np.random.default_rng(1)
    x, W, b = rng.normal(size=(len(y), 6)).astype(np.float32), rng.normal(size=(6, 5)), rng.normal(size=5)
    up = rng.normal(size=(len(y), 5))
    of_threads = []
    for n in (1, 2, 3):
        made = [native.list_losses(loss, scores, y, levels, weights, qptr, n) for loss in LOSSES]
        of_layers = (native.layer(x, W, b, n), native.layer_gradient(x, up, n))
        of_threads.append([part.tobytes() for part in (*sum(made, ()), *of_layers)])
    assert of_threads[0] == of_threads[1] == of_threads[2]
    assert (native.layer(x, W, b, 2)[1234:1240] == native.layer(x[1234:1240], W, b, 1)).all()
