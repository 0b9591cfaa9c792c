"""Linear models: AdaRank, coordinate ascent, SVMs, and single features all end as one weight per feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

import numpy as np

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.kernels.reference_forest import LANES, folded
from rankwright.models.base import Floats, Model, frozen
from rankwright.models.reading import a_number, numbers, pairs

Arithmetic = Literal["double", "single"]
SINGLE_ROWS = 1024  # rows summed in float32 at a time


@dataclass(frozen=True, eq=False)
class LinearModel(Model):
    """score(x) = intercept + Σ_k w_k x_k, a missing value counting `missing`.

    Sixteen partial sums, the j-th of features j, j + 16, j + 32, ..., are added half to half, and the total to the
    intercept, whatever the BLAS, the number of rows, their sparsity and the width of vectors; so the scores are the
    same bits everywhere.

    Parameters
    ----------
    weights : one per feature.
    intercept : added to every score.
    missing : what a missing value (NaN) counts as.
    steps : for models made in rounds, (feature, weight) of each round; the weights are their sums.
    arithmetic : "single" adds one float32 product after the other to the intercept, as XGBoost does.
    """

    weights: Floats
    intercept: float = 0.0
    missing: float = 0.0
    steps: tuple[tuple[int, float], ...] = ()
    arithmetic: Arithmetic = "double"

    kind = "linear"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", frozen(self.weights))
        object.__setattr__(self, "intercept", float(self.intercept))
        object.__setattr__(self, "missing", float(self.missing))
        object.__setattr__(self, "steps", tuple((int(k), float(w)) for k, w in self.steps))
        if self.arithmetic not in get_args(Arithmetic):
            raise InputError(f"arithmetic must be double or single. Got {self.arithmetic!r:.30}.")

    @classmethod
    def of_steps(
        cls, steps: tuple[tuple[int, float], ...], n_features: int, missing: float = 0.0, intercept: float = 0.0
    ) -> Self:
        """The sum of the first rounds, each a weight on one feature."""
        weights = np.zeros(n_features)
        for feature, weight in steps:
            weights[feature] += weight
        return cls(weights, intercept, missing, steps)

    @property
    def n_features(self) -> int:  # type: ignore[override]
        return len(self.weights)

    def scores(self, X: Any) -> Floats:
        if self.arithmetic == "single":
            return self._single_scores(X)
        if not isinstance(X, np.ndarray):
            return self._sparse_scores(X)
        out = np.full(len(X), self.intercept)
        rows = np.ascontiguousarray(X, dtype=np.float32)  # what a Dataset holds, and nothing to do then
        kernels.add_columns(out, rows, self.weights, self.missing, n_threads=kernels.default_threads())
        return out

    def contributions(self, X: Any) -> Floats:
        """weight · x of each feature, and the intercept."""
        dense = X if isinstance(X, np.ndarray) else X.toarray()
        return np.column_stack([self.weights * self._filled(dense), np.full(len(dense), self.intercept)])

    def _sparse_scores(self, X: Any) -> Floats:
        lanes = np.zeros((X.shape[0], LANES))
        columns = X.tocsc(copy=True)
        columns.sum_duplicates()
        for k in np.flatnonzero(self.weights):  # absent entries are 0 and add nothing
            stored = slice(columns.indptr[k], columns.indptr[k + 1])
            lanes[columns.indices[stored], k % LANES] += self.weights[k] * self._filled(columns.data[stored])
        return self.intercept + folded(lanes)

    def _single_scores(self, X: Any) -> Floats:
        out = np.full(X.shape[0], self.intercept, dtype=np.float32)
        for a in range(0, X.shape[0], SINGLE_ROWS):
            rows = X[a : a + SINGLE_ROWS]
            columns = np.array((rows if isinstance(X, np.ndarray) else rows.toarray()).T, dtype=np.float32, order="C")
            columns[np.isnan(columns)] = self.missing
            for k in np.flatnonzero(self.weights):
                out[a : a + SINGLE_ROWS] += np.float32(self.weights[k]) * columns[k]
        return out.astype(np.float64)

    def _filled(self, column: Any) -> Floats:
        values = column.astype(np.float64)
        values[np.isnan(values)] = self.missing
        return np.asarray(values)

    def truncated(self, n_rounds: int) -> LinearModel:
        if not self.steps:
            return self
        return self.of_steps(self.steps[:n_rounds], self.n_features, self.missing, self.intercept)

    def feature_importances(self) -> Floats:
        total = np.abs(self.weights).sum()
        return np.abs(self.weights) / total if total > 0 else np.zeros(self.n_features)

    def to_dict(self) -> dict[str, Any]:
        return {
            "weights": self.weights.tolist(),
            "intercept": self.intercept,
            "missing": self.missing,
            "steps": [list(step) for step in self.steps],
            **({"arithmetic": self.arithmetic} if self.arithmetic != "double" else {}),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        weights = numbers(values, "weights")
        steps = pairs(values, "steps", len(weights) - 1)
        arithmetic = values.get("arithmetic", "double")
        return cls(weights, a_number(values, "intercept"), a_number(values, "missing"), steps, arithmetic)
