"""Features as bins: thresholds found once from the whole data, then one byte per value.

A feature with at most `max_bins` different values has a threshold between any two neighbours, so that nothing is
lost. One with more is divided at its quantiles: bins of about equal numbers of values, a value never divided, and a
value that fills more than its share in a bin of its own. Thresholds come from all the values of a feature in sorted
order, never from a sample or a part: they depend neither on the order of the rows nor on threads or shards.

code of x = number of thresholds below x:      θ_0   θ_1   θ_2
                                            0  |  1  |  2  |  3        x > θ_b exactly where code > b
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rankwright import kernels

Codes = npt.NDArray[np.uint8]

MISSING = 255  # the code of a missing value
SPARSE_COLUMNS = 16  # columns of a sparse matrix made dense at a time


@dataclass(frozen=True, eq=False)
class Bins:
    """The thresholds of every feature.

    Parameters
    ----------
    cuts : all thresholds, ascending within a feature. A feature with missing values has a first one that lies below
        every value, so that present values can be told from missing ones.
    cut_ptr : feature k has ``cuts[cut_ptr[k]:cut_ptr[k + 1]]``.
    """

    cuts: npt.NDArray[np.float32]
    cut_ptr: npt.NDArray[np.int64]

    @classmethod
    def of(cls, X: Any, max_bins: int = 255, n_threads: int = 1) -> Self:
        """The thresholds for float32 features: a C-contiguous array, or a sparse matrix whose absent entries are 0."""
        if not isinstance(X, np.ndarray):
            by_column = X.tocsc()
            values, ptr = by_column.data.astype(np.float32), by_column.indptr.astype(np.int64)
            return cls(*kernels.sparse_bin_cuts(values, ptr, X.shape[0], max_bins, n_threads))
        return cls(*kernels.bin_cuts(X, max_bins, n_threads))

    @property
    def n_features(self) -> int:
        return len(self.cut_ptr) - 1

    @cached_property
    def used(self) -> npt.NDArray[np.int64]:
        """The features that have a threshold; the others are constant and nothing can be learned from them."""
        return np.flatnonzero(np.diff(self.cut_ptr))

    def of_feature(self, k: int) -> npt.NDArray[np.float32]:
        """The thresholds of feature k."""
        return self.cuts[self.cut_ptr[k] : self.cut_ptr[k + 1]]

    def row_of(self, k: int) -> int:
        """The row of `codes` that holds feature k, one of those used."""
        return int(np.searchsorted(self.used, k))

    def codes(self, X: Any, n_threads: int = 1) -> Codes:
        """One row per used feature, one code per document."""
        out = [np.empty((0, X.shape[0]), np.uint8)]
        first = 0
        for block in _dense_blocks(X):
            ptr = self.cut_ptr[first : first + block.shape[1] + 1]
            codes = kernels.bin_codes(block, self.cuts, ptr, n_threads)
            used = np.diff(ptr) > 0
            out.append(codes if used.all() else codes[used])
            first += block.shape[1]
        return out[-1] if len(out) <= 2 else np.concatenate(out)


def _dense_blocks(X: Any) -> Iterator[npt.NDArray[np.float32]]:
    """The columns in order, in C-contiguous blocks."""
    if isinstance(X, np.ndarray):
        yield X
        return
    by_column = X.tocsc()
    for first in range(0, X.shape[1], SPARSE_COLUMNS):
        yield np.ascontiguousarray(by_column[:, first : first + SPARSE_COLUMNS].toarray(), dtype=np.float32)
