"""Artificial data: the polynomial is the one described, and the seed decides everything."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.stats import kendalltau

from rankwright import InputError, artificial, artificial_fold
from rankwright.data.artificial import WEB_LIKE, Cubic, Domain, pairs


def by_definition(f: Cubic, x: np.ndarray) -> float:
    """Sums over i ≤ j ≤ k, term by term."""
    K = len(x)
    place = {(int(a), int(b)): p for p, (a, b) in enumerate(zip(*pairs(K), strict=True))}
    linear = sum(f.linear[i] * x[i] for i in range(K))
    quadratic = sum(f.quadratic[place[i, j]] * x[i] * x[j] for i, j in combinations_with_replacement(range(K), 2))
    cubic = sum(f.cubic[place[i, j], k] * x[i] * x[j] * x[k] for i, j, k in combinations_with_replacement(range(K), 3))
    return float(linear + quadratic + cubic)


@pytest.mark.parametrize("K", [1, 2, 5, 12, 23])
def test_the_polynomial_is_the_sum_over_all_terms(K: int) -> None:
    rng = np.random.default_rng(K)
    f = Cubic.draw(K, rng)
    X = rng.uniform(-1, 1, (7, K)).astype(np.float32)
    assert f(X) == pytest.approx([by_definition(f, x.astype(float)) for x in X], rel=1e-9, abs=1e-12)
    assert np.count_nonzero(f.cubic) == K * (K + 1) * (K + 2) // 6


def test_fifty_features_have_22100_cubic_coefficients() -> None:
    assert np.count_nonzero(Domain.draw(50, 0.0, 0).target.cubic) == 22_100


@pytest.mark.parametrize("K", [1, 2, 4])
def test_variances_are_exact(K: int) -> None:
    """Against Gauss–Legendre quadrature on a grid, exact for polynomials of degree 6."""
    nodes, weights = np.polynomial.legendre.leggauss(4)
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*[nodes] * K)], axis=1)
    mass = np.prod(np.stack([axis.ravel() for axis in np.meshgrid(*[weights / 2] * K)], axis=1), axis=1)
    f = Cubic.draw(K, np.random.default_rng(K))
    none = (np.zeros_like(f.linear), np.zeros_like(f.quadratic), np.zeros_like(f.cubic))
    alone = [
        Cubic(f.linear, none[1], none[2]),
        Cubic(none[0], f.quadratic, none[2]),
        Cubic(none[0], none[1], f.cubic),
    ]
    for part, variance in zip(alone, f.variances(), strict=True):
        values = np.array([by_definition(part, x) for x in grid])
        assert variance == pytest.approx(mass @ values**2 - (mass @ values) ** 2, rel=1e-12)
    assert f.scaled().variances() == pytest.approx([1, 1, 1], rel=1e-12)


def test_shape_and_ranges() -> None:
    data = artificial(n_queries=30, docs_per_query=20, n_features=8)
    assert (data.n_queries, data.n_docs, data.n_features) == (30, 600, 8)
    assert set(data.group_sizes.tolist()) == {20}
    assert data.query_ids.tolist() == list(range(1, 31))
    assert -1 <= data.X.min() < -0.99
    assert 0.99 < data.X.max() <= 1


def test_labels_are_spread_as_on_the_web() -> None:
    data = artificial(n_queries=400)
    shares = np.bincount(data.y.astype(int), minlength=5) / data.n_docs
    assert shares == pytest.approx(WEB_LIKE, abs=0.01)


def test_larger_targets_have_larger_labels() -> None:
    data = artificial(n_queries=50, n_features=6, rng=4)
    target = Domain.draw(6, 0.0, 4).target(data.X)
    for label in range(4):
        assert target[data.y == label].max() < target[data.y == label + 1].min()


def test_a_full_order_counts_the_documents_below() -> None:
    data = artificial(n_queries=9, docs_per_query=13, n_features=6, labels="order", rng=4)
    target = Domain.draw(6, 0.0, 4).target(data.X)
    for rows in data:
        below = (target[rows][:, None] > target[rows]).sum(axis=1)
        assert data.y[rows].tolist() == below.tolist()


def test_the_seed_decides_every_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    def bits(**how: object) -> bytes:
        data = artificial(n_queries=1400, n_features=7, **how)  # type: ignore[arg-type]
        return data.X.tobytes() + data.y.tobytes()

    first = bits(rng=3)
    monkeypatch.setenv("RANKWRIGHT_THREADS", "1")
    assert bits(rng=3) == first
    assert bits(rng=4) != first
    assert bits(rng=3, sample=1) != first
    assert bits(rng=3, shift=0.1) != first
    assert bits(rng=3, noise=0.1) != first
    a, b = (bits(rng=np.random.default_rng(0)) for _ in range(2))
    assert a == b


def test_a_fold_shares_its_target() -> None:
    fold = artificial_fold((30, 20, 10), n_features=6, rng=2)
    assert [part.n_queries for part in fold] == [30, 20, 10]
    ids = np.concatenate([part.query_ids for part in fold])
    assert ids.tolist() == list(range(1, 61))
    assert np.array_equal(fold.train.X, artificial(30, n_features=6, rng=2).X)
    target = Domain.draw(6, 0.0, 2).target
    for label in range(4):
        below = max(target(part.X)[part.y <= label].max() for part in fold)
        above = min(target(part.X)[part.y > label].min() for part in fold)
        assert below < above


def test_a_shift_is_a_related_domain() -> None:
    base = Domain.draw(10, 0.0, 0)
    X = base.documents(4000, np.random.default_rng(9))
    agreement = [kendalltau(base.target(X), Domain.draw(10, s, 0).target(X)).statistic for s in (0.0, 0.3, 0.6, 1.0)]
    assert agreement[0] == 1
    assert agreement == sorted(agreement, reverse=True)
    assert abs(agreement[-1]) < 0.3
    offset = Domain.draw(10, 0.8, 0).offset
    assert np.abs(offset).max() <= 0.4
    moved = artificial(100, n_features=10, shift=0.8).X.mean(axis=0)
    assert moved == pytest.approx(offset, abs=0.05)
    labels = artificial(200, n_features=10, shift=0.8).y.astype(int)
    assert np.bincount(labels, minlength=5) / len(labels) == pytest.approx(WEB_LIKE, abs=0.02)


def test_noise_moves_labels() -> None:
    clean, noisy = (artificial(100, n_features=6, noise=noise) for noise in (0.0, 1.0))
    assert np.array_equal(clean.X, noisy.X)
    assert 0.1 < (clean.y != noisy.y).mean() < 0.6


@pytest.mark.parametrize(
    "how",
    [
        {"n_queries": 0},
        {"docs_per_query": 0},
        {"n_features": 0},
        {"shift": 1.5},
        {"noise": -1.0},
        {"labels": "ranks"},
        {"label_shares": (0.5, 0.6)},
        {"label_shares": (1.0,)},
        {"sample": -1},
    ],
)
def test_options_that_are_refused(how: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(how))):
        artificial(**how)  # type: ignore[arg-type]


def test_generator_seeds_a_whole_fold() -> None:
    fold = artificial_fold((5, 5, 5), n_features=4, rng=np.random.default_rng(1))
    again = artificial_fold((5, 5, 5), n_features=4, rng=np.random.default_rng(1))
    assert np.array_equal(fold.test.y, again.test.y)


def test_a_tilted_domain_has_the_density_it_says_and_the_same_target() -> None:
    """E x_k = coth(c_k) − 1/c_k for density ∝ exp(c_k x) on [−1, 1]; labels are the untilted domain's."""
    domain = Domain.draw(6, 0.0, 3, tilt=4.0)
    assert np.linalg.norm(domain.tilt) == pytest.approx(4.0)
    data = artificial(n_queries=2000, n_features=6, rng=3, tilt=4.0)
    c = domain.tilt
    assert data.X.mean(axis=0) == pytest.approx(1 / np.tanh(c) - 1 / c, abs=0.01)
    assert np.abs(data.X).max() <= 1
    flat = artificial(n_queries=2000, n_features=6, rng=3, sample=1)
    cut = [domain.target(flat.X)[flat.y == label].min() for label in (1, 2)]
    value = domain.target(data.X)
    assert np.mean((data.y >= 1) != (value >= cut[0])) < 1e-3
    assert np.mean((data.y >= 2) != (value >= cut[1])) < 1e-3
    assert (
        artificial(n_queries=5, n_features=6, rng=3, tilt=0.0).X.tobytes()
        == artificial(5, n_features=6, rng=3).X.tobytes()
    )
    with pytest.raises(InputError, match="tilt"):
        artificial(5, tilt=1e4)
