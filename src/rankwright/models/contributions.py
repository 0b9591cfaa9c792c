"""What every feature contributes to a score: Shapley values of trees.                      Lundberg et al. 2018, 2020

The game: when the features S of a document are known, a tree is worth the mean of its leaves under what is known: at a
split on a feature of S the document goes its way; at any other it goes both ways, in the shares in which the training
documents did. φ_k is the mean, over all orders of the features, of what feature k adds when it becomes known. All φ
and the mean score of the training documents add up to the score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.learners import Tree

if TYPE_CHECKING:
    from rankwright.models.forest import ForestModel

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

ROWS = 1024  # rows whose ways at all the splits are held at a time


@dataclass(frozen=True)
class Paths:
    """The paths to all leaves of a forest, as the kernel `shapley_values` takes them.

    Parameters
    ----------
    value, element_ptr, feature, share, condition_ptr, condition : see the kernel's twin.
    expected : the mean over training documents of the sum of leaf values.
    """

    value: Floats
    element_ptr: Rows
    feature: Rows
    share: Floats
    condition_ptr: Rows
    condition: Rows
    expected: float

    @classmethod
    def of(cls, forest: ForestModel) -> Self:
        value, sizes, feature, share, n_conditions, condition = [], [], [], [], [], []
        expected, first_split = 0.0, 0
        for tree, weight in zip(forest.trees, forest.weights.tolist(), strict=True):
            for leaf, steps in enumerate(paths_of(tree)):
                elements = of_features(tree, steps)
                value.append(weight * tree.value[leaf])
                expected += value[-1] * float(np.prod([z for z, _ in elements.values()]))
                sizes.append(len(elements))
                for k, (z, ways) in elements.items():
                    feature.append(k)
                    share.append(z)
                    n_conditions.append(len(ways))
                    condition += [2 * (first_split + s) + goes_left for s, goes_left in ways]
            first_split += tree.n_splits
        return cls(
            np.array(value, np.float64),
            _offsets(sizes),
            np.array(feature, np.int64),
            np.array(share, np.float64),
            _offsets(n_conditions),
            np.array(condition, np.int64),
            expected,
        )


def paths_of(tree: Tree) -> list[list[tuple[int, bool]]]:
    """For each leaf, the splits on its path and whether it goes left there."""
    out: list[list[tuple[int, bool]]] = [[] for _ in range(tree.n_leaves)]
    waiting: list[tuple[int, list[tuple[int, bool]]]] = [(0, [])] if tree.n_splits else []
    while waiting:
        split, path = waiting.pop()
        for child, goes_left in ((int(tree.left[split]), True), (int(tree.right[split]), False)):
            steps = [*path, (split, goes_left)]
            if child < 0:
                out[~child] = steps
            else:
                waiting.append((child, steps))
    return out


def of_features(tree: Tree, steps: list[tuple[int, bool]]) -> dict[int, tuple[float, list[tuple[int, bool]]]]:
    """Of each feature on a path: the share of the training documents that go this way at its splits, and these."""
    out: dict[int, tuple[float, list[tuple[int, bool]]]] = {}
    for split, goes_left in steps:
        child = int((tree.left if goes_left else tree.right)[split])
        came = int(tree.leaf_count[~child] if child < 0 else tree.split_count[child])
        z, ways = out.get(int(tree.feature[split]), (1.0, []))
        out[int(tree.feature[split])] = (z * came / max(int(tree.split_count[split]), 1), [*ways, (split, goes_left)])
    return out


def contributions(forest: ForestModel, X: Any) -> Floats:
    """What each feature contributes to the score of each row, and in the last column the mean score.

    Parameters
    ----------
    forest : trees that know how many training documents came through each split.
    X : float32 features, an array or CSR.
    """
    if any(tree.n_splits and not tree.split_count.all() for tree in forest.trees):
        raise InputError(
            "contributions need trees that know how many training documents came through each split. These do not: "
            "the file they were read from says nothing of it. Train the model here."
        )
    paths = Paths.of(forest)
    longest = int(np.diff(paths.element_ptr).max(initial=0))
    points, weights = points_and_weights((longest + 1) // 2)
    out = np.empty((X.shape[0], forest.n_features + 1))
    for a in range(0, X.shape[0], ROWS):
        block = X[a : a + ROWS] if isinstance(X, np.ndarray) else X[a : a + ROWS].toarray().astype(np.float32)
        out[a : a + ROWS, :-1] = kernels.shapley_values(
            ways(forest, block),
            paths.value,
            paths.element_ptr,
            paths.feature,
            paths.share,
            paths.condition_ptr,
            paths.condition,
            points,
            weights,
            forest.n_features,
            kernels.default_threads(),
        )
    out[:, -1] = paths.expected
    if forest.average and forest.trees:
        out /= len(forest.trees)
    out[:, -1] += forest.base / (len(forest.trees) if forest.average and forest.base_first and forest.trees else 1)
    return out


def ways(forest: ForestModel, X: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """Whether each row goes left at each split of the forest."""
    out = [np.empty((len(X), 0), np.uint8)]
    for tree in forest.trees:
        splits = np.tile(np.arange(tree.n_splits, dtype=np.int32), len(X))
        left = tree.goes_left(splits, X[:, tree.feature].ravel())
        out.append(left.reshape(len(X), tree.n_splits).astype(np.uint8))
    return np.ascontiguousarray(np.concatenate(out, axis=1))


def points_and_weights(most: int) -> tuple[Floats, Floats]:
    """Gauss and Legendre's rule on [0, 1] for 1, 2, ..., `most` points, one after the other."""
    rules = [np.polynomial.legendre.leggauss(n) for n in range(1, most + 1)]
    points = [np.empty(0), *((x + 1.0) / 2.0 for x, _ in rules)]
    weights = [np.empty(0), *(w / 2.0 for _, w in rules)]
    return np.concatenate(points), np.concatenate(weights)


def _offsets(sizes: list[int]) -> Rows:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
