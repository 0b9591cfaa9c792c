"""A weighted sum of models: boosted rankers, interpolations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rankwright.errors import InputError
from rankwright.models.base import Floats, Model, model_from_dict, model_to_dict
from rankwright.models.reading import a_number


@dataclass(frozen=True, eq=False)
class BlendModel(Model):
    """score(x) = Σ_t weight_t · model_t(x), summed in order.

    Parameters
    ----------
    parts : (weight, model) of each part; for models made in rounds, one a round.
    """

    parts: tuple[tuple[float, Model], ...]

    kind = "blend"

    @property
    def n_features(self) -> int:  # type: ignore[override]
        return self.parts[0][1].n_features

    def scores(self, X: Any) -> Floats:
        out = np.zeros(X.shape[0])
        for weight, model in self.parts:
            out += weight * model.scores(X)
        return out

    def query_scores(self, X: Any, qptr: Any) -> Floats:
        out = np.zeros(X.shape[0])
        for weight, model in self.parts:
            out += weight * model.query_scores(X, qptr)
        return out

    def truncated(self, n_rounds: int) -> BlendModel:
        return BlendModel(self.parts[:n_rounds])

    def feature_importances(self) -> Floats | None:
        parts = [(abs(weight), model.feature_importances()) for weight, model in self.parts]
        if any(importances is None for _, importances in parts):
            return None
        total = np.asarray(sum(weight * importances for weight, importances in parts if importances is not None))
        return total / total.sum() if total.sum() > 0 else total

    def to_dict(self) -> dict[str, Any]:
        return {"parts": [{"weight": weight, "model": model_to_dict(model)} for weight, model in self.parts]}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        parts = tuple((a_number(part, "weight"), model_from_dict(part["model"])) for part in values["parts"])
        if not parts or len({model.n_features for _, model in parts}) != 1:
            raise InputError("a blend has at least one part, all of the same number of features.")
        return cls(parts)
