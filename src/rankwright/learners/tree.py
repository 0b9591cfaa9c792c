"""A regression tree as arrays: what the engine grows, what a forest is made of, what a reader can walk by hand.

Split s sends a document to `left[s]` when x_feature ≤ threshold, else to `right[s]`; a missing value goes left where
`missing_left[s]`. A child c ≥ 0 is a split, c < 0 is leaf ~c. Split 0 is the root and children stand behind their
parents, so that a walk over the splits in reverse order meets every child before its parent.

    split 0: x_2 ≤ 0.5 ─┬─ leaf 0                 feature = [2, 7]   threshold = [0.5, 3.0]
                        └─ split 1: x_7 ≤ 3 ─┬─ leaf 1    left = [~0, ~1]    right = [1, ~2]
                                             └─ leaf 2
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Tree:
    """One fitted tree; without any split it is its leaf 0.

    Parameters
    ----------
    feature, threshold, missing_left, left, right : of each split, see the module.
    value : of each leaf.
    gain : by how much each split bettered the criterion.
    split_count, leaf_count : training documents that came through each split, and that ended in each leaf.
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

    @property
    def n_leaves(self) -> int:
        return len(self.value)

    def leaves(self, X: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """The leaf of each row."""
        at = np.full(len(X), 0 if len(self.feature) else ~0, dtype=np.int32)
        rows = np.flatnonzero(at >= 0)
        while len(rows):
            s = at[rows]
            x = X[rows, self.feature[s]]
            goes_left = np.where(np.isnan(x), self.missing_left[s], x <= self.threshold[s])
            at[rows] = np.where(goes_left, self.left[s], self.right[s])
            rows = rows[at[rows] >= 0]
        return ~at

    def predict(self, X: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The value of each row's leaf."""
        return self.value[self.leaves(X)]
