"""Shapley values: native against the twin, and both against all subsets of the features, by the definition."""

from __future__ import annotations

from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import pytest

import rankwright as rw
from rankwright.kernels import reference
from rankwright.learners import Tree
from rankwright.models import ForestModel, SubmodelForest
from rankwright.models.contributions import Paths, points_and_weights, ways

native = pytest.importorskip("rankwright.kernels._native")


def _worth(tree: Tree, x: Any, known: set[int]) -> float:
    """The mean of the leaves, a document going its way where the feature is known, else both ways by their shares."""

    def below(at: int) -> tuple[float, float]:
        if at < 0:
            return float(tree.value[~at]), float(tree.leaf_count[~at])
        sides = [below(int(child)) for child in (tree.left[at], tree.right[at])]
        n = float(tree.split_count[at])
        if int(tree.feature[at]) in known:
            goes_left = bool(tree.goes_left(np.array([at], np.int32), x[[tree.feature[at]]])[0])
            return sides[0 if goes_left else 1][0], n
        return sum(value * count for value, count in sides) / n, n

    return below(0 if tree.n_splits else ~0)[0]


def _by_definition(forest: ForestModel, x: Any) -> Any:
    K = forest.n_features
    phi = np.zeros(K)
    for k in range(K):
        others = [j for j in range(K) if j != k]
        for size in range(K):
            for known in combinations(others, size):
                share = factorial(size) * factorial(K - size - 1) / factorial(K)
                for tree, w in zip(forest.trees, forest.weights, strict=True):
                    phi[k] += share * w * (_worth(tree, x, {*known, k}) - _worth(tree, x, set(known)))
    return phi


def _forest(seed: int, **options: Any) -> tuple[ForestModel, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 5)).astype(np.float32)
    X[:, 4] = rng.integers(0, 6, 300)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 4] = np.nan_to_num(X[:, 4])
    y = np.digitize(np.nan_to_num(X[:, 0] * X[:, 1]) + np.isin(X[:, 4], [1, 3]), [0, 0.5, 1])
    data = rw.Dataset(X, y, group=np.full(15, 20))
    settings = {"n_trees": 3, "n_leaves": 8, "min_docs": 3, "categorical": (4,), "rng": seed, **options}
    return rw.LambdaMART(**settings).fit(data).model_, X


@pytest.mark.parametrize("seed", range(3))
def test_they_are_the_definition(seed: int) -> None:
    forest, X = _forest(seed)
    got = forest.contributions(X[:12])
    for x, phi in zip(X[:12], got, strict=True):
        np.testing.assert_allclose(phi[:-1], _by_definition(forest, x), atol=1e-12)
    assert np.abs(got).max() > 0


@pytest.mark.parametrize("options", [{}, {"n_leaves": 40, "min_docs": 1}, {"n_leaves": 2}, {"doc_fraction": 0.5}])
def test_they_sum_to_the_score(options: dict[str, Any]) -> None:
    forest, X = _forest(1, **options)
    np.testing.assert_allclose(forest.contributions(X).sum(axis=1), forest.scores(X), atol=1e-10)


def test_native_is_the_twin_whatever_the_threads() -> None:
    forest, X = _forest(2, n_leaves=30, min_docs=1)
    paths = Paths.of(forest)
    points = points_and_weights(3)
    left = ways(forest, X)
    arrays = (paths.value, paths.element_ptr, paths.feature, paths.share, paths.condition_ptr, paths.condition)
    one, three = (native.shapley_values(left, *arrays, *points, 5, n) for n in (1, 3))
    assert one.tobytes() == three.tobytes()
    np.testing.assert_allclose(one, reference.shapley_values(left, *arrays, *points, 5), atol=1e-12)
    with pytest.raises(ValueError, match="do not fit"):
        native.shapley_values(left, *arrays, np.zeros(1), np.zeros(1), 5)
    with pytest.raises(ValueError, match="do not fit"):
        native.shapley_values(left[:, :1].copy(), *arrays, *points, 5)


def test_a_feature_that_no_split_asks_has_none() -> None:
    forest, X = _forest(0, monotone=None)
    more = ForestModel(forest.trees, 7, forest.weights)
    wide = np.column_stack([X, np.ones((len(X), 2), np.float32)])
    assert (more.contributions(wide)[:, 5:7] == 0).all()


def test_no_trees_and_trees_without_a_split() -> None:
    X = np.zeros((3, 2), np.float32)
    assert (ForestModel((), 2, base=1.5).contributions(X) == [0, 0, 1.5]).all()
    data = rw.Dataset(X, [0, 0, 1], group=[3])
    assert (rw.MART(n_trees=2).fit(data).model_.contributions(X) == rw.MART(n_trees=2).fit(data).predict(X)[0]).any()


def test_the_submodel_and_the_forest_together() -> None:
    data = rw.artificial(30, docs_per_query=10, n_features=4)
    linear = rw.CoordinateAscent(n_restarts=1).fit(data)
    smart = rw.LambdaSMART(submodel=linear, n_trees=5, min_docs=5).fit(data)
    assert isinstance(smart.model_, SubmodelForest)
    np.testing.assert_allclose(smart.model_.contributions(data.X).sum(axis=1), smart.predict(data), atol=1e-10)
