"""The feature map of the SVM-map paper (Yue et al., SIGIR 2007, section 4.1): a score becomes indicators 1[f(d) ≥ k].

A linear model of them is a sum of step functions, one per score, each with its steps where the scores are told apart.
The paper chose about 50 thresholds k per score "which are reasonably spaced and capture the sensitive region", by
hand. Here they are quantiles of the scores at and above the level that all but a few relevant documents reach, with
relevant and other documents counting alike: where documents of both kinds lie close together, steps lie close, too.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from annotated_types import Ge, Lt

from rankwright.data import Dataset
from rankwright.transforms.base import Transformer

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


class ThresholdFeatures(Transformer):
    """Turns every score into indicators of whether it reaches each of some thresholds; sparse.

    A missing score reaches none. A feature that is constant has no threshold and no column.

    Parameters
    ----------
    n_thresholds : thresholds per score; fewer where it has fewer different values.
    spacing : ``"quantile"``, where documents are; ``"even"``, at equal distances.
    below : the share of relevant documents that may lie below the first threshold; of all documents, where no labels
        tell them apart.
    rel : the smallest label that is relevant.

    Attributes
    ----------
    thresholds_ : per feature, its thresholds in increasing order.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.ThresholdFeatures(n_thresholds=2, spacing="even").fit_transform([[0.0], [1.0], [0.5]]).toarray().tolist()
    [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0]]
    """

    n_thresholds: Annotated[int, Ge(1)] = 50
    spacing: Literal["quantile", "even"] = "quantile"
    below: Annotated[float, Ge(0), Lt(1)] = 0.05
    rel: Annotated[float, Ge(0)] = 1.0

    def learn(self, data: Dataset) -> None:
        relevant = data.y >= self.rel
        told_apart = relevant if relevant.any() and not relevant.all() else np.ones(data.n_docs, dtype=bool)
        self.thresholds_ = [self._thresholds(data.X[:, k], told_apart) for k in range(data.n_features)]

    def _thresholds(self, x: Singles, relevant: npt.NDArray[np.bool_]) -> Singles:
        present = ~np.isnan(x)
        values, of = np.unique(x[present], return_inverse=True)
        if len(values) < 2:
            return values[:0]
        kinds = [np.bincount(of, kind[present], len(values)) for kind in (relevant, ~relevant)]
        shares = [kind / kind.sum() for kind in kinds if kind.any()]
        first = int(np.searchsorted(np.cumsum(shares[0]), self.below, side="right"))
        first = min(first, len(values) - 1)
        if self.spacing == "even":
            steps = np.linspace(values[first], values[-1], self.n_thresholds + 1)[1:]
            return np.unique(steps.astype(np.float32))
        return values[quantiles(np.sum(shares, axis=0), max(first, 1), self.n_thresholds)]

    def made(self, data: Dataset) -> Any:
        return indicators(data.X, self.thresholds_)

    def names_out(self, names: tuple[str, ...]) -> tuple[str, ...]:
        pairs = zip(names, self.thresholds_, strict=True)
        return tuple(f"{name}>={threshold!s}" for name, thresholds in pairs for threshold in thresholds)


def quantiles(weights: Floats, first: int, n: int) -> npt.NDArray[np.int64]:
    """Places that part the weights from `first` on into n equal shares, as nearly as the places allow.

    Each returned place begins a share; the first one is `first`.
    """
    before = np.cumsum(weights[first:]) - weights[first:]  # what lies between `first` and each place
    goals = np.arange(n) / n * weights[first:].sum() * (1 - 1e-12)
    return np.unique(first + np.minimum(np.searchsorted(before, goals), len(before) - 1))


def reached(X: Singles, thresholds: list[Singles]) -> npt.NDArray[np.int64]:
    """How many of its feature's thresholds each score reaches."""
    out = np.empty(X.shape, dtype=np.int64)
    for k, of_feature in enumerate(thresholds):
        out[:, k] = np.searchsorted(of_feature, X[:, k], side="right")
    out[np.isnan(X)] = 0
    return out


def indicators(X: Singles, thresholds: list[Singles]) -> Any:
    """The sparse matrix of 1[x ≥ k]. Of a feature's columns, the first ones are 1, as many as thresholds it reaches.

    Parameters
    ----------
    X : documents × features.
    thresholds : per feature, increasing.
    """
    n_docs, n_reached = len(X), reached(X, thresholds)
    sizes = np.array([len(of_feature) for of_feature in thresholds], dtype=np.int64)
    firsts = np.cumsum(sizes) - sizes
    runs = n_reached.ravel()  # every document's runs of ones, feature by feature
    before = np.cumsum(runs) - runs
    columns = np.repeat(np.tile(firsts, n_docs) - before, runs) + np.arange(runs.sum())
    ptr = np.append(0, np.cumsum(n_reached.sum(axis=1)))
    ones = np.ones(len(columns), dtype=np.float32)
    return sp.csr_matrix((ones, columns.astype(np.int32), ptr), shape=(n_docs, int(sizes.sum())))
