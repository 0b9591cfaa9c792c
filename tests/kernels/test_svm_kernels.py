"""The native kernels of structural SVMs against their twins, and both against all rankings written out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings, strategies as st

import rankwright as rw
from rankwright.kernels import reference

native = pytest.importorskip("rankwright.kernels._native")

SEEDS = st.integers(0, 100_000)
LOSSES = ["ap", "auc", "ndcg", "pairs", "rr"]


def _queries(seed: int, n_labels: int, spread: float, largest: int = 30) -> Any:
    """Scores (some of them equal), levels, gains or weights, offsets."""
    rng = np.random.default_rng(seed)
    qptr = np.concatenate([[0], np.cumsum(rng.integers(0, largest, 12))]).astype(np.int64)
    n = int(qptr[-1])
    labels = rng.integers(0, n_labels, n).astype(np.float32)
    levels = native.label_levels(labels, qptr, 1)
    scores = spread * (levels * rng.random() + rng.normal(size=n))
    return (
        np.where(rng.random(n) < 0.3, np.round(scores), scores),
        levels,
        2.0 ** labels.astype(float) - 1.0,
        rng.random(n),
        qptr,
    )


@pytest.mark.parametrize("loss", LOSSES)
@given(seed=SEEDS, n_labels=st.sampled_from([1, 2, 3, 20]), spread=st.sampled_from([0.0, 0.01, 0.3, 3.0]))
@settings(max_examples=60, deadline=None)
def test_most_violated_is_its_twin(loss: str, seed: int, n_labels: int, spread: float) -> None:
    """The value Δ + Σ g s is the same to rounding, whichever of equally bad rankings is found."""
    scores, levels, gains, weights, qptr = _queries(seed, n_labels, spread)
    brings = gains if loss == "ndcg" else weights
    got, one, twin = (
        k(loss, scores, levels, brings, qptr, n)
        for k, n in ((native.most_violated, 3), (native.most_violated, 1), (reference.most_violated, 1))
    )
    assert [part.tobytes() for part in got] == [part.tobytes() for part in one]
    values = [d + np.add.reduceat(np.append(g * scores, 0.0), qptr[:-1]) * (np.diff(qptr) > 0) for g, d in (got, twin)]
    assert np.allclose(*values, rtol=1e-9, atol=1e-11)
    assert np.allclose(np.add.reduceat(np.append(got[0], 0.0), qptr[:-1]) * (np.diff(qptr) > 0), 0.0, atol=1e-12)


@pytest.mark.parametrize("largest", [30, 400])  # pairs are listed, and summed
@given(
    seed=SEEDS,
    n_labels=st.sampled_from([1, 2, 3, 20]),
    spread=st.sampled_from([0.0, 0.3, 30.0]),
    width=st.sampled_from([2.0, 0.3, 1e-3]),
    slope=st.sampled_from([1.0, 2.0]),
)
@settings(max_examples=40, deadline=None)
def test_smoothed_pairs_are_their_twin(
    largest: int, seed: int, n_labels: int, spread: float, width: float, slope: float
) -> None:
    """And what the risk has on top is what the hinge has: the three of them say the mean hinge."""
    scores, levels, _, weights, qptr = _queries(seed, n_labels, spread, largest)
    got, one, twin = (
        k.smoothed_pairs(slope, width, scores, levels, weights, qptr, n)
        for k, n in ((native, 3), (native, 1), (reference, 1))
    )
    assert [part.tobytes() for part in got] == [part.tobytes() for part in one]
    for ours, theirs, size in zip(got, twin, (1.0, 1.0, 1.0 + spread), strict=True):
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-11 * size / width)
    for q, (a, b) in enumerate(pairwise(qptr)):
        i, j = np.nonzero(levels[a:b, None] > levels[None, a:b])
        if len(i):
            s, w = scores[a:b], weights[a:b]
            hinge = np.average(np.maximum(0.0, 1.0 - slope * (s[i] - s[j])), weights=w[i] * w[j])
            assert got[1][q] + got[0][a:b] @ s + got[2][q] == pytest.approx(hinge, rel=1e-9, abs=1e-10 / width)
            assert 0.0 <= got[2][q] <= width / 8 + 1e-9


def test_the_smoothed_hinge_turns_as_its_pairs_say() -> None:
    """Pairs are swapped by the slope of the rounded hinge: the derivative of its mean by each score."""
    scores, levels, _, weights, _ = _queries(5, 3, 1.0, 12)
    qptr, width = np.array([0, len(scores)]), 0.7
    i, j = np.nonzero(levels[:, None] > levels[None, :])

    def mean(s: np.ndarray) -> float:
        t = 1.0 + width - (s[i] - s[j])
        rounded = np.where(t > 2 * width, t - width, np.where(t > 0, t**2 / (4 * width), 0.0))
        return float(np.average(rounded, weights=weights[i] * weights[j]))

    g, *_ = native.smoothed_pairs(1.0, width, scores, levels, weights, qptr)
    for d, step in enumerate(1e-6 * np.eye(len(scores))):
        assert g[d] == pytest.approx((mean(scores + step) - mean(scores - step)) / 2e-6, abs=1e-8)


@given(seed=SEEDS, n_pairs=st.sampled_from([0, 7, 900]), width=st.sampled_from([0.25, 2.0]))
@settings(max_examples=30, deadline=None)
def test_a_newton_step_is_its_twin(seed: int, n_pairs: int, width: float) -> None:
    rng = np.random.default_rng(seed)
    d, shares, w = rng.normal(size=(n_pairs, 6)).astype(np.float32), rng.random(n_pairs), rng.normal(size=6)
    steps = [k.newton_step(d, shares, w, 2.0, width, 30.0, np.arange(6.0)) for k in (native, reference)]
    assert np.allclose(*steps, rtol=1e-8, atol=1e-10)
    near = np.abs(1.0 - 2.0 * (d.astype(float) @ w)) < width
    if n_pairs and near.sum() < 64 * 6:
        H = (d[near] * shares[near, None]).T.astype(float) @ d[near] / shares.sum() * 4.0 / (2.0 * width)
        assert np.allclose(steps[0] + 30.0 * H @ steps[0], np.arange(6.0), atol=1e-4)


# -- enumeration ---------------------------------------------------------------------------------------------------


def _psi(y: np.ndarray, order: Any) -> np.ndarray:
    """Per document, its coefficient in ψ(ranking) of binary labels: Σ over pairs ±(φ_i − φ_j)/(R N)."""
    place = np.argsort(order)
    i, j = np.nonzero(y)[0], np.nonzero(y == 0)[0]
    sign = np.where(place[i][:, None] < place[j][None, :], 1.0, -1.0) / (len(i) * len(j))
    g = np.zeros(len(y))
    g[i], g[j] = sign.sum(axis=1), -sign.sum(axis=0)
    return g


def _loss(measure: str) -> Callable[[np.ndarray, Any], float]:
    return lambda y, order: 1.0 - rw.measure(measure).of_ranking(y[list(order)].astype(np.float32))


def _worst(y: np.ndarray, s: np.ndarray, loss: Callable[[np.ndarray, Any], float]) -> float:
    """max over all rankings of Δ + w·ψ − w·ψ(true)."""
    true = _psi(y, np.argsort(-y, kind="stable"))
    return max(loss(y, order) + (_psi(y, order) - true) @ s for order in permutations(range(len(y))))


def _labels_and_scores(seed: int, n_labels: int, n: int = 6) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_labels, n)
    y[:2] = 0, n_labels - 1
    return y, rng.choice([0.0, 0.2, 1.0, 4.0]) * (y * rng.random() + np.round(rng.normal(size=n), rng.integers(0, 3)))


def _value(kernels: Any, loss: str, y: np.ndarray, s: np.ndarray, brings: np.ndarray | None = None) -> float:
    qptr = np.array([0, len(y)])
    levels = np.unique(y, return_inverse=True)[1].astype(np.int32)
    g, delta = kernels.most_violated(loss, s, levels, np.ones(len(y)) if brings is None else brings, qptr)
    return float(delta[0] + g @ s)


@pytest.mark.parametrize("kernels", [native, reference], ids=["native", "twin"])
@pytest.mark.parametrize(("loss", "measure"), [("ap", "AP"), ("auc", "AUC"), ("rr", "RR"), ("ndcg", "nDCG")])
@given(seed=SEEDS)
@settings(max_examples=12, deadline=None)
def test_no_ranking_is_more_violated(kernels: Any, loss: str, measure: str, seed: int) -> None:
    y, s = _labels_and_scores(seed, 2)
    brings = y.astype(float) if loss == "ndcg" else None
    assert _value(kernels, loss, y, s, brings) == pytest.approx(_worst(y, s, _loss(measure)), abs=1e-12)


@pytest.mark.parametrize("kernels", [native, reference], ids=["native", "twin"])
@given(seed=SEEDS)
@settings(max_examples=12, deadline=None)
def test_graded_ndcg_is_the_mean_over_thresholds_and_bounds_the_loss(kernels: Any, seed: int) -> None:
    y, s = _labels_and_scores(seed, 4)
    gains, D = 2.0**y - 1.0, 1.0 / np.log2(2.0 + np.arange(len(y)))
    ideal = np.sort(gains)[::-1] @ D
    by_hand = 0.0
    for low, high in zip(np.unique(gains)[:-1], np.unique(gains)[1:], strict=True):
        binary = (gains >= high).astype(int)
        by_hand += (high - low) * D[: binary.sum()].sum() / ideal * _worst(binary, s, _loss("nDCG"))
    value = _value(kernels, "ndcg", y, s, gains)
    assert value == pytest.approx(by_hand, abs=1e-12)
    assert value >= _loss("nDCG")(y, np.argsort(-s, kind="stable")) - 1e-12


def _assignments(n: int) -> Iterator[tuple[int, ...]]:
    return product((0, 1), repeat=n)


@pytest.mark.parametrize("kernels", [native, reference], ids=["native", "twin"])
@given(seed=SEEDS)
@settings(max_examples=12, deadline=None)
def test_graded_pairs_are_swapped_each_for_itself(kernels: Any, seed: int) -> None:
    """The best of all 2^pairs ways to swap pairs, with weights w_i w_j."""
    y, s = _labels_and_scores(seed, 3, 5)
    w = np.random.default_rng(seed).random(5) + 0.1
    i, j = np.nonzero(y[:, None] > y[None, :])
    share = w[i] * w[j] / (w[i] * w[j]).sum()
    best = max(float((share * (1.0 - (s[i] - s[j]))) @ np.array(c)) for c in _assignments(len(i)))
    assert _value(kernels, "pairs", y, s, w) == pytest.approx(best, abs=1e-12)


def test_the_order_of_documents_does_not_matter() -> None:
    scores, levels, gains, *_ = _queries(3, 3, 1.0, 40)
    turn = np.random.default_rng(0).permutation(len(scores))
    qptr = np.array([0, len(scores)])
    for loss in LOSSES:
        g, delta = native.most_violated(loss, scores, levels, gains, qptr)
        turned, same = native.most_violated(loss, scores[turn], levels[turn], gains[turn], qptr)
        assert np.allclose(g[turn], turned, atol=1e-14)
        assert delta == pytest.approx(same)


def test_an_unknown_loss_is_refused() -> None:
    for kernels in (native, reference):
        with pytest.raises(ValueError, match="no loss is called map"):
            kernels.most_violated("map", np.zeros(0), np.zeros(0, np.int32), np.zeros(0), np.array([0]))


# -- features times weights ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_rows", [0, 5, 9000])
def test_rows_times_weights_and_their_sums(n_rows: int) -> None:
    """Dense and sparse agree to the last bit, for any number of threads; and with the twin."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(n_rows, 21)).astype(np.float32)
    x[rng.random(x.shape) < 0.5] = 0.0
    w, numbers, scale = rng.normal(size=21), rng.normal(size=n_rows), np.ldexp(1.0, rng.integers(30, 45, 21))
    csr = sp.csr_matrix(x)
    parts = csr.data, csr.indices.astype(np.int32), csr.indptr.astype(np.int64)
    scores, sums = reference.row_scores(x, w), reference.column_sums(x, numbers, scale)
    for n_threads in (1, 3):
        dense, sparse = native.row_scores(x, w, n_threads), native.csr_row_scores(*parts, w, n_threads)
        assert dense.tobytes() == sparse.tobytes()
        assert np.allclose(dense, scores, rtol=1e-12, atol=1e-12)
        assert native.column_sums(x, numbers, scale, n_threads).tolist() == sums.tolist()
        assert native.csr_column_sums(*parts, numbers, scale, n_threads).tolist() == sums.tolist()
    assert np.allclose(reference.csr_row_scores(*parts, w), scores, rtol=1e-12, atol=1e-12)
    assert reference.csr_column_sums(*parts, numbers, scale).tolist() == sums.tolist()


# -- the dual ------------------------------------------------------------------------------------------------------


@given(
    seed=SEEDS,
    n_planes=st.integers(1, 25),
    n_features=st.sampled_from([1, 4, 30]),
    capacity=st.sampled_from([1e-3, 1.0, 1e4]),
    copies=st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_weights_of_planes(seed: int, n_planes: int, n_features: int, capacity: float, copies: bool) -> None:
    """The conditions of the optimum hold, for planes that repeat each other, too; the twin is as good."""
    rng = np.random.default_rng(seed)
    A, b = rng.normal(size=(n_planes, n_features)), rng.normal(size=n_planes)
    if copies:
        A[n_planes // 2 :], b[n_planes // 2 :] = A[0], b[0]
    gram, start = A @ A.T, np.zeros(n_planes)
    start[0] = capacity / 2
    values = []
    for kernels in (native, reference):
        alpha = kernels.plane_weights(gram, b, capacity, start)
        assert (alpha >= 0).all()
        assert alpha.sum() <= capacity * (1 + 1e-9)
        residual = b - gram @ alpha
        level = max(residual.max(), 0.0)  # the price of Σα
        size = 1.0 + np.abs(b).max() + np.abs(gram @ alpha).max()
        assert alpha @ (level - residual) + level * (capacity - alpha.sum()) <= 1e-7 * capacity * size
        values.append(b @ alpha - 0.5 * alpha @ gram @ alpha)
    assert values[0] == pytest.approx(values[1], rel=1e-7, abs=1e-9 * capacity)
