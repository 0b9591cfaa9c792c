"""A forest on top of another model: what LambdaSMART learns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from rankwright.errors import InputError
from rankwright.models.base import Floats, Model, model_from_dict, model_to_dict
from rankwright.models.forest import ForestModel


@dataclass(frozen=True, eq=False)
class SubmodelForest(Model):
    """score = the submodel's + the forest's.

    Parameters
    ----------
    submodel : where scores start: a model of any kind.
    forest : the trees boosted from there.
    """

    submodel: Model
    forest: ForestModel

    kind = "submodel_forest"

    @property
    def n_features(self) -> int:  # type: ignore[override]
        return self.forest.n_features

    @property
    def needs_queries(self) -> bool:  # type: ignore[override]
        return self.submodel.needs_queries

    def scores(self, X: Any) -> Floats:
        return self.submodel.scores(X) + self.forest.scores(X)

    def query_scores(self, X: Any, qptr: Any) -> Floats:
        return self.submodel.query_scores(X, qptr) + self.forest.scores(X)

    def staged_scores(self, X: Any, every: int = 1) -> Iterator[Floats]:
        """The scores after the first `every` trees, after twice as many, ..., and after all."""
        start = self.submodel.scores(X)
        for of_trees in self.forest.staged_scores(X, every):
            yield start + of_trees

    def contributions(self, X: Any) -> Floats | None:
        """The submodel's and the forest's together; None where the submodel has none."""
        of_submodel = self.submodel.contributions(X)
        return None if of_submodel is None else of_submodel + self.forest.contributions(X)

    def truncated(self, n_rounds: int) -> SubmodelForest:
        return SubmodelForest(self.submodel, self.forest.truncated(n_rounds))

    def feature_importances(self, by: Literal["gain", "splits"] = "gain") -> Floats:
        """Of the forest alone: what it added to the submodel."""
        return self.forest.feature_importances(by)

    def to_dict(self) -> dict[str, Any]:
        return {"submodel": model_to_dict(self.submodel), "forest": self.forest.to_dict()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        submodel, forest = model_from_dict(values["submodel"]), ForestModel.from_dict(values["forest"])
        if submodel.n_features != forest.n_features:
            raise InputError("a submodel must have the features of its forest.")
        return cls(submodel, forest)
