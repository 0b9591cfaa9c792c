"""A forest as arrays for the kernel `add_trees`: the splits of all trees one after the other, and features as codes.

Thresholds of one feature are few: the places of a number among them, at most 255 of them at a time, is a code of one
byte, and x ≤ θ is a comparison of bytes. Missing values have the code that goes the way the split says: 0 is at most
every threshold's code, 255 above all. Splits that treat them alike share a column of codes.

    θ of feature 7: -1.5  0  3.25        x: -2  -1.5  0.5  9  NaN
    code of θ:         0  1  2           code: 0  0   2    3  0 where missing goes left, 255 where it goes right

Tables of thresholds are laid out as search trees: entry 1 is the middle one, entries 2i and 2i + 1 are the middles of
what lies below and above entry i.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright.learners import Tree
from rankwright.models.base import Floats

PER_TABLE = 255  # thresholds that codes of one byte tell apart
SMALL = 256  # leaves that a byte can number: the trees that are scored by codes
LEFT, ZERO, CATEGORIES = 1, 2, 4  # missing goes left; zeros are missing; by categories
RULE = 24  # bits of a split's feature, above which its rule stands


class ForestPlan(NamedTuple):
    """Trees as the kernel takes them.

    Parameters
    ----------
    splits : per split, feature + rule · 2^24, the bits of the threshold (or the number of its set of categories),
        left and right child as in :class:`rankwright.learners.Tree`.
    split_ptr : the first split of each tree.
    codes : per split of a small tree, column · 2^32 + the threshold's code · 2^24 + left child · 2^12 + right child,
        where leaf i is i and split s is 256 + s.
    values : of the leaves, times the tree's weight; a small tree has 16, 32, 64, 128 or 256 of them.
    value_ptr : the first leaf of each tree.
    tables : thresholds; a table has a power of two entries, of which the first is not used.
    table_ptr : the first entry of each table.
    table_feature : the feature of each table.
    columns : per column, its table (or, after all those, number of tables + its set of categories), and its rule.
    column_ptr : the first column of each table, and of all sets of categories.
    categories : the whole numbers of each set, ascending.
    category_ptr : the first number of each set.
    category_feature : the feature of each set.
    """

    splits: npt.NDArray[np.int32]
    split_ptr: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int64]
    values: Floats
    value_ptr: npt.NDArray[np.int64]
    tables: npt.NDArray[np.float32]
    table_ptr: npt.NDArray[np.int64]
    table_feature: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    column_ptr: npt.NDArray[np.int64]
    categories: npt.NDArray[np.int32]
    category_ptr: npt.NDArray[np.int64]
    category_feature: npt.NDArray[np.int64]


def forest_plan(trees: Sequence[Tree], weights: Floats) -> ForestPlan:
    """The plan of weighted trees."""
    n_splits = np.array([tree.n_splits for tree in trees], dtype=np.int64)
    n_leaves = np.array([tree.n_leaves for tree in trees], dtype=np.int64)
    split_ptr = _ends(n_splits)
    feature, threshold = _joined(trees, "feature", np.int32), _joined(trees, "threshold", np.float32)
    left, right = _joined(trees, "left", np.int32), _joined(trees, "right", np.int32)
    rule = _joined(trees, "missing_left", np.int32) * LEFT + _zeros(trees, n_splits) * ZERO
    sets = {
        int(split_ptr[t]) + s: chosen for t, tree in enumerate(trees) for s, chosen in sorted(tree.categories.items())
    }
    by_set = np.array(list(sets), dtype=np.int64)
    bits = threshold.view(np.int32).copy()
    rule[by_set] |= CATEGORIES
    bits[by_set] = np.arange(len(by_set))
    values, value_ptr = _values(trees, weights, n_leaves)
    small = np.repeat(n_leaves <= SMALL, n_splits)
    by_code = small.copy()
    by_code[by_set] = False
    tables = _Tables(feature[by_code], threshold[by_code])
    wanted = np.zeros((len(feature), 2), dtype=np.int64)  # of each split: the table or set it asks, and its rule
    wanted[by_code, 0] = tables.table
    wanted[by_set, 0] = len(tables.feature) + np.arange(len(by_set))
    wanted[:, 1] = rule & (LEFT | ZERO)
    columns, column = np.unique(wanted[small], axis=0, return_inverse=True)
    codes = (_child(left) << 12) + _child(right)
    codes[small] += column.ravel() << 32
    codes[by_code] += tables.code << 24
    codes[~small] = 0
    return ForestPlan(
        splits=np.stack([feature + (rule << RULE), bits, left, right], axis=1),
        split_ptr=split_ptr,
        codes=codes,
        values=values,
        value_ptr=value_ptr,
        tables=tables.entries,
        table_ptr=tables.ptr,
        table_feature=tables.feature,
        columns=columns.astype(np.int32).reshape(-1, 2),
        column_ptr=np.searchsorted(columns[:, 0], np.arange(len(tables.feature) + 1)).astype(np.int64),
        categories=np.array([c for chosen in sets.values() for c in sorted(chosen)], dtype=np.int32),
        category_ptr=_ends(np.array([len(chosen) for chosen in sets.values()], dtype=np.int64)),
        category_feature=feature[by_set].astype(np.int64),
    )


class _Tables:
    """The thresholds of splits in tables, and the table and code of each split."""

    def __init__(self, feature: npt.NDArray[np.int32], threshold: npt.NDArray[np.float32]) -> None:
        order = np.lexsort((threshold, feature))
        f, t = feature[order], threshold[order]
        new_feature = np.r_[True, f[1:] != f[:-1]][: len(f)]
        new = new_feature | np.r_[True, t[1:] != t[:-1]][: len(f)]  # -0 is 0
        rank = np.cumsum(new) - 1
        first_of_feature = np.maximum.accumulate(np.where(new_feature, rank, 0))
        place = rank - first_of_feature  # among the different thresholds of its feature
        new_table = new & (place % PER_TABLE == 0)
        self.table, self.code = (np.empty(len(f), dtype=np.int64) for _ in range(2))
        self.table[order] = np.cumsum(new_table) - 1
        self.code[order] = place % PER_TABLE
        self.feature = f[new_table].astype(np.int64)
        starts = rank[new_table]
        sizes = np.diff(np.r_[starts, rank[-1:] + 1])
        self.entries, self.ptr = _as_search_trees(t[new], starts, sizes)


def _as_search_trees(thresholds: Any, starts: Any, sizes: Any) -> tuple[Any, Any]:
    """Runs of ascending thresholds, each laid out as a search tree and filled up with infinity."""
    capacity = 1 << np.ceil(np.log2(sizes + 1)).astype(np.int64)
    ptr = _ends(capacity)
    entries = np.full(int(ptr[-1]), np.inf, dtype=np.float32)
    for size in np.unique(capacity).tolist():
        place = np.arange(1, size)
        level = np.floor(np.log2(place)).astype(np.int64)
        rank = ((2 * (place - (1 << level)) + 1) << (size.bit_length() - 2 - level)) - 1
        of_size = np.flatnonzero(capacity == size)
        there = rank < sizes[of_size, None]
        at = ptr[of_size, None] + place
        entries[at[there]] = thresholds[(starts[of_size, None] + rank)[there]]
    return entries, ptr


def _values(trees: Sequence[Tree], weights: Floats, n_leaves: npt.NDArray[np.int64]) -> tuple[Floats, Any]:
    """Weighted values, small trees filled up to a power of two."""
    room = np.where(n_leaves <= SMALL, np.maximum(16, 1 << np.ceil(np.log2(n_leaves)).astype(np.int64)), n_leaves)
    ptr = _ends(room)
    values = np.zeros(int(ptr[-1]))
    at = np.arange(int(n_leaves.sum())) + np.repeat(ptr[:-1] - _ends(n_leaves)[:-1], n_leaves)
    with np.errstate(over="ignore"):
        values[at] = _joined(trees, "value", np.float64) * np.repeat(weights, n_leaves)
    return values, ptr


def _joined(trees: Sequence[Tree], name: str, dtype: Any) -> Any:
    return np.concatenate([np.empty(0, dtype), *(getattr(tree, name) for tree in trees)]).astype(dtype)


def _zeros(trees: Sequence[Tree], n_splits: npt.NDArray[np.int64]) -> Any:
    """Of each split, whether zeros are missing."""
    none = [
        np.zeros(n, np.int32) if tree.missing_zero is None else tree.missing_zero
        for tree, n in zip(trees, n_splits.tolist(), strict=True)
    ]
    return np.concatenate([np.empty(0, np.int32), *none]).astype(np.int32)


def _child(child: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return np.where(child < 0, ~child, SMALL + child).astype(np.int64)


def _ends(sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """0 and the running sums."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
