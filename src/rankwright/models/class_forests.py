"""One forest per class, and the expected label under them: what McRank learns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

from rankwright.errors import InputError
from rankwright.models.base import Floats, Model, frozen
from rankwright.models.forest import ForestModel
from rankwright.models.reading import numbers


@dataclass(frozen=True, eq=False)
class ClassForestModel(Model):
    """score(x) = Σ_l p_l(x) l over the labels l.

    Parameters
    ----------
    labels : the labels l, ascending.
    forests : F_l for each label, p = softmax(F); with `ordinal`, for each label but the lowest, P(y ≥ l) = σ(F_l).
    ordinal : which of the two.
    """

    labels: Floats
    forests: tuple[ForestModel, ...]
    ordinal: bool = False

    kind = "class_forests"

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", frozen(self.labels))
        object.__setattr__(self, "forests", tuple(self.forests))
        wanted = len(self.labels) - self.ordinal
        if wanted < 1 or len(self.forests) != wanted or len({f.n_features for f in self.forests}) != 1:
            raise InputError(
                f"there must be {wanted} forests over the same features for {len(self.labels)} labels. "
                f"Got {len(self.forests)}."
            )

    @property
    def n_features(self) -> int:  # type: ignore[override]
        return self.forests[0].n_features

    def scores(self, X: Any) -> Floats:
        return expected_label(np.array([f.scores(X) for f in self.forests]), self.labels, self.ordinal)

    def staged_scores(self, X: Any, every: int = 1) -> Iterator[Floats]:
        """The scores after the first `every` rounds, after twice as many, ..., and after all."""
        for stages in zip(*(f.staged_scores(X, every) for f in self.forests), strict=True):
            yield expected_label(np.array(stages), self.labels, self.ordinal)

    def truncated(self, n_rounds: int) -> ClassForestModel:
        return ClassForestModel(self.labels, tuple(f.truncated(n_rounds) for f in self.forests), self.ordinal)

    def feature_importances(self, by: Literal["gain", "splits"] = "gain") -> Floats:
        """The mean over the classes."""
        return np.asarray(np.mean([f.feature_importances(by) for f in self.forests], axis=0))

    def to_dict(self) -> dict[str, Any]:
        forests = [f.to_dict() for f in self.forests]
        return {"labels": self.labels.tolist(), "ordinal": self.ordinal, "forests": forests}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        if not isinstance(values["ordinal"], bool):
            raise InputError(f"ordinal must be true or false. Got {values['ordinal']!r:.30}.")
        forests = tuple(ForestModel.from_dict(forest) for forest in values["forests"])
        return cls(numbers(values, "labels"), forests, values["ordinal"])


def expected_label(F: Floats, labels: Sequence[float] | Floats, ordinal: bool) -> Floats:
    """Σ p_l l of each document, from F, classes × documents."""
    total, expected = np.zeros(F.shape[1]), np.zeros(F.shape[1])
    if ordinal:  # l_0 + Σ (l_k − l_{k−1}) P(y ≥ l_k)
        steps = np.diff(np.asarray(labels))
        for step, probability in zip(steps, sigmoid(F), strict=True):
            expected += step * probability
        return expected + labels[0]
    votes = np.exp(F - F.max(axis=0))
    for label, vote in zip(labels, votes, strict=True):  # label by label: one order of summation
        total += vote
        expected += label * vote
    return np.asarray(expected / total)


def sigmoid(F: Floats) -> Floats:
    """1/(1 + exp(−F)), without overflow."""
    e = np.exp(-np.abs(F))
    return np.where(F >= 0, 1.0, e) / (1.0 + e)
