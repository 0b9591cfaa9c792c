"""NumPy twins of the native kernels: what a reader reads, and what the native code is tested against."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankwright.kernels.reference_boosting import (
    add_by_code as add_by_code,
    bin_codes as bin_codes,
    bin_cuts as bin_cuts,
    bin_histograms as bin_histograms,
    label_levels as label_levels,
    mean_positions as mean_positions,
    pair_potentials as pair_potentials,
    query_dots as query_dots,
    stump_scores as stump_scores,
)
from rankwright.kernels.reference_forest import add_columns as add_columns, add_trees as add_trees
from rankwright.kernels.reference_lambdas import lambda_gradients as lambda_gradients
from rankwright.kernels.reference_letor import (
    format_letor as format_letor,
    parse_letor as parse_letor,
    scan_letor as scan_letor,
)
from rankwright.kernels.reference_measures import (
    measure_columns as measure_columns,
    measure_queries as measure_queries,
)
from rankwright.kernels.reference_networks import (
    layer as layer,
    layer_gradient as layer_gradient,
    list_losses as list_losses,
)
from rankwright.kernels.reference_shapley import shapley_values as shapley_values
from rankwright.kernels.reference_sparse_trees import (
    sparse_bin_cuts as sparse_bin_cuts,
    sparse_codes as sparse_codes,
    sparse_divide_rows as sparse_divide_rows,
    sparse_leaf_cells as sparse_leaf_cells,
    sparse_leaves as sparse_leaves,
)
from rankwright.kernels.reference_svm import (
    column_sums as column_sums,
    csr_column_sums as csr_column_sums,
    csr_row_scores as csr_row_scores,
    most_violated as most_violated,
    newton_step as newton_step,
    plane_weights as plane_weights,
    row_scores as row_scores,
    smoothed_pairs as smoothed_pairs,
)
from rankwright.kernels.reference_sweep import line_search as line_search, step_functions as step_functions
from rankwright.kernels.reference_trees import (
    add_leaves as add_leaves,
    best_split as best_split,
    code_leaves as code_leaves,
    code_rows as code_rows,
    divide_rows as divide_rows,
    extents as extents,
    leaf_cells as leaf_cells,
    quantise as quantise,
    settle_leaves as settle_leaves,
    split_leaf as split_leaf,
)
from rankwright.kernels.reference_weighted import (
    factored_agreements as factored_agreements,
    ordered_pairs as ordered_pairs,
    pair_agreements as pair_agreements,
    weighted_pair_potentials as weighted_pair_potentials,
)

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


def order_queries(scores: Floats, qptr: Rows, tiebreak: Rows | None = None, n_threads: int = 1) -> Rows:
    """Rows of each query by descending score; equal scores by ascending `tiebreak`, else by row."""
    query = np.repeat(np.arange(len(qptr) - 1), np.diff(qptr))
    ties = np.zeros(len(scores), np.int64) if tiebreak is None else tiebreak
    return np.lexsort((np.arange(len(scores)), ties, -scores, query)).astype(np.int64)


def top_queries(scores: Floats, qptr: Rows, k: int, n_threads: int = 1) -> Rows:
    """The first k rows of each query in the order of `order_queries`, the others being left unsorted."""
    rows = order_queries(scores, qptr)
    place = np.arange(len(scores)) - np.repeat(qptr[:-1], np.diff(qptr))
    first: Rows = rows[place < k]
    return first


def fixed_dots(table: Floats, weights: Floats, bits: int, n_threads: int = 1) -> Rows:
    """Σ_i round(table[r, i] · weights[i] · 2^bits) for every row r: integers, so that no order matters."""
    terms: Rows = np.rint(np.ldexp(table * weights, bits)).astype(np.int64)
    sums: Rows = terms.sum(axis=1)
    return sums
