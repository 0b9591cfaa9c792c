"""Sums of regression trees: what the boosters and the random forests learn, and what other engines' files hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.learners import Tree
from rankwright.models.base import Floats, Model, frozen
from rankwright.models.contributions import contributions
from rankwright.models.early_exit import bounds, rank_with_exit
from rankwright.models.forest_plan import ForestPlan, forest_plan
from rankwright.models.linear import Arithmetic
from rankwright.models.reading import a_count, a_number
from rankwright.models.tree_document import tree_from_dict, tree_to_dict

MAX_FEATURES = 1 << 22
SPARSE_ROWS = 4096  # rows of a sparse matrix made dense at a time
SPARSE_NUMBERS = 1 << 24  # and numbers


@dataclass(frozen=True, eq=False)
class ForestModel(Model):
    """score(x) = base + Σ_t w_t · (the value of x's leaf in tree t), added in the order of the trees.

    Parameters
    ----------
    trees : as :class:`rankwright.learners.Tree` describes.
    n_features : columns of X.
    weights : w_t of each tree; 1 when left out.
    base : where the sum starts, or, unless `base_first`, what is added to it at the end.
    arithmetic : "double" adds float64 numbers. "single" rounds to float32 after each tree, as XGBoost and RankLib do.
    average : divide the sum by the number of trees (before the base is added, unless `base_first`).
    base_first : whether the base is added before the trees.

    Notes
    -----
    The order of the additions and their precision belong to the model: engines differ in them, and a model that was
    read from an engine's file has the engine's own scores, to the last bit.
    """

    trees: tuple[Tree, ...]
    n_features: int
    weights: Floats = None  # type: ignore[assignment]
    base: float = 0.0
    arithmetic: Arithmetic = "double"
    average: bool = False
    base_first: bool = True

    kind = "forest"

    def __post_init__(self) -> None:
        weights = np.ones(len(self.trees)) if self.weights is None else self.weights
        object.__setattr__(self, "weights", frozen(weights))
        object.__setattr__(self, "trees", tuple(self.trees))
        if self.weights.shape != (len(self.trees),) or self.arithmetic not in get_args(Arithmetic):
            raise InputError(
                f"a forest must have one weight per tree, and arithmetic double or single. Got {self.weights.shape} "
                f"weights for {len(self.trees)} trees, and {self.arithmetic!r:.30}."
            )

    def scores(self, X: Any) -> Floats:
        *_, last = self.staged_scores(X, len(self.trees) or 1)
        return last

    def staged_scores(self, X: Any, every: int = 1) -> Iterator[Floats]:
        """The scores after the first `every` trees, after twice as many, ..., and after all.

        Parameters
        ----------
        X : float32 features, an array or CSR.
        every : trees from one to the next.
        """
        sums = np.full(X.shape[0], self.base if self.base_first else 0.0)
        for start in range(0, max(len(self.trees), 1), every):
            stop = min(start + every, len(self.trees))
            self.add(sums, X, start, stop)
            yield self.finished(sums, stop)

    def add(self, sums: Floats, X: Any, start: int, stop: int) -> None:
        """Adds trees start..stop to the sums of rows, in place."""
        if not isinstance(X, np.ndarray):
            used, narrow = self._on_used
            rows = max(1, min(SPARSE_ROWS, SPARSE_NUMBERS // len(used)))
            for a in range(0, X.shape[0], rows):
                block = np.ascontiguousarray(X[a : a + rows][:, used].toarray(), dtype=np.float32)
                narrow.add(sums[a : a + rows], block, start, stop)
            return
        single = self.arithmetic == "single"
        kernels.add_trees(sums, X, self.plan, (start, stop), single, n_threads=kernels.default_threads())

    @cached_property
    def _on_used(self) -> tuple[npt.NDArray[np.int64], ForestModel]:
        """The features that any split asks for, one at least; and the same forest on them alone."""
        asked = [tree.feature for tree in self.trees]
        used = np.unique(np.concatenate([*asked, np.empty(0, np.int32)])).astype(np.int64)
        used = used if len(used) else np.zeros(1, np.int64)
        of_used = (replace(tree, feature=np.searchsorted(used, tree.feature).astype(np.int32)) for tree in self.trees)
        return used, replace(self, trees=tuple(of_used), n_features=len(used))

    @cached_property
    def bounds(self) -> Floats:
        """What the trees from each on can add at least and at most, and how large sums on the way can be."""
        return bounds(self)

    @cached_property
    def exits(self) -> dict[int, int]:
        """After how many trees an early exit pays, for every k that was asked for."""
        return {}

    @cached_property
    def plan(self) -> ForestPlan:
        """The forest as the kernel takes it."""
        return forest_plan(self.trees, self.weights)

    def finished(self, sums: Floats, n_trees: int) -> Floats:
        """Scores from the sums of so many trees."""
        out = sums / n_trees if self.average and n_trees else sums.copy()
        if not self.base_first:
            out += self.base
        return out.astype(np.float32).astype(np.float64) if self.arithmetic == "single" else out

    def rank(
        self, X: Any, qptr: npt.NDArray[np.int64], k: int, early_exit: bool = False
    ) -> list[npt.NDArray[np.int64]]:
        """The k best rows of each query, best first; equal scores by row.

        Parameters
        ----------
        X : float32 features, an array or CSR.
        qptr : query q is rows ``qptr[q]:qptr[q + 1]``.
        k : rows wanted of each query.
        early_exit : stop scoring documents that can no longer be among them. The rows are the same; it pays only
            where the first trees decide most, which the first call finds out.
        """
        if early_exit and isinstance(X, np.ndarray):
            return rank_with_exit(self, X, qptr, k)
        return super().rank(X, qptr, k)

    def truncated(self, n_rounds: int) -> ForestModel:
        return self.replace(trees=self.trees[:n_rounds], weights=self.weights[:n_rounds])

    def replace(self, **changes: Any) -> ForestModel:
        """The same forest with some of its parts changed."""
        names = ("trees", "n_features", "weights", "base", "arithmetic", "average", "base_first")
        return ForestModel(**{**{name: getattr(self, name) for name in names}, **changes})

    def contributions(self, X: Any) -> Floats:
        """Shapley values of the features, and the mean score of the training documents."""
        return contributions(self, X)

    def feature_importances(self, by: Literal["gain", "splits"] = "gain") -> Floats:
        """The share of each feature in the gain of all splits, each tree's times |w_t|; or in their number.

        Parameters
        ----------
        by : "gain", or "splits", which also serves where no split's gain is known.
        """
        out = np.zeros(self.n_features)
        for tree, weight in zip(self.trees, self.weights, strict=True):
            amount: npt.NDArray[Any] = np.abs(weight * tree.gain) if by == "gain" else np.ones(tree.n_splits)
            np.add.at(out, tree.feature, amount)
        if by == "gain" and not out.any():
            return self.feature_importances("splits")
        return out / out.sum() if out.any() else out

    def to_dict(self) -> dict[str, Any]:
        return {
            "n_features": self.n_features,
            "base": self.base,
            "arithmetic": self.arithmetic,
            "average": self.average,
            "base_first": self.base_first,
            "trees": [
                {"weight": weight, **tree_to_dict(tree)}
                for tree, weight in zip(self.trees, self.weights.tolist(), strict=True)
            ],
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        n_features = a_count(values, "n_features", MAX_FEATURES)
        average, base_first = values["average"], values["base_first"]
        if not isinstance(average, bool) or not isinstance(base_first, bool):
            raise InputError(f"average and base_first must be true or false. Got {average!r:.30}, {base_first!r:.30}.")
        trees, weights = [], []
        for entry in values["trees"]:
            weights.append(a_number(entry, "weight"))
            trees.append(tree_from_dict({k: v for k, v in entry.items() if k != "weight"}, n_features))
        base = a_number(values, "base")
        return cls(tuple(trees), n_features, np.array(weights), base, values["arithmetic"], average, base_first)
