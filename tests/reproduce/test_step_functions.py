"""The accuracy SVMs of step functions against scikit-learn's on the indicators written out."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import LinearSVC

import rankwright as rw
from rankwright.reproduce.step_functions import Steps, accuracy_svms
from rankwright.transforms import ThresholdFeatures


def _scores(seed: int = 0, n: int = 400) -> tuple[rw.Dataset, ThresholdFeatures]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.15).astype(np.float32)
    X = (rng.normal(size=(n, 3)) + y[:, None]).astype(np.float32)
    X[::7, 1], X[:, 2] = np.nan, 4.0  # scores that are missing, and a constant
    data = rw.Dataset(X, y)
    return data, ThresholdFeatures(n_thresholds=12).fit(data)


def test_steps_are_the_indicators() -> None:
    data, features = _scores()
    X = features.transform(data).X.toarray().astype(float)
    steps, rng = Steps(features, data), np.random.default_rng(1)
    w, numbers = rng.normal(size=X.shape[1]), np.maximum(rng.normal(size=len(X)), 0.0)
    assert np.allclose(steps.scores(w), X @ w)
    assert np.allclose(steps.sums(numbers), X.T @ numbers)
    assert np.allclose(steps.products(numbers), (X.T * numbers) @ X)


@pytest.mark.parametrize("balanced", [False, True])
def test_accuracy_svms_are_those_of_scikit_learn(balanced: bool) -> None:
    data, features = _scores()
    X, relevant, Cs = features.transform(data).X, data.y >= 1, (0.01, 1.0)
    found = accuracy_svms(Steps(features, data), relevant, Cs, balanced)
    for C, w in zip(Cs, found, strict=True):
        exact = LinearSVC(C=C, dual=False, tol=1e-10, class_weight="balanced" if balanced else None).fit(X, relevant)
        ours, theirs = (X @ v for v in (w, exact.coef_[0]))
        assert np.allclose(ours, theirs, atol=0.01 * np.ptp(theirs))


def test_a_training_set_of_one_kind_has_an_end() -> None:
    data, features = _scores()
    for relevant in (np.zeros(data.n_docs, bool), np.ones(data.n_docs, bool)):
        assert all(np.isfinite(w).all() for w in accuracy_svms(Steps(features, data), relevant, (1.0,), True))
