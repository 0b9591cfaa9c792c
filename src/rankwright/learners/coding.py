"""How values become the codes that trees grow on: a byte per value, the codes of a document side by side.

code of a number       how many of its feature's thresholds lie below it; one more than all thresholds where missing
code of a category     its place by frequency, the most frequent first; then one code for all the categories that have
                       none of their own (the 255th and later), and one for missing values

Each used feature has one cell per code in a histogram; all features' cells stand behind one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.learners.binning import Bins, Codes
from rankwright.learners.sparse_codes import SparseCodes
from rankwright.learners.tree import MAX_CATEGORY, Tree

MOST_CATEGORIES = 254  # with codes of their own
SPARSE_ROWS = 4096  # rows of a sparse matrix made dense at a time

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Coding:
    """The codes of every feature; made once from all the training data.

    Parameters
    ----------
    bins : the thresholds.
    categories : of each categorical feature, the categories with codes of their own, in the order of their codes.
    features : the features that tell anything: those with two codes or more.
    cell_ptr : feature ``features[f]`` has the cells ``cell_ptr[f]:cell_ptr[f + 1]``.
    """

    bins: Bins
    categories: Mapping[int, npt.NDArray[np.float32]]
    features: Rows
    cell_ptr: Rows

    @classmethod
    def of(cls, X: Any, max_bins: int = 255, categorical: Sequence[int] = (), n_threads: int = 1) -> Self:
        """The coding of float32 features: a C-contiguous array, or a sparse matrix whose absent entries are 0.

        Parameters
        ----------
        X : the features.
        max_bins : bins of a feature that is a number, at most.
        categorical : the features that are categories: whole numbers from 0.
        n_threads : threads to use.
        """
        if not all(0 <= k < X.shape[1] for k in categorical):
            raise InputError(f"categorical must name features 0..{X.shape[1] - 1}. Got {tuple(categorical)}.")
        bins = Bins.of(X, max_bins, n_threads)
        n_cells = np.diff(bins.cut_ptr) + 2
        used = n_cells > 2
        categories = {}
        for k in categorical:
            categories[k], rest = _by_frequency(_column(X, k))
            n_cells[k] = len(categories[k]) + 2
            used[k] = len(categories[k]) + rest > 1
        features = np.flatnonzero(used)
        return cls(bins, categories, features, np.concatenate([[0], np.cumsum(n_cells[features])]).astype(np.int64))

    @property
    def is_categorical(self) -> npt.NDArray[np.bool_]:
        """Of each used feature."""
        return np.isin(self.features, list(self.categories))

    def cuts_of_used(self) -> tuple[npt.NDArray[np.float32], Rows]:
        """The thresholds of the used features, and where each one's begin."""
        n_cuts = np.diff(self.bins.cut_ptr)
        used = np.zeros(len(n_cuts), np.bool_)
        used[self.features] = True
        ptr = np.concatenate([[0], np.cumsum(n_cuts[used])]).astype(np.int64)
        return self.bins.cuts[np.repeat(used, n_cuts)], ptr

    def codes(self, X: Any, n_threads: int = 1) -> Codes | SparseCodes:
        """One row per document, one column per used feature; of sparse features sparse, where that takes less room."""
        if not isinstance(X, np.ndarray) and SparseCodes.pays(X, len(self.features)):
            return SparseCodes.of(X, self)
        codes = np.empty((X.shape[0], len(self.features)), np.uint8)
        if isinstance(X, np.ndarray):
            self._write(X, codes, n_threads)
            return codes
        for a in range(0, X.shape[0], SPARSE_ROWS):
            block = np.ascontiguousarray(X[a : a + SPARSE_ROWS].toarray(), dtype=np.float32)
            self._write(block, codes[a : a + SPARSE_ROWS], n_threads)
        return codes

    def _write(self, X: npt.NDArray[np.float32], codes: Codes, n_threads: int) -> None:
        kernels.code_rows(X, self.bins.cuts, self.bins.cut_ptr, self.features, codes, n_threads)
        for f in np.flatnonzero(self.is_categorical):
            codes[:, f] = self.category_codes(int(self.features[f]), X[:, self.features[f]])

    def category_codes(self, k: int, column: npt.NDArray[np.float32]) -> Codes:
        """The codes of some values of a feature that is categories."""
        known = self.categories[k]
        order = np.argsort(known)
        truncated = np.trunc(column)
        at = np.searchsorted(known[order], truncated).clip(max=max(len(known) - 1, 0))
        codes = np.full(len(column), len(known))
        if len(known):
            codes = np.where(known[order][at] == truncated, order[at], codes)
        return np.where(np.isnan(column), len(known) + 1, codes).astype(np.uint8)

    def leaves(self, tree: Tree, codes: Codes | SparseCodes, n_threads: int = 1) -> npt.NDArray[np.int32]:
        """The leaf of each document by its codes, in a tree whose thresholds are this coding's."""
        f = np.searchsorted(self.features, tree.feature).astype(np.int64)
        to_left = np.zeros((tree.n_splits, 256), np.uint8)
        for s, k in enumerate(tree.feature.tolist()):
            if s in tree.categories:
                to_left[s, : len(self.categories[k])] = np.isin(self.categories[k], tree.categories[s])
            else:
                to_left[s, : np.searchsorted(self.bins.of_feature(k), tree.threshold[s]) + 1] = 1
            to_left[s, self.cell_ptr[f[s] + 1] - self.cell_ptr[f[s]] - 1] = tree.missing_left[s]
        if isinstance(codes, SparseCodes):
            return codes.leaves(f, to_left, tree.left, tree.right, n_threads)
        leaves: npt.NDArray[np.int32] = kernels.code_leaves(codes, f, to_left, tree.left, tree.right, n_threads)
        return leaves


def _by_frequency(column: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], int]:
    """The categories that get codes; and how many of the two other codes, for the rest and for missing, are needed."""
    truncated = np.trunc(column[~np.isnan(column)])
    values, counts = np.unique(truncated + np.float32(0.0), return_counts=True)
    fine = (values >= 0) & (values < MAX_CATEGORY)
    ordered = values[fine][np.argsort(-counts[fine], kind="stable")]
    rest = len(ordered) > MOST_CATEGORIES or not fine.all()
    return ordered[:MOST_CATEGORIES], int(rest) + int(np.isnan(column).any())


def _column(X: Any, k: int) -> npt.NDArray[np.float32]:
    column = X[:, k] if isinstance(X, np.ndarray) else X[:, [k]].toarray()[:, 0]
    return np.asarray(column, dtype=np.float32)
