"""A tree while its splits are being found."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankwright.learners.coding import Coding
from rankwright.learners.tree import Tree

Found = tuple[float, int, int, bool, int, int, bytes]  # see kernels.best_split


class Sketch:
    """The splits so far, and how many documents came to them and to the leaves.

    Parameters
    ----------
    n_docs : documents at the root, which is leaf 0.
    """

    def __init__(self, n_docs: int) -> None:
        self.found: list[Found] = []
        self.split_count: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.counts = [n_docs]
        self._above = {0: (-1, 0)}  # leaf → the split above it and the side

    @property
    def n_leaves(self) -> int:
        return len(self.counts)

    def split(self, leaf: int, found: Found, n_left: int) -> int:
        """Turns a leaf into a split; its left child keeps the leaf's number, the right one's is returned."""
        s, new = len(self.found), self.n_leaves
        above, side = self._above[leaf]
        if above >= 0:
            (self.left, self.right)[side][above] = s
        self.found.append(found)
        self.split_count.append(self.counts[leaf])
        self.left.append(~leaf)
        self.right.append(~new)
        self._above[leaf], self._above[new] = (s, 0), (s, 1)
        self.counts.append(self.counts[leaf] - n_left)
        self.counts[leaf] = n_left
        return new

    def tree(self, coding: Coding, value: npt.NDArray[np.float64], unit_of_gain: float) -> Tree:
        """The tree with these values of its leaves."""
        feature = coding.features[[found[1] for found in self.found]].astype(np.int32)
        categories = {}
        threshold = np.zeros(len(feature), np.float32)
        for s, k in enumerate(feature.tolist()):
            if k in coding.categories:
                categories[s] = _chosen(coding.categories[k], self.found[s][6])
            else:
                threshold[s] = coding.bins.of_feature(k)[self.found[s][2]]
        return Tree(
            feature=feature,
            threshold=threshold,
            missing_left=np.array([found[3] for found in self.found], dtype=np.bool_),
            left=np.array(self.left, dtype=np.int32),
            right=np.array(self.right, dtype=np.int32),
            value=value,
            gain=np.array([found[0] for found in self.found]) * unit_of_gain,
            split_count=np.array(self.split_count, dtype=np.int64),
            leaf_count=np.array(self.counts, dtype=np.int64),
            categories=categories,
        )


def _chosen(categories: npt.NDArray[np.float32], to_left: bytes) -> tuple[int, ...]:
    goes = np.frombuffer(to_left, np.uint8)[: len(categories)] > 0
    return tuple(sorted(categories[goes].astype(int).tolist()))
