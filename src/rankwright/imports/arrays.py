"""Trees from other engines' arrays: thresholds in our numbers, children behind their parents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError
from rankwright.learners import Tree

Ints = npt.NDArray[np.int64]


def at_most(thresholds: Any) -> npt.NDArray[np.float32]:
    """For x ≤ t, t in float64: the largest float32 that is not above t decides alike for every float32 x."""
    t = np.asarray(thresholds, dtype=np.float64)
    with np.errstate(over="ignore"):
        single = t.astype(np.float32)
        return np.where(single > t, np.nextafter(single, np.float32(-np.inf)), single).astype(np.float32)


def below(thresholds: Any) -> npt.NDArray[np.float32]:
    """For x < t, t in float32: the float32 before t decides alike as x ≤ t'."""
    with np.errstate(over="ignore"):
        return np.nextafter(np.asarray(thresholds).astype(np.float32), np.float32(-np.inf))


def whole(values: Any, what: str, least: int = -(2**31), most: int = 2**31 - 1) -> Ints:
    """Whole numbers within bounds."""
    found = np.asarray(values)
    if found.size == 0:
        return np.empty(0, dtype=np.int64)
    if found.dtype.kind not in "iufb" or found.ndim != 1:
        raise InputError(f"{what} must be whole numbers")
    if not ((found >= least) & (found <= most) & (found == np.floor(found))).all():
        raise InputError(f"{what} must be whole numbers in {least}..{most}")
    return found.astype(np.int64)


def make_tree(
    n_features: int,
    feature: Any,
    threshold: npt.NDArray[np.float32],
    missing_left: Any,
    left: Any,
    right: Any,
    value: Any,
    categories: Mapping[int, tuple[int, ...]] | None = None,
    **more: Any,
) -> Tree:
    """A tree of arrays by split and by leaf, its children numbered as ours, in any order; checked.

    Parameters
    ----------
    n_features : columns of X.
    feature, threshold, missing_left, left, right, value, categories : as in :class:`rankwright.learners.Tree`.
    more : gain, split_count, leaf_count and missing_zero, where they are known.
    """
    n, m = len(feature), len(value)
    by_split = {"feature": feature, "threshold": threshold, "missing_left": missing_left}
    by_split |= {"gain": more.get("gain", np.zeros(n)), "split_count": more.get("split_count", np.zeros(n))}
    by_split |= {"missing_zero": more["missing_zero"]} if "missing_zero" in more else {}
    sides = {"left": whole(left, "children", -m, n - 1), "right": whole(right, "children", -m, n - 1)}
    if any(len(a) != n for a in (*by_split.values(), *sides.values())):
        raise InputError(f"all lists of splits must be as long as the first, which has {n}")
    sets = dict(categories or {})
    parents = np.arange(n)
    if any(((c >= 0) & (c <= parents)).any() for c in sides.values()):
        order = _from_the_root(sides["left"], sides["right"])
        place = np.full(n, -1)
        place[order] = np.arange(len(order))
        by_split = {name: np.asarray(values)[order] for name, values in by_split.items()}
        sides = {name: np.where(c < 0, c, place[c])[order] for name, c in sides.items()}
        sets = {int(place[s]): chosen for s, chosen in sets.items() if place[s] >= 0}
    counts = more.get("leaf_count", np.zeros(m))
    tree = Tree(
        feature=whole(by_split["feature"], "features", 0).astype(np.int32),
        threshold=np.asarray(by_split["threshold"], dtype=np.float32),
        missing_left=np.asarray(by_split["missing_left"], dtype=np.bool_),
        left=sides["left"].astype(np.int32),
        right=sides["right"].astype(np.int32),
        value=np.asarray(value, dtype=np.float64),
        gain=_finite(by_split["gain"]),
        split_count=whole(by_split["split_count"], "counts", 0),
        leaf_count=whole(counts, "counts", 0),
        missing_zero=np.asarray(by_split["missing_zero"], dtype=np.bool_) if "missing_zero" in by_split else None,
        categories=sets,
    )
    tree.check(n_features)
    return tree


def _finite(gains: Any) -> npt.NDArray[np.float64]:
    """Gains; what is no number is not known."""
    found = np.asarray(gains, dtype=np.float64)
    return np.where(np.isfinite(found), found, 0.0)


def of_nodes(n_features: int, left: Any, right: Any, **by_node: Any) -> Tree:
    """A tree of arrays by node, the root being node 0 and a leaf having a negative left child.

    Parameters
    ----------
    n_features : columns of X.
    left, right : children of each node.
    by_node : feature, threshold, missing_left, gain, counts, value of each node, and the categories of some.
    """
    n = len(left)
    left, right = whole(left, "children", -(2**31), n - 1), whole(right, "children", -(2**31), n - 1)
    if n == 0 or len(right) != n or any(len(by_node[name]) != n for name in by_node if name != "categories"):
        raise InputError(f"all lists of nodes must be as long as the first, which has {n}")
    is_leaf = left < 0
    if (~is_leaf & (right < 0)).any():
        raise InputError("a node must have two children or none")
    reached = np.zeros(n, dtype=np.bool_)
    reached[_reached(left, right, is_leaf)] = True
    splits, leaves = np.flatnonzero(reached & ~is_leaf), np.flatnonzero(reached & is_leaf)
    number = np.zeros(n, dtype=np.int64)
    number[splits], number[leaves] = np.arange(len(splits)), ~np.arange(len(leaves))
    more = {"gain": by_node["gain"][splits]} if "gain" in by_node else {}
    if "counts" in by_node:
        more |= {"split_count": by_node["counts"][splits], "leaf_count": by_node["counts"][leaves]}
    chosen = {int(number[s]): c for s, c in by_node.get("categories", {}).items() if reached[s] and not is_leaf[s]}
    return make_tree(
        n_features,
        by_node["feature"][splits],
        by_node["threshold"][splits],
        by_node["missing_left"][splits],
        number[left[splits]],
        number[right[splits]],
        by_node["value"][leaves],
        chosen,
        **more,
    )


def _reached(left: Ints, right: Ints, is_leaf: npt.NDArray[np.bool_]) -> Ints:
    """The nodes below the root, level by level; no tree has more levels than nodes."""
    levels, level = [], np.zeros(1, dtype=np.int64)
    total = 0
    while len(level):
        total += len(level)
        if total > len(left):
            raise InputError("every node must be the child of one node. Some are of two, or of themselves")
        levels.append(level)
        inner = level[~is_leaf[level]]
        level = np.concatenate([left[inner], right[inner]])
    return np.concatenate(levels)


def _from_the_root(left: Ints, right: Ints) -> Ints:
    """The splits below the root, level by level."""
    levels, level, total = [], np.zeros(1, dtype=np.int64), 0
    while len(level):
        total += len(level)
        if total > len(left):
            raise InputError("every split must be the child of one split. Some are of two, or of themselves")
        levels.append(level)
        level = np.concatenate([left[level], right[level]])
        level = level[level >= 0]
    return np.concatenate(levels)
