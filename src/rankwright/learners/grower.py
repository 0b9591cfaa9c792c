"""Trees over one data set, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.learners.coding import Coding
from rankwright.learners.growing import Alone, grow_over
from rankwright.learners.growth import Growth
from rankwright.learners.part import Part
from rankwright.learners.tree import Tree

Floats = npt.NDArray[np.float64]


class Grower:
    """Grows trees over one data set.

    Parameters
    ----------
    X : float32 features: a C-contiguous array, or a sparse matrix whose absent entries are 0.
    growth : how trees grow.
    coding : the codes of the features; found from X where it is None.
    n_threads : threads to use; the trees do not depend on it.
    """

    def __init__(self, X: Any, growth: Growth, coding: Coding | None = None, n_threads: int = 1) -> None:
        self.growth = growth
        self.coding = Coding.of(X, growth.max_bins, growth.categorical, n_threads) if coding is None else coding
        self.part = Part(X, self.coding, n_threads)

    @classmethod
    def of(cls, X: Any, growth: Growth, n_threads: int = 1) -> Grower:
        """Codes the features once, for all the trees to come."""
        return cls(X, growth, None, n_threads)

    def grow(
        self, gradients: Floats, hessians: Floats, rows: npt.NDArray[Any] | None = None, seed: int = 0
    ) -> tuple[Tree, npt.NDArray[np.int32]]:
        """A tree on λ and w, and the leaf of every document, whether it was among `rows` or not.

        Parameters
        ----------
        gradients, hessians : λ and w of every document, weights within.
        rows : the documents to learn from, ascending; None: all.
        seed : of the features drawn, and of how gradients are rounded.

        Notes
        -----
        The leaves are written over by the next tree.
        """
        self.part.load(gradients, hessians, rows)
        tree = grow_over(Alone(self.part), self.growth, self.coding, seed, self.part.n_threads)
        return tree, self.part.leaf_of
