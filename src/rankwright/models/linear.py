"""Linear models: AdaRank, coordinate ascent, SVMs, and single features all end as one weight per feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rankwright.errors import InputError
from rankwright.models.base import Floats, Model


@dataclass(frozen=True, eq=False)
class LinearModel(Model):
    """score(x) = intercept + Σ_k w_k x_k, a missing value counting `missing`.

    Parameters
    ----------
    weights : one per feature.
    intercept : added to every score.
    missing : what a missing value (NaN) counts as.
    steps : for models made in rounds, (feature, weight) of each round; the weights are their sums.
    """

    weights: Floats
    intercept: float = 0.0
    missing: float = 0.0
    steps: tuple[tuple[int, float], ...] = ()

    kind = "linear"

    @classmethod
    def of_steps(cls, steps: tuple[tuple[int, float], ...], n_features: int, missing: float = 0.0) -> Self:
        """The sum of the first rounds, each a weight on one feature."""
        weights = np.zeros(n_features)
        for feature, weight in steps:
            weights[feature] += weight
        return cls(weights, 0.0, missing, steps)

    @property
    def n_features(self) -> int:  # type: ignore[override]
        return len(self.weights)

    def scores(self, X: Any) -> Floats:
        if not isinstance(X, np.ndarray):
            return np.asarray(X.astype(np.float64) @ self.weights + self.intercept)
        out = np.full(len(X), self.intercept)
        for k in np.flatnonzero(self.weights):  # feature by feature: one order of summation, whatever the BLAS
            column = X[:, k].astype(np.float64)
            out += self.weights[k] * np.where(np.isnan(column), self.missing, column)
        return out

    def truncated(self, n_rounds: int) -> LinearModel:
        return self.of_steps(self.steps[:n_rounds], self.n_features, self.missing) if self.steps else self

    def feature_importances(self) -> Floats:
        total = np.abs(self.weights).sum()
        return np.abs(self.weights) / total if total > 0 else np.zeros(self.n_features)

    def to_dict(self) -> dict[str, Any]:
        return {
            "weights": self.weights.tolist(),
            "intercept": self.intercept,
            "missing": self.missing,
            "steps": [list(step) for step in self.steps],
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        weights = np.array([float(w) for w in values["weights"]])
        steps = tuple((int(k), float(w)) for k, w in values["steps"])
        if not np.isfinite(weights).all() or any(not 0 <= k < len(weights) for k, _ in steps):
            raise InputError("weights must be finite and steps must name features.")
        return cls(weights, float(values["intercept"]), float(values["missing"]), steps)
