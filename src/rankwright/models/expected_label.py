"""The expected label under a linear softmax: what multinomial logistic regression says of graded documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rankwright.errors import InputError
from rankwright.models.base import Floats, Model, frozen
from rankwright.models.linear import LinearModel
from rankwright.models.reading import a_number, numbers, table


@dataclass(frozen=True, eq=False)
class ExpectedLabelModel(Model):
    """score(x) = Σ_l p_l(x) l, where p(x) = softmax(b_l + w_l · x) over the labels l.

    Parameters
    ----------
    labels : the labels l, one per class.
    weights : w, classes × features.
    intercepts : b, one per class.
    missing : what a missing value (NaN) counts as.
    """

    labels: Floats
    weights: Floats
    intercepts: Floats
    missing: float = 0.0

    kind = "expected_label"

    def __post_init__(self) -> None:
        for name in ("labels", "weights", "intercepts"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        object.__setattr__(self, "missing", float(self.missing))

    @property
    def n_features(self) -> int:  # type: ignore[override]
        return int(self.weights.shape[1])

    def scores(self, X: Any) -> Floats:
        classes = zip(self.weights, self.intercepts, strict=True)
        votes = np.array([LinearModel(w, b, self.missing).scores(X) for w, b in classes])
        votes = np.exp(votes - votes.max(axis=0))
        total, expected = np.zeros(votes.shape[1]), np.zeros(votes.shape[1])
        for label, vote in zip(self.labels, votes, strict=True):  # label by label: one order of summation
            total += vote
            expected += label * vote
        return np.asarray(expected / total)

    def feature_importances(self) -> Floats:
        """By the spread of a feature's weights over the classes: what is common to all classes cancels."""
        spread = self.weights.std(axis=0)
        return np.asarray(spread / spread.sum()) if spread.sum() > 0 else np.zeros(self.n_features)

    def to_dict(self) -> dict[str, Any]:
        return {
            "labels": self.labels.tolist(),
            "weights": self.weights.tolist(),
            "intercepts": self.intercepts.tolist(),
            "missing": self.missing,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        labels = numbers(values, "labels")
        first = values["weights"][0]
        if len(labels) == 0 or not isinstance(first, list):
            raise InputError("labels and weights must hold at least one class.")
        weights = table(values, "weights", len(labels), len(first))
        return cls(labels, weights, numbers(values, "intercepts", len(labels)), a_number(values, "missing"))
