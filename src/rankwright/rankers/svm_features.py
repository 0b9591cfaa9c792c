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
CELLS = 1 << 16  # of the features that are looked at together


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
    uniform = bool((weight == weight[:1]).all())
    low, high = np.full(data.n_features, np.inf), np.full(data.n_features, -np.inf)
    largest = np.zeros(data.n_features)
    for x, w in _blocks(data, weight):
        np.maximum(largest, np.maximum(-over_rows(np.minimum, x), over_rows(np.maximum, x)), out=largest)
        if len(counted := x if uniform or w.all() else x[w > 0]):
            np.minimum(low, over_rows(np.minimum, counted), out=low)
            np.maximum(high, over_rows(np.maximum, counted), out=high)
    varies = high > low
    if scale == "none":
        return varies.astype(np.float64), largest
    if scale == "minmax":
        return np.divide(1.0, high - low, out=np.zeros_like(low), where=varies), largest
    mean, squares = np.zeros((2, data.n_features))
    for x, w in _blocks(data, weight):
        mean += over_rows(np.add, x.astype(np.float64) if uniform else w[:, None] * x)
    total = float(len(weight)) if uniform else weight.sum()
    mean /= total
    for x, w in _blocks(data, weight):
        deviations = (x - mean) ** 2
        squares += over_rows(np.add, deviations if uniform else w[:, None] * deviations)
    deviation = np.sqrt(squares / total)
    return np.divide(1.0, deviation, out=np.zeros_like(low), where=varies & (deviation > 0)), largest


def over_rows(ufunc: np.ufunc, x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`ufunc.reduce(x, axis=0)`, with many rows side by side at first: NumPy is slow at short ones."""
    abreast = max(1, 2048 // max(x.shape[1], 1))
    whole = len(x) // abreast * abreast
    if whole:
        wide = ufunc.reduce(x[:whole].reshape(-1, abreast * x.shape[1]), axis=0)
        x = np.concatenate([wide.reshape(abreast, -1), x[whole:]])
    reduced: npt.NDArray[Any] = ufunc.reduce(x, axis=0)
    return reduced


def _blocks(data: Dataset, weight: Floats) -> Iterator[tuple[npt.NDArray[np.float32], Floats]]:
    """Some rows at a time, with their weights; missing values are 0."""
    step = max(1, CELLS // max(data.n_features, 1))
    for start in range(0, data.n_docs, step):
        rows = data.X[start : start + step]
        yield filled(rows if isinstance(rows, np.ndarray) else rows.toarray()), weight[start : start + step]
