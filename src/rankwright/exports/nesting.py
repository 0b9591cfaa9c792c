"""Trees as other engines write them, one split inside another: there from arrays, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rankwright.errors import InputError
from rankwright.exports.engine import EngineTree
from rankwright.learners import Tree

DEEPEST = 400  # engines' parsers of JSON and XML stop at nestings of about 1,000, two of which go on a split


class Split(NamedTuple):
    """One split of a nested tree; `left` and `right` are nodes of whatever kind the format has."""

    feature: int
    threshold: float
    left: Any
    right: Any
    missing_left: bool | None = None


def nested(tree: Tree, leaf: Callable[[int], Any], split: Callable[[int, Any, Any], Any]) -> Any:
    """The tree built from its leaves up.

    Parameters
    ----------
    tree : the arrays.
    leaf : makes leaf i.
    split : makes split s from its left and its right child.
    """
    _refuse_deep(tree)
    made: list[Any] = [None] * tree.n_splits

    def child(c: int) -> Any:
        return made[c] if c >= 0 else leaf(~c)

    for s in range(tree.n_splits - 1, -1, -1):  # children stand behind their parents
        made[s] = split(s, child(int(tree.left[s])), child(int(tree.right[s])))
    return child(0 if tree.n_splits else ~0)


def unnested(root: Any, read: Callable[[Any], Split | float], strict: bool = False) -> EngineTree:
    """The arrays of a nested tree.

    Parameters
    ----------
    root : its outermost node.
    read : what a node is: a split, or the value of a leaf.
    strict : whether x < t goes left.
    """
    splits: list[Split] = []
    children: list[list[int]] = []
    values: list[float] = []
    waiting = [(root, -1, 0)]  # node, its parent, its side
    while waiting:
        node, parent, side = waiting.pop()
        found = read(node)
        if isinstance(found, Split):
            number = len(splits)
            splits.append(found)
            children.append([0, 0])
            waiting += [(found.left, number, 0), (found.right, number, 1)]
        else:
            number = ~len(values)
            values.append(found)
        if parent >= 0:
            children[parent][side] = number
    sides = np.array(children, dtype=np.int64).reshape(-1, 2)
    knows_missing = all(split.missing_left is not None for split in splits)
    return EngineTree(
        feature=np.array([split.feature for split in splits], dtype=np.int64),
        threshold=np.array([split.threshold for split in splits], dtype=np.float64),
        left=sides[:, 0],
        right=sides[:, 1],
        value=np.array(values, dtype=np.float64),
        missing_left=np.array([bool(split.missing_left) for split in splits]) if knows_missing else None,
        strict=strict,
    )


def _refuse_deep(tree: Tree) -> None:
    depth = np.zeros(tree.n_splits + 1, dtype=np.int64)
    for s in range(tree.n_splits):
        for c in (int(tree.left[s]), int(tree.right[s])):
            if c >= 0:
                depth[c] = depth[s] + 1
    if depth.max() > DEEPEST:
        raise InputError(
            f"trees must be at most {DEEPEST} splits deep for engines that nest them. Got {depth.max()}. Export to "
            "lightgbm, xgboost or onnx, or train shallower trees."
        )
