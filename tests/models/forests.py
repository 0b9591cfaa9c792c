"""Forests for tests: drawn at random, and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankwright.learners import Tree
from rankwright.models import ForestModel


def tree(
    feature: list[int],
    threshold: list[float],
    left: list[int],
    right: list[int],
    value: list[float],
    missing_left: list[bool] | None = None,
    **more: Any,
) -> Tree:
    """A tree by hand; nothing is known of gains and counts."""
    n, m = len(feature), len(value)
    return Tree(
        np.array(feature, np.int32),
        np.array(threshold, np.float32),
        np.array(missing_left or [False] * n, np.bool_),
        np.array(left, np.int32),
        np.array(right, np.int32),
        np.array(value, np.float64),
        np.zeros(n),
        np.zeros(n, np.int64),
        np.zeros(m, np.int64),
        **more,
    )


def random_tree(rng: np.random.Generator, n_leaves: int, n_features: int, cuts: Any, wild: bool = False) -> Tree:
    """A tree of random shape, as leaf-wise growth makes them, thresholds drawn from `cuts`.

    `wild` ones also have splits by categories and splits that take zeros for missing.
    """
    left, right, ends = [], [], []  # ends: (parent, is left) of each leaf so far
    for s in range(n_leaves - 1):
        left.append(0)
        right.append(0)
        if s:
            parent, is_left = ends.pop(int(rng.integers(len(ends))))
            (left if is_left else right)[parent] = s
        ends += [(s, True), (s, False)]
    for leaf, e in enumerate(rng.permutation(len(ends))):
        parent, is_left = ends[e]
        (left if is_left else right)[parent] = ~leaf
    n = n_leaves - 1
    some = rng.random(n) < 0.2
    chosen = {int(s): tuple(sorted(rng.choice(40, 7, replace=False).tolist())) for s in np.flatnonzero(some)}
    return tree(
        rng.integers(0, n_features, n).tolist(),
        rng.choice(cuts, n).tolist(),
        left,
        right,
        rng.normal(size=n_leaves).tolist(),
        (rng.random(n) < 0.5).tolist(),
        **({"missing_zero": rng.random(n) < 0.3, "categories": chosen} if wild else {}),
    )


def random_forest(
    rng: np.random.Generator, n_trees: int, n_leaves: int, n_features: int, wild: bool = False, **more: Any
) -> ForestModel:
    """A forest of trees with up to so many leaves."""
    cuts = np.concatenate([rng.normal(size=200), [0.0, np.inf, -np.inf, 1e-40]]).astype(np.float32)
    sizes = rng.integers(1, n_leaves + 1, n_trees)
    trees = tuple(random_tree(rng, int(m), n_features, cuts, wild) for m in sizes)
    return ForestModel(trees, n_features, weights=rng.normal(size=n_trees), base=0.5, **more)


def adversarial_rows(rng: np.random.Generator, forest: ForestModel, n_rows: int) -> Any:
    """Rows of thresholds, of their neighbours, of categories, and of everything special a float32 may be."""
    cuts = np.concatenate([np.float32([0.0]), *(t.threshold for t in forest.trees)])
    with np.errstate(over="ignore"):
        near = [cuts, np.nextafter(cuts, np.float32(np.inf)), np.nextafter(cuts, np.float32(-np.inf))]
    special = np.float32([np.nan, 0.0, -0.0, np.inf, -np.inf, 1e-45, -1e-45, 1e-35, -1e-35, 2e-35, 3e38, -3e38])
    draws = np.concatenate([*near, special, np.arange(-2, 45, dtype=np.float32), np.float32([2.5, -0.5, 1e20])])
    X = rng.choice(draws, (n_rows, forest.n_features))
    X[rng.random(X.shape) < 0.1] = np.nan
    return np.ascontiguousarray(X)
