"""The documents of one part of the data, as a tree grows over them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.learners.binning import Codes
from rankwright.learners.coding import Coding
from rankwright.learners.sketch import Found
from rankwright.learners.sparse_codes import SparseCodes
from rankwright.learners.tree import Tree
from rankwright.learners.units import Extent, Limits, Units

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
Cells = npt.NDArray[np.int64]
Bounds = tuple[float, float]
Known = tuple[Rows, Rows, npt.NDArray[np.int8], npt.NDArray[np.bool_], Limits]

COLUMNS = 0.4  # columns of their own, as a share of the features: what more memory training may use


class Part:
    """Some documents: their codes, their gradients, and which leaf has which of them.

    Parameters
    ----------
    X : their features.
    coding : the codes of the features.
    n_threads : threads to use.

    Notes
    -----
    Leaf l has the documents ``rows[begins[l]:ends[l]]``, ascending. `leaf_of` is written when the tree is grown.
    """

    def __init__(self, X: Any, coding: Coding, n_threads: int = 1) -> None:
        self.coding, self.n_threads = coding, n_threads
        self.codes = coding.codes(X, n_threads)
        self.rows = np.empty(0, np.int32)
        self.spare = np.empty(len(self.codes), np.int32)
        self.sampled = False
        self.leaf_of = np.zeros(len(self.codes), np.int32)
        self.begins, self.ends = [0], [0]
        self._free: list[Cells] = []
        self._made = 0
        self._columns: dict[int, Codes] = {}
        self._divided = np.zeros(self.codes.shape[1], np.int64)

    def load(self, gradients: Floats, hessians: Floats, rows: npt.NDArray[Any] | None = None) -> None:
        """What the next tree is grown on: λ and w of every document, and which documents it is learned from."""
        n = len(self.codes)
        if len(gradients) != n or len(hessians) != n:
            raise InputError(
                f"there must be one gradient and one hessian per document, {n}. Got {len(gradients)}, {len(hessians)}."
            )
        self.gradients = np.ascontiguousarray(gradients, dtype=np.float64)
        self.hessians = np.ascontiguousarray(hessians, dtype=np.float64)
        self.sampled = rows is not None
        self.rows = np.arange(n, dtype=np.int32) if rows is None else np.array(rows, dtype=np.int32)
        if rows is not None and len(rows) and not (rows.min() >= 0 and rows.max() < n and (np.diff(rows) > 0).all()):
            raise InputError(f"rows must be different documents of 0..{n - 1}, ascending.")
        self.begins, self.ends = [0], [len(self.rows)]

    @property
    def is_dense(self) -> bool:
        """Whether `split` can do several steps in one."""
        return not isinstance(self.codes, SparseCodes)

    # -- statistics ------------------------------------------------------------------------------------------------

    def extent(self) -> Extent:
        if len(self.gradients) == 0:
            return Extent(0, 0.0, 0.0, 0.0)
        return Extent(len(self.rows), *kernels.extents(self.gradients, self.hessians, self.n_threads))

    def cells(self, leaf: int, features: Rows, count_bits: int) -> Cells:
        """The histograms of a leaf's documents; they add over parts."""
        rows = self.rows[self.begins[leaf] : self.ends[leaf]]
        if isinstance(self.codes, SparseCodes):
            return self.codes.leaf_cells(self.quantised, rows, count_bits, self.n_threads)
        ptr = self.coding.cell_ptr
        cells: Cells = kernels.leaf_cells(self.codes, self.quantised, rows, ptr, features, count_bits, self.n_threads)
        return cells

    def settle(self, scales: tuple[float, float]) -> Cells:
        """Σ λ and Σ w of every leaf in fine units; they add over parts."""
        begins, ends = np.array(self.begins, np.int64), np.array(self.ends, np.int64)
        sums: Cells = kernels.settle_leaves(
            self.rows, begins, ends, self.gradients, self.hessians, scales, self.leaf_of, self.n_threads
        )
        return sums

    # -- steps -----------------------------------------------------------------------------------------------------

    def start(self, units: Units, seed: int) -> None:
        """Turns gradients into whole numbers."""
        self.quantised = kernels.quantise(self.gradients, self.hessians, units.scales, seed, self.n_threads)

    def divide(self, leaf: int, found: Found) -> None:
        """Divides a leaf; its right side becomes the newest leaf."""
        if isinstance(self.codes, SparseCodes):
            n_left = self.codes.divide(*self._rows_of(leaf), found[1], found[6])
        else:
            column, f = self._column(self.codes, found[1], self.ends[leaf] - self.begins[leaf])
            n_left = kernels.divide_rows(column, *self._rows_of(leaf), f, found[6], self.n_threads)
        self._divided_at(leaf, n_left)

    def split(
        self,
        leaf: int,
        found: Found,
        held: Cells,
        small: int,
        known: Known,
        within: tuple[Bounds | None, Bounds | None],
        at_last: tuple[int, int],
    ) -> tuple[Cells, tuple[Found, Found]]:
        """Divides a leaf and finds the splits of both children, where this part is all there is.

        `held`, the leaf's histograms, becomes those of the larger child; the smaller one's, those of side `small`, are
        returned with the splits.
        """
        codes = self.codes
        if isinstance(codes, SparseCodes):
            raise TypeError("codes of sparse features are divided and counted one after the other")
        fresh = self._taken(held)
        column, f = self._column(codes, found[1], self.ends[leaf] - self.begins[leaf])
        n_left, *splits = kernels.split_leaf(
            (codes, self.quantised),
            (column, f, found[6]),
            self._rows_of(leaf),
            (held, fresh, small == 0),
            known,
            within,
            *at_last,
        )
        self._divided_at(leaf, n_left)
        return fresh, (splits[0], splits[1])

    def _taken(self, like: Cells) -> Cells:
        """Room for histograms: given back by an earlier leaf, so that its memory need not be made anew."""
        if self._free:
            return self._free.pop()
        self._made += 1
        return np.empty_like(like)

    def give_back(self, cells: Cells) -> None:
        """Histograms that nobody needs any more."""
        if len(self._free) < self._made:
            self._free.append(cells)

    def _rows_of(self, leaf: int) -> tuple[Numbers, Numbers]:
        """A leaf's rows, and as much room."""
        begin, end = self.begins[leaf], self.ends[leaf]
        return self.rows[begin:end], self.spare[begin:end]

    def _divided_at(self, leaf: int, n_left: int) -> None:
        begin, end = self.begins[leaf], self.ends[leaf]
        self.ends[leaf] = begin + n_left
        self.begins.append(begin + n_left)
        self.ends.append(end)

    def _column(self, codes: Codes, feature: int, n_rows: int) -> tuple[Codes, int]:
        """An array that has a feature's codes, and where. Features that divide many rows get a column of their own."""
        if feature not in self._columns:
            self._divided[feature] += n_rows
            many = self._divided[feature] > len(codes)
            if not many or len(self._columns) >= COLUMNS * codes.shape[1]:
                return codes, feature
            self._columns[feature] = np.ascontiguousarray(codes[:, feature : feature + 1])
        return self._columns[feature], 0

    def add(self, scores: Floats, values: Floats) -> None:
        """Adds to the score of every document the value of its leaf."""
        kernels.add_leaves(scores, self.leaf_of, values, self.n_threads)

    def place_others(self, tree: Tree) -> None:
        """Finds the leaves of the documents that were not learned from."""
        if self.sampled:
            self.leaf_of = self.coding.leaves(tree, self.codes, self.n_threads)
