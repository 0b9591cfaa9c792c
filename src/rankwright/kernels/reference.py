"""NumPy twins of the native kernels: what a reader reads, and what the native code is tested against."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankwright.kernels.reference_measures import measure_queries as measure_queries
from rankwright.kernels.reference_sweep import line_search as line_search
from rankwright.kernels.reference_sweep import step_functions as step_functions

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


def order_queries(scores: Floats, qptr: Rows, tiebreak: Rows | None = None, n_threads: int = 1) -> Rows:
    """Rows of each query by descending score; equal scores by ascending `tiebreak`, else by row."""
    query = np.repeat(np.arange(len(qptr) - 1), np.diff(qptr))
    ties = np.zeros(len(scores), np.int64) if tiebreak is None else tiebreak
    return np.lexsort((np.arange(len(scores)), ties, -scores, query)).astype(np.int64)


def fixed_dots(table: Floats, weights: Floats, bits: int, n_threads: int = 1) -> Rows:
    """Σ_i round(table[r, i] · weights[i] · 2^bits) for every row r: integers, so that no order matters."""
    terms: Rows = np.rint(np.ldexp(table * weights, bits)).astype(np.int64)
    sums: Rows = terms.sum(axis=1)
    return sums
