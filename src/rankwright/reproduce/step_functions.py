"""Sums of step functions of scores, and the accuracy SVM of them: what LinearSVC finds on ThresholdFeatures, fast.

A document reaches the first so many thresholds of each score, so that of some hundred indicators, half of them 1, a
number per score says all. X w is then a sum of few looked up numbers, and the second derivative a table of how often
two bins meet, from which sums along its rows and columns make that of the indicators.

    minimise  ½(‖w‖² + b²) + C Σ_d c_d max(0, 1 − y_d (w·x_d + b))²,    y_d = ±1

by Newton's method with a step that is halved until it pays, each C starting with the solution of the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse as sp

from rankwright.data.dataset import Dataset
from rankwright.transforms import ThresholdFeatures
from rankwright.transforms.threshold_features import reached

Floats = npt.NDArray[np.float64]

TOL = 1e-2  # of the gradient at 0, times the share of the rarer kind: what LIBLINEAR asks for


class Steps:
    """The bins of some documents: one 1 per score, in the column of the highest threshold that it reaches.

    Parameters
    ----------
    features : with thresholds.
    data : the documents, with the scores that the thresholds are of.
    """

    def __init__(self, features: ThresholdFeatures, data: Dataset) -> None:
        self.starts = np.cumsum([0, *map(len, features.thresholds_)])
        n = reached(data.X, features.thresholds_)
        columns = (self.starts[:-1] + n - 1)[n > 0]
        ptr = np.append(0, np.cumsum((n > 0).sum(axis=1)))
        self.bins: Any = sp.csr_matrix((np.ones(len(columns)), columns, ptr), shape=(len(n), int(self.starts[-1])))

    def scores(self, w: Floats) -> Floats:
        """X w, X being the indicators."""
        return np.asarray(self.bins @ self._by_score(np.cumsum, w))

    def sums(self, numbers: Floats) -> Floats:
        """Xᵀ numbers."""
        return self._by_score(_from_the_right, self.bins.T @ numbers)

    def products(self, weights: Floats) -> Floats:
        """Xᵀ diag(weights) X."""
        some = weights > 0
        bins = self.bins[some]
        met: Floats = (bins.T @ sp.diags(weights[some]) @ bins).toarray()
        for _ in range(2):
            met = self._by_score(_from_the_right, met).T
        return np.asarray(met)

    def _by_score(self, sums: Any, of: Floats) -> Floats:
        """Running sums over each score's thresholds, along the first axis."""
        out = np.empty_like(of)
        for start, end in zip(self.starts[:-1], self.starts[1:], strict=True):
            out[start:end] = sums(of[start:end], axis=0)
        return out


def accuracy_svms(
    steps: Steps, relevant: npt.NDArray[np.bool_], Cs: tuple[float, ...], balanced: bool
) -> Iterator[Floats]:
    """The weights w for each C, in increasing order; b, which ranks nothing, is left out.

    Parameters
    ----------
    steps : of the training documents.
    relevant : which of them are.
    Cs : what a document's squared hinge costs.
    balanced : whether both kinds count alike, c_d being inversely proportional to how many there are.
    """
    y = np.where(relevant, 1.0, -1.0)
    kinds = np.array([len(y) - relevant.sum(), relevant.sum()], dtype=np.float64)
    cost = (len(y) / (2.0 * np.maximum(kinds, 1.0)))[relevant.astype(int)] if balanced else np.ones(len(y))
    v = np.zeros(int(steps.starts[-1]) + 1)  # w, then b
    for C in sorted(Cs):
        v = _newton(steps, y, C * cost, v, TOL * max(float(kinds.min()), 1.0) / len(y))
        yield v[:-1]


def _newton(steps: Steps, y: Floats, cost: Floats, v: Floats, tol: float) -> Floats:
    def violated(v: Floats) -> Floats:
        return np.asarray(np.maximum(0.0, 1.0 - y * (steps.scores(v[:-1]) + v[-1])))

    def gradient(v: Floats, gap: Floats) -> Floats:
        pulled = cost * y * gap
        return np.asarray(v - 2.0 * np.append(steps.sums(pulled), pulled.sum()))

    limit = tol * float(np.linalg.norm(gradient(np.zeros(len(v)), np.ones(len(y)))))
    gap = violated(v)
    while float(np.linalg.norm(slope := gradient(v, gap))) > limit:
        active = np.where(gap > 0, 2.0 * cost, 0.0)
        H = np.empty((len(v), len(v)))
        H[:-1, :-1] = steps.products(active)
        H[-1, :-1] = H[:-1, -1] = steps.sums(active)
        H[-1, -1] = active.sum()
        H.flat[:: len(v) + 1] += 1.0
        step = scipy.linalg.solve(H, slope, assume_a="pos", overwrite_a=True, check_finite=False)
        value, length = 0.5 * v @ v + cost @ gap**2, 1.0
        while True:
            there = v - length * step
            gap = violated(there)
            if 0.5 * there @ there + cost @ gap**2 <= value - 1e-4 * length * (slope @ step) or length < 1e-8:
                break
            length /= 2.0
        v = there
        if length < 1e-8:
            break
    return v


def _from_the_right(x: Floats, axis: int) -> Floats:
    return np.flip(np.cumsum(np.flip(x, axis), axis=axis), axis)
