"""The NumPy twins of what grows trees on sparse features: the twins of dense ones, on codes made dense.

A document has an entry for each of its codes that differs from its feature's usual one, that of 0: the number of the
code's cell, ascending within a document. `entries` are the documents' offsets, and all their entries.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankwright.kernels.reference_boosting import bin_cuts
from rankwright.kernels.reference_trees import (
    Cells,
    Codes,
    Numbers,
    Quantised,
    Rows,
    code_leaves,
    divide_rows,
    leaf_cells,
)

Entries = tuple[Rows, Numbers]
Values = npt.NDArray[np.float32]


def sparse_bin_cuts(values: Values, ptr: Rows, n_rows: int, max_bins: int, n_threads: int = 1) -> tuple[Values, Rows]:
    """Thresholds of sparse columns: column k has ``values[ptr[k]:ptr[k + 1]]``, and 0 in its other rows."""
    X = np.zeros((n_rows, len(ptr) - 1), np.float32)
    for k in range(X.shape[1]):
        X[: ptr[k + 1] - ptr[k], k] = values[ptr[k] : ptr[k + 1]]
    return bin_cuts(X, max_bins)


def sparse_codes(values: Values, ptr: Rows, cuts: Values, cut_ptr: Rows) -> Codes:
    """The code of each value of some columns: the number of its column's thresholds below it; one more than all where
    it is missing."""
    codes = np.empty(len(values), np.uint8)
    for k in range(len(ptr) - 1):
        mine, of = slice(ptr[k], ptr[k + 1]), cuts[cut_ptr[k] : cut_ptr[k + 1]]
        codes[mine] = np.where(np.isnan(values[mine]), len(of) + 1, np.searchsorted(of, values[mine], side="left"))
    return codes


def sparse_leaf_cells(
    entries: Entries,
    quantised: Quantised,
    rows: Numbers,
    cell_ptr: Rows,
    usual: Rows,
    count_bits: int,
    n_threads: int = 1,
) -> Cells:
    """The histograms of all features over some rows; `usual` is the cell of each feature's usual code."""
    codes = np.tile((usual - cell_ptr[:-1]).astype(np.uint8), (len(entries[0]) - 1, 1))
    row_of = np.repeat(np.arange(len(codes)), np.diff(entries[0]))
    feature_of = np.searchsorted(cell_ptr, entries[1], side="right") - 1
    codes[row_of, feature_of] = entries[1] - cell_ptr[feature_of]
    return leaf_cells(codes, quantised, rows, cell_ptr, np.arange(len(usual)), count_bits)


def sparse_divide_rows(
    entries: Entries, rows: Numbers, spare: Numbers, cells: tuple[int, int], usual: int, to_left: bytes
) -> int:
    """Puts the rows whose code of the feature with these cells goes left before the others, each side in its order;
    returns how many do."""
    return divide_rows(_column(entries, cells, usual), rows, spare, 0, to_left)


def sparse_leaves(
    entries: Entries,
    cells: Numbers,
    usual: Codes,
    to_left: Codes,
    children: tuple[Numbers, Numbers],
    n_threads: int = 1,
) -> Numbers:
    """The leaf of every row: split s is on the feature with cells ``cells[s]``, whose usual code is ``usual[s]``."""
    columns = [_column(entries, (int(a), int(b)), int(u)) for (a, b), u in zip(cells, usual, strict=True)]
    codes = np.concatenate([np.empty((len(entries[0]) - 1, 0), np.uint8), *columns], axis=1)
    return code_leaves(codes, np.arange(len(usual)), to_left, *children)


def _column(entries: Entries, cells: tuple[int, int], usual: int) -> Codes:
    """One feature's codes."""
    column = np.full((len(entries[0]) - 1, 1), usual, np.uint8)
    mine = (entries[1] >= cells[0]) & (entries[1] < cells[1])
    row_of = np.repeat(np.arange(len(column)), np.diff(entries[0]))
    column[row_of[mine], 0] = entries[1][mine] - cells[0]
    return column
