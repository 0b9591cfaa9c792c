"""The only door to native code.

Every name here is a free function on arrays, with a readable NumPy twin of the same name in
``reference.py``. ``RANKWRIGHT_KERNELS=reference`` runs everything on the twins. There is no silent
fallback: a missing extension is an ImportError.
"""

from __future__ import annotations

import os
from types import ModuleType


def _backend() -> ModuleType:
    if os.environ.get("RANKWRIGHT_KERNELS", "native") == "reference":
        from rankwright.kernels import reference

        return reference
    try:
        from rankwright.kernels import _native
    except ImportError as missing:
        raise ImportError(
            "rankwright's native extension must be installed beside its Python files. It could not be imported "
            f"({missing}). Run `pip install rankwright`, or `make dev` in a checkout, or set "
            "RANKWRIGHT_KERNELS=reference to run on the slow NumPy twins."
        ) from missing
    return _native


backend = _backend()

fixed_dots = backend.fixed_dots
shapley_values = backend.shapley_values
lambda_gradients = backend.lambda_gradients
line_search = backend.line_search
measure_columns = backend.measure_columns
measure_queries = backend.measure_queries
format_letor = backend.format_letor
order_queries = backend.order_queries
parse_letor = backend.parse_letor
scan_letor = backend.scan_letor
add_by_code = backend.add_by_code
add_columns = backend.add_columns
add_trees = backend.add_trees
bin_codes = backend.bin_codes
bin_cuts = backend.bin_cuts
bin_histograms = backend.bin_histograms
label_levels = backend.label_levels
mean_positions = backend.mean_positions
pair_potentials = backend.pair_potentials
query_dots = backend.query_dots
stump_scores = backend.stump_scores
factored_agreements = backend.factored_agreements
ordered_pairs = backend.ordered_pairs
pair_agreements = backend.pair_agreements
weighted_pair_potentials = backend.weighted_pair_potentials
step_functions = backend.step_functions
top_queries = backend.top_queries
add_leaves = backend.add_leaves
best_split = backend.best_split
code_leaves = backend.code_leaves
code_rows = backend.code_rows
divide_rows = backend.divide_rows
extents = backend.extents
leaf_cells = backend.leaf_cells
quantise = backend.quantise
settle_leaves = backend.settle_leaves
split_leaf = backend.split_leaf
sparse_bin_cuts = backend.sparse_bin_cuts
sparse_codes = backend.sparse_codes
sparse_divide_rows = backend.sparse_divide_rows
sparse_leaf_cells = backend.sparse_leaf_cells
sparse_leaves = backend.sparse_leaves
layer = backend.layer
layer_gradient = backend.layer_gradient
list_losses = backend.list_losses
column_sums = backend.column_sums
csr_column_sums = backend.csr_column_sums
csr_row_scores = backend.csr_row_scores
most_violated = backend.most_violated
newton_step = backend.newton_step
plane_weights = backend.plane_weights
row_scores = backend.row_scores
smoothed_pairs = backend.smoothed_pairs


def default_threads() -> int:
    """Threads used when ``n_threads`` is None: ``RANKWRIGHT_THREADS``, or every core this process may use."""
    asked = os.environ.get("RANKWRIGHT_THREADS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
