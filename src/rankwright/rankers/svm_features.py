"""Features as a linear SVM uses them: dense or sparse, scaled without a copy, missing values 0."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset

Floats = npt.NDArray[np.float64]
Scale = Literal["z", "minmax", "none"]


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
    units, largest = np.zeros((2, data.n_features))
    for k in range(data.n_features):
        x = data.column(k)
        units[k], largest[k] = _unit_of(x, weight, scale), np.abs(x).max(initial=0.0)
    return units, largest


def _unit_of(x: Floats, weight: Floats, scale: Scale) -> float:
    present = x[weight > 0]
    width = float(np.ptp(present)) if len(present) else 0.0
    if width == 0.0:
        return 0.0
    if scale == "none":
        return 1.0
    if scale == "minmax":
        return 1.0 / width
    total = weight.sum()
    deviation = x - (weight * x).sum() / total
    return 1.0 / float(np.sqrt((weight * deviation**2).sum() / total))
