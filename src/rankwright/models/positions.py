"""Weighted sums of positions: what DiffRank learns. A document is scored among the other documents of its query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.models.base import Floats, Model

Steps = tuple[tuple[int, float], ...]


@dataclass(frozen=True, eq=False)
class PositionModel(Model):
    """score(d) = Σ_t α_t h_{k_t}(d), h_k(d) being d's position from the bottom of its query when sorted by feature k.

    Ties share their mean position; a missing value ties with every other. α < 0 is for features whose small values
    are good. Without queries, all rows passed are one query.

    Parameters
    ----------
    steps : (k_t, α_t) of each round.
    n_features : columns of X.
    """

    steps: Steps
    n_features: int

    kind = "positions"
    needs_queries = True

    @property
    def weights(self) -> Floats:
        """Σ of the α_t of each feature."""
        out = np.zeros(self.n_features)
        for k, alpha in self.steps:
            out[k] += alpha
        return out

    def scores(self, X: Any) -> Floats:
        return self.query_scores(X, np.array([0, X.shape[0]], dtype=np.int64))

    def query_scores(self, X: Any, qptr: npt.NDArray[np.int64]) -> Floats:
        used = np.unique([k for k, _ in self.steps]).astype(np.int64)
        columns = X[:, used] if isinstance(X, np.ndarray) else X[:, used].toarray()
        features = np.ascontiguousarray(columns, dtype=np.float32)
        positions = kernels.mean_positions(features, qptr, kernels.default_threads())
        out = np.zeros(X.shape[0])
        for k, alpha in self.steps:  # in the order of the rounds, as training adds them
            out += alpha * positions[np.searchsorted(used, k)].astype(np.float64)
        return out

    def truncated(self, n_rounds: int) -> PositionModel:
        return PositionModel(self.steps[:n_rounds], self.n_features)

    def feature_importances(self) -> Floats:
        """The share of Σ_t |α_t| that falls to each feature."""
        out = np.zeros(self.n_features)
        for k, alpha in self.steps:
            out[k] += abs(alpha)
        return out / out.sum() if out.any() else out

    def to_dict(self) -> dict[str, Any]:
        return {"n_features": self.n_features, "steps": [list(step) for step in self.steps]}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        n_features = int(values["n_features"])
        steps = tuple((int(k), float(alpha)) for k, alpha in values["steps"])
        if any(not (np.isfinite(alpha) and 0 <= k < n_features) for k, alpha in steps):
            raise InputError("weights must be finite and steps must name features.")
        return cls(steps, n_features)
