"""The best stump against trying all of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from rankwright import kernels
from rankwright.learners import Bins, Stump, best_stump


def _histograms(X: np.ndarray, pi: np.ndarray) -> tuple[np.ndarray, Bins]:
    bins = Bins.of(X)
    return kernels.bin_histograms(bins.codes(X), pi, 1.0), bins


@given(seed=st.integers(0, 10_000), gaps=st.sampled_from([0.0, 0.3]))
@settings(max_examples=60, deadline=None)
def test_it_is_the_best_of_all(seed: int, gaps: float) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (40, 4)).astype(np.float32)
    X[rng.random(X.shape) < gaps] = np.nan
    pi = rng.integers(-100, 100, 40).astype(np.float64)
    pi[-1] -= pi.sum()
    h, best = best_stump(*_histograms(X, pi))
    thresholds = [-3.4e38, *np.arange(0.5, 5.5)]
    all_of_them = [Stump(k, t, m) for k in range(4) for t in thresholds for m in (False, True)]
    assert h is not None
    assert abs(best) == max(abs(pi @ s(X)) for s in all_of_them)
    assert best == pi @ h(X)


def test_equal_stumps_go_to_the_first_feature_and_the_lowest_threshold() -> None:
    X = np.array([[0, 0], [1, 1], [2, 2]], dtype=np.float32)
    h, best = best_stump(*_histograms(X, np.array([-5.0, 0.0, 5.0])))
    assert (h, best) == (Stump(0, 0.5), 5)


def test_missing_values_take_the_better_side() -> None:
    X = np.array([[0], [1], [np.nan]], dtype=np.float32)
    fires, _ = best_stump(*_histograms(X, np.array([-5.0, 2.0, 3.0])))
    stays, _ = best_stump(*_histograms(X, np.array([-2.0, 5.0, -3.0])))
    assert fires == Stump(0, 0.5, True)
    assert stays == Stump(0, 0.5, False)


def test_nothing_to_choose_from() -> None:
    constant = np.ones((3, 2), dtype=np.float32)
    assert best_stump(*_histograms(constant, np.array([-1.0, 0.0, 1.0]))) == (None, 0)
    varied = np.arange(3, dtype=np.float32)[:, None]
    assert best_stump(*_histograms(varied, np.zeros(3))) == (None, 0)


def test_a_stump_fires_by_code_as_by_value() -> None:
    X = np.array([[0], [1], [2], [np.nan]], dtype=np.float32)
    bins = Bins.of(X)
    for if_missing in (False, True):
        h = Stump(0, float(bins.of_feature(0)[1]), if_missing)
        assert h.by_code(bins)[bins.codes(X)[0]].tolist() == h(X).tolist()
