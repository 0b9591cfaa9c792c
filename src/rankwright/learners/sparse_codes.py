"""Codes of sparse features that stay sparse: a document keeps an entry for each code that is not its feature's usual
one, the code of 0. Histograms get the usual codes' cells by what the entries leave of the whole, so that growing costs
what there is, not documents × features; sums are whole numbers, so the trees are those of dense codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankwright import kernels

if TYPE_CHECKING:
    from rankwright.learners.coding import Coding

Rows = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
Codes = npt.NDArray[np.uint8]

BYTES = 8  # of an entry and of its share of the cells it leads to; a dense code takes one


@dataclass(frozen=True, eq=False)
class SparseCodes:
    """The codes of some documents.

    Parameters
    ----------
    entries : the documents' offsets, and the cells of their entries, ascending within a document.
    cell_ptr : where each used feature's cells begin, and the last one's end.
    usual : the cell of each used feature's usual code.
    """

    entries: tuple[Rows, Numbers]
    cell_ptr: Rows
    usual: Rows

    @classmethod
    def pays(cls, X: Any, n_used: int) -> bool:
        """Whether a sparse matrix with so many used features takes less room so than a byte per code."""
        return bool(BYTES * X.nnz < X.shape[0] * n_used)

    @classmethod
    def of(cls, X: Any, coding: Coding) -> Self:
        """The codes of a sparse matrix whose absent entries are 0."""
        columns = X.tocsc()[:, coding.features]
        cuts, cut_ptr = coding.cuts_of_used()
        values, ptr = columns.data.astype(np.float32), columns.indptr.astype(np.int64)
        codes = kernels.sparse_codes(values, ptr, cuts, cut_ptr)
        zeros = kernels.sparse_codes(np.zeros(len(cut_ptr) - 1, np.float32), np.arange(len(cut_ptr)), cuts, cut_ptr)
        for f in np.flatnonzero(coding.is_categorical):
            mine, k = slice(ptr[f], ptr[f + 1]), int(coding.features[f])
            codes[mine] = coding.category_codes(k, values[mine])
            zeros[f] = coding.category_codes(k, np.zeros(1, np.float32))[0]
        usual = coding.cell_ptr[:-1] + zeros
        feature_of = np.repeat(np.arange(len(usual)), np.diff(ptr))
        cells = coding.cell_ptr[feature_of] + codes
        kept = cells != usual[feature_of]
        ptr = np.concatenate([[0], np.cumsum(kept)])[ptr]
        # one more than the cell, so that no entry is a 0 that a sparse matrix might drop
        by_column = sp.csc_matrix((cells[kept] + 1, columns.indices[kept], ptr), shape=columns.shape)
        by_row = by_column.tocsr()
        return cls((by_row.indptr.astype(np.int64), (by_row.data - 1).astype(np.int32)), coding.cell_ptr, usual)

    def __len__(self) -> int:
        return len(self.entries[0]) - 1

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), len(self.usual)

    def leaf_cells(self, quantised: Any, rows: Numbers, count_bits: int, n_threads: int) -> Rows:
        """The histograms of all features over some rows."""
        cells: Rows = kernels.sparse_leaf_cells(
            self.entries, quantised, rows, self.cell_ptr, self.usual, count_bits, n_threads
        )
        return cells

    def divide(self, rows: Numbers, spare: Numbers, f: int, to_left: bytes) -> int:
        """Puts the rows whose code of feature f goes left before the others; returns how many do."""
        first, end = (int(cell) for cell in self.cell_ptr[f : f + 2])
        n_left: int = kernels.sparse_divide_rows(
            self.entries, rows, spare, (first, end), int(self.usual[f]) - first, to_left
        )
        return n_left

    def leaves(self, f: Rows, to_left: Codes, left: Numbers, right: Numbers, n_threads: int) -> Numbers:
        """The leaf of every document in a tree whose splits are on the features f."""
        cells = np.column_stack([self.cell_ptr[f], self.cell_ptr[f + 1]]).astype(np.int32)
        usual = (self.usual[f] - self.cell_ptr[f]).astype(np.uint8)
        leaves: Numbers = kernels.sparse_leaves(self.entries, cells, usual, to_left, (left, right), n_threads)
        return leaves
