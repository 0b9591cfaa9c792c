"""What every exporter starts from: a model multiplied out to score(x) = base + Σ_k w_k x_k + Σ_t v_t(x)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankwright.errors import InputError
from rankwright.learners import Tree
from rankwright.models import (
    BlendModel,
    ClassForestModel,
    ExpectedLabelModel,
    ForestModel,
    LinearModel,
    Model,
    NetworkModel,
    PositionModel,
    StumpModel,
)
from rankwright.models.base import Floats

NoSum = (
    ExpectedLabelModel | ClassForestModel | NetworkModel
)  # models that are exported whole: they are no sums of terms

DOUBLE, SINGLE = 2.0**-53, 2.0**-24  # by how much, relatively, one operation may be wrong


@dataclass(frozen=True, eq=False)
class Plain:
    """score(x) = base + Σ_k w_k x_k + Σ_t v_t(x), the values of the trees having been multiplied by their weights.

    Parameters
    ----------
    n_features : columns of X.
    base : a constant.
    base_first : whether the base is added before the trees.
    weights : w_k of each feature; all 0 where there is no linear part.
    missing : what a missing value counts as in the linear part.
    trees : v_t, their values to be added as they are.
    unit : the relative error of one operation of the model itself.
    """

    n_features: int
    base: float
    weights: Floats
    missing: float = 0.0
    trees: tuple[Tree, ...] = ()
    base_first: bool = True
    unit: float = DOUBLE

    @property
    def used(self) -> list[int]:
        """The features of the linear part."""
        return [int(k) for k in np.flatnonzero(self.weights)]

    @property
    def n_terms(self) -> int:
        return len(self.used) + len(self.trees) + 1

    def trees_with_base(self) -> list[Tree]:
        """The trees for engines without a constant: it is a tree of one leaf; at least one tree."""
        if self.base == 0 and self.trees:
            return list(self.trees)
        constant = constant_tree(self.base)
        return [constant, *self.trees] if self.base_first else [*self.trees, constant]

    def magnitudes(self, X: Any) -> Floats:
        """|base| + Σ|w_k x_k| + Σ|v_t(x)| of each row: what errors of rounding are in proportion to."""
        out = np.full(len(X), abs(self.base))
        for k in self.used:
            x = X[:, k].astype(np.float64)
            out += np.abs(self.weights[k] * np.where(np.isnan(x), self.missing, x))
        for tree in self.trees:
            out += np.abs(tree.predict(X))
        return out

    def treats_missing_as_zero(self) -> bool:
        """Whether a missing value does everywhere what a 0 would do."""
        linear = not self.used or self.missing == 0
        return linear and all(_as_zero(tree) for tree in self.trees)


def plain(model: Model) -> Plain | NoSum:
    """The model multiplied out; itself where it is no sum; an InputError where it cannot be exported."""
    if isinstance(model, NoSum):
        return model
    if isinstance(model, LinearModel):
        unit = SINGLE if model.arithmetic == "single" else DOUBLE
        return Plain(model.n_features, model.intercept, model.weights, model.missing, unit=unit)
    if isinstance(model, StumpModel):
        trees = tuple(_stump_tree(alpha, h) for alpha, h in model.steps)
        return Plain(model.n_features, 0.0, np.zeros(model.n_features), trees=trees)
    if isinstance(model, ForestModel):
        return _plain_forest(model)
    if isinstance(model, BlendModel):
        return _plain_blend(model)
    if isinstance(model, PositionModel):
        raise InputError(
            "a model can be exported when a document's score depends on its own features. DiffRank's depends on the "
            "document's position among the others of its query. Export another ranker."
        )
    raise InputError(
        f"linear models, stumps, forests, their blends and networks can be exported. This is {type(model).__name__}. "
        "Export another model."
    )


def constant_tree(value: float) -> Tree:
    """A tree that is one leaf."""
    return _tree([], [], [], [value])


def _stump_tree(alpha: float, stump: Any) -> Tree:
    """α 1[x_k > θ] as a tree."""
    return _tree([stump.feature], [stump.threshold], [not stump.if_missing], [0.0, alpha])


def _tree(feature: list[int], threshold: list[float], missing_left: list[bool], value: list[float]) -> Tree:
    n = len(feature)  # 0 or 1
    return Tree(
        feature=np.array(feature, dtype=np.int32),
        threshold=np.array(threshold, dtype=np.float32),
        missing_left=np.array(missing_left, dtype=np.bool_),
        left=np.array([~0] * n, dtype=np.int32),
        right=np.array([~1] * n, dtype=np.int32),
        value=np.array(value, dtype=np.float64),
        gain=np.zeros(n),
        split_count=np.zeros(n, dtype=np.int64),
        leaf_count=np.zeros(n + 1, dtype=np.int64),
    )


def _plain_forest(model: ForestModel) -> Plain:
    share, base = 1.0, model.base
    if model.average and model.trees:
        share = 1 / len(model.trees)
        base = base * share if model.base_first else base
    weights = model.weights if share == 1.0 else model.weights * share
    trees = tuple(_scaled(tree, w) for tree, w in zip(model.trees, weights.tolist(), strict=True))
    unit = SINGLE if model.arithmetic == "single" else DOUBLE
    return Plain(model.n_features, base, np.zeros(model.n_features), 0.0, trees, model.base_first, unit)


def _plain_blend(model: BlendModel) -> Plain:
    parts = [(weight, plain(part)) for weight, part in model.parts]
    sums = [(weight, part) for weight, part in parts if isinstance(part, Plain)]
    if len(sums) < len(parts):
        raise InputError(
            "the parts of a blend can be exported when they are linear models, stumps or forests. One is a network "
            "or a choice among labels. Export that part by itself."
        )
    fillings = {part.missing for _, part in sums if part.used}
    if len(fillings) > 1:
        raise InputError(
            f"the linear parts of a blend must agree on what a missing value counts as. Got {sorted(fillings)}. Train "
            "them with the same `missing`."
        )
    return Plain(
        model.n_features,
        float(sum(weight * part.base for weight, part in sums)),
        np.asarray(sum(weight * part.weights for weight, part in sums)),
        fillings.pop() if fillings else 0.0,
        tuple(_scaled(tree, weight) for weight, part in sums for tree in part.trees),
        all(part.base_first for _, part in sums),
        max(part.unit for _, part in sums),
    )


def _scaled(tree: Tree, weight: float) -> Tree:
    return tree if weight == 1.0 else dataclasses.replace(tree, value=weight * tree.value)


def _as_zero(tree: Tree) -> bool:
    """Whether every split sends a missing value where it sends 0."""
    zero = np.zeros(tree.n_splits, dtype=np.float32)
    return bool((tree.goes_left(np.arange(tree.n_splits, dtype=np.int32), zero) == tree.missing_left).all())
