"""A regression tree as arrays: what the engine grows, what a forest is made of, what a reader can walk by hand.

Split s sends a document to `left[s]` when x_feature ≤ threshold, else to `right[s]`; a missing value goes left where
`missing_left[s]`. A child c ≥ 0 is a split, c < 0 is leaf ~c. Split 0 is the root and children stand behind their
parents, so that a walk over the splits in reverse order meets every child before its parent.

    split 0: x_2 ≤ 0.5 ─┬─ leaf 0                 feature = [2, 7]   threshold = [0.5, 3.0]
                        └─ split 1: x_7 ≤ 3 ─┬─ leaf 1    left = [~0, ~1]    right = [1, ~2]
                                             └─ leaf 2

Both sides of the comparison are float32. NaN is missing; in the splits of `missing_zero`, so is every x with
|x| ≤ 1e-35. The splits of `categories` compare nothing: they send x left when trunc(x) is one of their whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError

TINY = np.float32(1e-35)
MAX_CATEGORY = 2**24  # whole numbers up to here are exact in a float32


@dataclass(frozen=True, eq=False)
class Tree:
    """One fitted tree; without any split it is its leaf 0.

    Parameters
    ----------
    feature, threshold, missing_left, left, right : of each split, see the module.
    value : of each leaf.
    gain : by how much each split bettered the criterion; zeros where that is not known.
    split_count, leaf_count : training documents that came through each split, and that ended in each leaf; zeros
        where that is not known.
    missing_zero : of each split, whether zeros count as missing; None where they do in none.
    categories : split → the categories that go left, for splits by categories; their threshold means nothing.
    """

    feature: npt.NDArray[np.int32]
    threshold: npt.NDArray[np.float32]
    missing_left: npt.NDArray[np.bool_]
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    value: npt.NDArray[np.float64]
    gain: npt.NDArray[np.float64]
    split_count: npt.NDArray[np.int64]
    leaf_count: npt.NDArray[np.int64]
    missing_zero: npt.NDArray[np.bool_] | None = None
    categories: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def n_splits(self) -> int:
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        return len(self.value)

    def leaves(self, X: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """The leaf of each row."""
        at = np.full(len(X), 0 if len(self.feature) else ~0, dtype=np.int32)
        rows = np.flatnonzero(at >= 0)
        while len(rows):
            s = at[rows]
            at[rows] = np.where(self.goes_left(s, X[rows, self.feature[s]]), self.left[s], self.right[s])
            rows = rows[at[rows] >= 0]
        return ~at

    def goes_left(self, s: npt.NDArray[np.int32], x: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Whether each value x, compared at its split s, goes left."""
        left: npt.NDArray[np.bool_] = x <= self.threshold[s]
        for split, chosen in self.categories.items():
            here = s == split
            left[here] = np.isin(np.trunc(x[here]), chosen)
        missing = np.isnan(x)
        if self.missing_zero is not None:
            missing |= self.missing_zero[s] & (np.abs(x) <= TINY)
        return np.where(missing, self.missing_left[s], left)

    def predict(self, X: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The value of each row's leaf."""
        return self.value[self.leaves(X)]

    def check(self, n_features: int) -> None:
        """Refuses arrays that are no tree over so many features."""
        n, m = self.n_splits, self.n_leaves
        of_splits = (self.threshold, self.missing_left, self.left, self.right, self.gain, self.split_count)
        zeros = () if self.missing_zero is None else (self.missing_zero,)
        if m != n + 1 or len(self.leaf_count) != m or any(len(a) != n for a in (*of_splits, *zeros)):
            raise InputError(
                f"a tree must have one leaf more than splits, and all of each. Got {n} splits, {m} leaves."
            )
        children = np.concatenate([self.left, self.right])
        if not np.array_equal(np.sort(children), np.r_[-m:0, 1:n] if n else children):
            raise InputError("every split but the first, and every leaf, must be the child of one split.")
        if (children[children >= 0] <= np.tile(np.arange(n), 2)[children >= 0]).any():
            raise InputError("children must stand behind their parents.")
        if n and not 0 <= self.feature.min() <= self.feature.max() < n_features:
            raise InputError(f"splits must be on features 0..{n_features - 1}. Got {self.feature.max()}.")
        if np.isnan(self.threshold).any() or not np.isfinite(self.value).all():
            raise InputError("thresholds must be numbers and the values of leaves finite.")
        if not all(0 <= s < n and all(0 <= c < MAX_CATEGORY for c in chosen) for s, chosen in self.categories.items()):
            raise InputError(f"categories must be whole numbers in 0..{MAX_CATEGORY - 1}, of splits that are there.")
