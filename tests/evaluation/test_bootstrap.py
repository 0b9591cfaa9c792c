from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rankwright.evaluation.bootstrap import bca_intervals, resampled_means


def skewed(m, seed=0):
    return np.random.default_rng(seed).beta(0.4, 1.2, m)


def test_it_is_scipys_bca_interval():
    v = skewed(60)
    low, high = bca_intervals(v[:, None], n_resamples=20_000, rng=1)
    theirs = stats.bootstrap((v,), np.mean, method="BCa", n_resamples=20_000, rng=np.random.default_rng(2))
    width = high[0] - low[0]
    assert low[0] == pytest.approx(theirs.confidence_interval.low, abs=0.03 * width)
    assert high[0] == pytest.approx(theirs.confidence_interval.high, abs=0.03 * width)


def test_weights_are_scipys_bca_of_the_weighted_mean():
    v, w = skewed(60), np.random.default_rng(5).integers(1, 4, 60).astype(float)
    low, high = bca_intervals(v[:, None], w, n_resamples=20_000, rng=1)

    def weighted(v, w, axis):
        return (v * w).sum(axis=axis) / w.sum(axis=axis)

    theirs = stats.bootstrap(
        (v, w), weighted, paired=True, method="BCa", n_resamples=20_000, rng=np.random.default_rng(2)
    )
    width = high[0] - low[0]
    assert low[0] == pytest.approx(theirs.confidence_interval.low, abs=0.03 * width)
    assert high[0] == pytest.approx(theirs.confidence_interval.high, abs=0.03 * width)


def test_whole_weights_are_not_repeated_queries_but_have_the_same_mean():
    v = np.array([0.0, 1.0, 0.5])
    means = resampled_means(v[:, None], np.array([[1.0], [2.0], [1.0]]), 4_000, np.random.default_rng(0))
    assert means.mean() == pytest.approx((0.0 + 2.0 + 0.5) / 4, abs=0.1)
    assert means.min() == 0.0
    assert means.max() == 1.0


@pytest.mark.parametrize("m", [30, 100])
def test_it_holds_the_true_mean_about_as_often_as_it_says(m):
    true = 0.4 / (0.4 + 1.2)
    experiments = np.stack([skewed(m, seed) for seed in range(400)], axis=1)
    low, high = bca_intervals(experiments, n_resamples=1_000)
    covered = np.mean((low <= true) & (true <= high))
    assert 0.95 - 0.02 - 3 * np.sqrt(0.95 * 0.05 / 400) <= covered <= 0.95 + 3 * np.sqrt(0.95 * 0.05 / 400)


def test_a_missing_query_is_as_if_it_were_not_there():
    v = skewed(40)
    with_gaps = np.insert(v, [3, 20], np.nan)
    low, high = bca_intervals(with_gaps[:, None], n_resamples=20_000)
    alone = bca_intervals(v[:, None], n_resamples=20_000)
    assert [low[0], high[0]] == pytest.approx([alone[0][0], alone[1][0]], abs=0.01)


def test_edges():
    low, high = bca_intervals(np.array([[0.5, np.nan, 0.25], [0.5, np.nan, np.nan], [0.5, 0.1, np.nan]]))
    assert (low[0], high[0]) == (0.5, 0.5)
    assert np.isnan([*low[1:], *high[1:]]).all()


def test_the_seed_decides():
    v = skewed(50)[:, None]
    assert bca_intervals(v, rng=3) == bca_intervals(v, rng=3)
    assert bca_intervals(v, rng=3) != bca_intervals(v, rng=4)


def test_more_confidence_is_wider():
    v = skewed(50)[:, None]
    (low, high), (lower, higher) = bca_intervals(v), bca_intervals(v, confidence=0.99)
    assert lower < low < v.mean() < high < higher
