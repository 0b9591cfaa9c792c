"""Sums of weighted stumps: what RankBoost learns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.learners import Stump
from rankwright.models.base import Floats, Model

SPARSE_ROWS = 4096  # rows of a sparse matrix made dense at a time


@dataclass(frozen=True, eq=False)
class StumpModel(Model):
    """score(x) = Σ_t α_t h_t(x), added in the order of the rounds.

    Parameters
    ----------
    steps : (α_t, h_t) of each round.
    n_features : columns of X.
    """

    steps: tuple[tuple[float, Stump], ...]
    n_features: int

    kind = "stumps"

    def scores(self, X: Any) -> Floats:
        if isinstance(X, np.ndarray):
            dense: Floats = kernels.stump_scores(X, *self._columns, n_threads=kernels.default_threads())
            return dense
        starts = range(0, X.shape[0], SPARSE_ROWS)
        blocks = [np.ascontiguousarray(X[a : a + SPARSE_ROWS].toarray(), dtype=np.float32) for a in starts]
        return np.concatenate([np.zeros(0), *(self.scores(block) for block in blocks)])

    @cached_property
    def _columns(self) -> tuple[Any, ...]:
        """The stumps as the kernel takes them: features, thresholds, weights, whether missing values fire."""
        stumps = [h for _, h in self.steps]
        return (
            np.array([h.feature for h in stumps], dtype=np.int64),
            np.array([h.threshold for h in stumps], dtype=np.float32),
            np.array([alpha for alpha, _ in self.steps], dtype=np.float64),
            np.array([h.if_missing for h in stumps], dtype=np.bool_),
        )

    def truncated(self, n_rounds: int) -> StumpModel:
        return StumpModel(self.steps[:n_rounds], self.n_features)

    def feature_importances(self) -> Floats:
        """The share of Σ_t |α_t| that falls to each feature."""
        out = np.zeros(self.n_features)
        for alpha, h in self.steps:
            out[h.feature] += abs(alpha)
        return out / out.sum() if out.any() else out

    def to_dict(self) -> dict[str, Any]:
        steps = [[alpha, h.feature, h.threshold, h.if_missing] for alpha, h in self.steps]
        return {"n_features": self.n_features, "steps": steps}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        n_features = int(values["n_features"])
        steps = tuple((float(a), Stump(int(k), float(t), bool(m))) for a, k, t, m in values["steps"])
        if any(not (np.isfinite(a) and np.isfinite(h.threshold) and 0 <= h.feature < n_features) for a, h in steps):
            raise InputError("weights and thresholds must be finite and stumps must name features.")
        return cls(steps, n_features)
