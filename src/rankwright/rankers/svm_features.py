"""Features as a linear SVM uses them: dense or sparse, scaled without a copy, missing values 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset

Floats = npt.NDArray[np.float64]
Scale = Literal["z", "minmax", "none"]
CELLS = 1 << 18  # of the features that are looked at together


class Features:
    """Documents × features, times weights and summed over documents.

    Parameters
    ----------
    X : float32, dense or CSR.
    n_threads : threads to use.
    """

    def __init__(self, X: Any, n_threads: int) -> None:
        self.n_threads = n_threads
        self.dense = isinstance(X, np.ndarray)
        if self.dense:
            self.parts: tuple[Any, ...] = (np.ascontiguousarray(filled(X)),)
        else:
            self.parts = (filled(X.data), X.indices.astype(np.int32), X.indptr.astype(np.int64))

    def scores(self, w: Floats) -> Floats:
        """Σ_k w_k x_k of every document."""
        times = kernels.row_scores if self.dense else kernels.csr_row_scores
        scores: Floats = times(*self.parts, w, self.n_threads)
        return scores

    def sums(self, numbers: Floats, scale: Floats) -> npt.NDArray[np.int64]:
        """scale_k Σ_d numbers_d x_dk for every feature, each term a whole number."""
        summed = kernels.column_sums if self.dense else kernels.csr_column_sums
        sums: npt.NDArray[np.int64] = summed(*self.parts, numbers, scale, self.n_threads)
        return sums


def filled(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Missing values as 0; the array itself where there are none."""
    missing = np.isnan(values)
    return np.where(missing, np.float32(0.0), values) if missing.any() else values


def units_of(data: Dataset, scale: Scale) -> tuple[Floats, Floats]:
    """What each feature is multiplied by: 1/standard deviation ("z"), 1/range ("minmax") or 1 ("none"), over the
    documents and their weights, and 0 for a feature that is constant; and each feature's largest magnitude."""
    weight = np.ones(data.n_docs) if data.doc_weight is None else data.doc_weight
    if data.query_weight is not None:
        weight = weight * np.repeat(data.query_weight, data.group_sizes)
    largest, sums = np.zeros((2, data.n_features))
    low, high = np.full(data.n_features, np.inf), np.full(data.n_features, -np.inf)
    for x, w in _blocks(data, weight):
        np.maximum(largest, np.abs(x).max(axis=0), out=largest)
        counted = x if w.all() else x[w > 0]
        np.minimum(low, counted.min(axis=0, initial=np.inf), out=low)
        np.maximum(high, counted.max(axis=0, initial=-np.inf), out=high)
        sums += (w[:, None] * x).sum(axis=0) if scale == "z" else 0.0
    varies = high > low
    if scale == "none":
        return varies.astype(np.float64), largest
    if scale == "minmax":
        return np.divide(1.0, high - low, out=np.zeros_like(low), where=varies), largest
    mean, squares = sums / weight.sum(), np.zeros(data.n_features)
    for x, w in _blocks(data, weight):
        squares += (w[:, None] * (x - mean) ** 2).sum(axis=0)
    deviation = np.sqrt(squares / weight.sum())
    return np.divide(1.0, deviation, out=np.zeros_like(low), where=varies & (deviation > 0)), largest


def _blocks(data: Dataset, weight: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Some rows at a time as float64, with their weights; missing values are 0."""
    step = max(1, CELLS // max(data.n_features, 1))
    for start in range(0, data.n_docs, step):
        rows = data.X[start : start + step]
        x = rows if isinstance(rows, np.ndarray) else rows.toarray()
        yield filled(x).astype(np.float64), weight[start : start + step]
