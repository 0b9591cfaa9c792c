from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.float32]
Features = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint8]
Levels = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int32]
LetorPart = tuple[
    tuple[int, str, bytes] | None,
    int,
    tuple[int, int],
    tuple[Rows, list[bytes]],
    tuple[bytes, Numbers] | None,
    tuple[Numbers, Numbers, Labels],
]

FoundSplit = tuple[float, int, int, bool, int, int, bytes]
KnownFeatures = tuple[Rows, Rows, npt.NDArray[np.int8], Flags, tuple[int, float, float, bool, float, bool]]
Plateaus = tuple[Floats, Floats, Floats]

def line_search(
    a: Floats,
    b: Floats,
    qptr: Rows,
    worth: Any,
    span: tuple[float, float, bool],
    tiebreak: Rows | None = None,
    n_best: int = 16,
    curve: bool = False,
    n_threads: int = 1,
    held: int = 1 << 22,
) -> tuple[Plateaus, Plateaus, int]: ...
def lambda_gradients(
    scores: Floats,
    qptr: Rows,
    worth: Any,
    visit: Rows,
    weights: tuple[Floats | None, Floats | None],
    near: float,
    lambdas: Floats,
    hessians: Floats,
    n_threads: int = 1,
) -> None: ...
def shapley_values(
    left: Codes,
    value: Floats,
    element_ptr: Rows,
    feature: Rows,
    share: Floats,
    condition_ptr: Rows,
    condition: Rows,
    points: Floats,
    weights: Floats,
    n_features: int,
    n_threads: int = 1,
) -> Floats: ...
def measure_queries(
    specs: list[Any], scores: Floats, labels: Labels, qptr: Rows, tiebreak: Rows | None = None, n_threads: int = 1
) -> Floats: ...
def measure_columns(
    spec: Any,
    x: Features,
    labels: Labels,
    qptr: Rows,
    both: bool,
    tiebreak: Rows | None = None,
    n_threads: int = 1,
) -> Floats: ...
def order_queries(scores: Floats, qptr: Rows, tiebreak: Rows | None = None, n_threads: int = 1) -> Rows: ...
def top_queries(scores: Floats, qptr: Rows, k: int, n_threads: int = 1) -> Rows: ...
def fixed_dots(table: Floats, weights: Floats, bits: int, n_threads: int = 1) -> Rows: ...
def scan_letor(text: Bytes, chunk_bytes: int, n_threads: int = 1) -> tuple[Rows, int]: ...
def parse_letor(
    text: Bytes,
    marks: Rows,
    y: Labels,
    X: Labels | None,
    first_id: int,
    max_id: int,
    doc_ids: bool,
    n_threads: int = 1,
) -> LetorPart: ...
def format_letor(
    y: Labels,
    ptr: Rows,
    ids: Numbers,
    values: Labels,
    heads: list[bytes],
    tails: list[bytes],
    n_threads: int = 1,
) -> list[bytes]: ...
def bin_cuts(x: Features, max_bins: int, n_threads: int = 1) -> tuple[Features, Rows]: ...
def bin_codes(x: Features, cuts: Features, cut_ptr: Rows, n_threads: int = 1) -> Codes: ...
def bin_histograms(codes: Codes, numbers: Floats, scale: float, n_threads: int = 1) -> Rows: ...
def add_by_code(numbers: Floats, codes: Codes, table: Floats, n_threads: int = 1) -> None: ...
def add_columns(
    sums: Floats, x: Features, weights: Floats, missing: float, width: int = 512, n_threads: int = 1
) -> None: ...
def add_trees(
    sums: Floats, x: Features, plan: Any, span: tuple[int, int], single: bool, width: int = 512, n_threads: int = 1
) -> None: ...
def label_levels(y: Labels, qptr: Rows, n_threads: int = 1) -> Levels: ...
def pair_potentials(
    scores: Floats, levels: Levels, better: Floats, worse: Floats, qptr: Rows, n_threads: int = 1
) -> tuple[Floats, Floats]: ...
def mean_positions(x: Features, qptr: Rows, n_threads: int = 1) -> Features: ...
def query_dots(columns: Features, numbers: Floats, qptr: Rows, scale: float, n_threads: int = 1) -> Rows: ...
def stump_scores(
    x: Features,
    features: Rows,
    thresholds: Features,
    weights: Floats,
    if_missing: Flags,
    width: int = 512,
    n_threads: int = 1,
) -> Floats: ...
def weighted_pair_potentials(
    scores: Floats,
    levels: Levels,
    weights: Floats,
    omega: Floats,
    qptr: Rows,
    rule: tuple[str, int, bool],
    n_threads: int = 1,
) -> tuple[Floats, Floats]: ...
def pair_agreements(
    codes: Codes,
    scores: Floats,
    levels: Levels,
    weights: Floats,
    omega: Floats,
    qptr: Rows,
    rule: tuple[str, int, bool],
    scale: float,
    missing_fires: bool,
    n_threads: int = 1,
) -> Rows: ...
def factored_agreements(
    codes: Codes,
    levels: Levels,
    better: Floats,
    worse: Floats,
    qptr: Rows,
    scale: float,
    missing_fires: bool,
    n_threads: int = 1,
) -> Rows: ...
def ordered_pairs(scores: Floats, levels: Levels, qptr: Rows, n_threads: int = 1) -> Rows: ...
def step_functions(
    a: Floats,
    b: Floats,
    qptr: Rows,
    worth: Any,
    span: tuple[float, float, bool],
    tiebreak: Rows | None = None,
    n_threads: int = 1,
) -> tuple[Floats, Rows, Floats, Floats]: ...
def code_rows(x: Features, cuts: Features, cut_ptr: Rows, columns: Rows, codes: Codes, n_threads: int = 1) -> None: ...
def add_leaves(scores: Floats, leaf_of: Numbers, values: Floats, n_threads: int = 1) -> None: ...
def extents(gradients: Floats, hessians: Floats, n_threads: int = 1) -> tuple[float, float, float]: ...
def quantise(
    gradients: Floats, hessians: Floats, scales: tuple[float, float], seed: int, n_threads: int = 1
) -> npt.NDArray[np.int16]: ...
def leaf_cells(
    codes: Codes,
    quantised: npt.NDArray[np.int16],
    rows: Numbers,
    cell_ptr: Rows,
    features: Rows,
    count_bits: int,
    n_threads: int = 1,
) -> Rows: ...
def best_split(
    cells: Rows, known: KnownFeatures, bounds: tuple[float, float], count_bits: int, n_threads: int = 1
) -> FoundSplit: ...
def split_leaf(
    documents: tuple[Codes, npt.NDArray[np.int16]],
    division: tuple[Codes, int, bytes],
    rows: tuple[Numbers, Numbers],
    cells: tuple[Rows, Rows, bool],
    known: KnownFeatures,
    bounds: tuple[tuple[float, float] | None, tuple[float, float] | None],
    count_bits: int,
    n_threads: int = 1,
) -> tuple[int, FoundSplit, FoundSplit]: ...
def divide_rows(
    codes: Codes, rows: Numbers, spare: Numbers, feature: int, to_left: bytes, n_threads: int = 1
) -> int: ...
def settle_leaves(
    rows: Numbers,
    begins: Rows,
    ends: Rows,
    gradients: Floats,
    hessians: Floats,
    scales: tuple[float, float],
    leaf_of: Numbers,
    n_threads: int = 1,
) -> Rows: ...
def code_leaves(
    codes: Codes, features: Rows, to_left: Codes, left: Numbers, right: Numbers, n_threads: int = 1
) -> Numbers: ...
def layer(x: Features | Floats, weights: Floats, bias: Floats, n_threads: int = 1) -> Floats: ...
def layer_gradient(x: Features | Floats, upper: Floats, n_threads: int = 1) -> Floats: ...
def list_losses(
    loss: str,
    scores: Floats,
    labels: Labels,
    levels: Levels,
    weights: Floats | None,
    qptr: Rows,
    n_threads: int = 1,
) -> tuple[Floats, Floats]: ...
def most_violated(
    loss: str, scores: Floats, levels: Levels, brings: Floats, qptr: Rows, n_threads: int = 1
) -> tuple[Floats, Floats]: ...
def row_scores(x: Features, w: Floats, n_threads: int = 1) -> Floats: ...
def column_sums(x: Features, numbers: Floats, scale: Floats, n_threads: int = 1) -> Rows: ...
def csr_row_scores(data: Features, indices: Numbers, indptr: Rows, w: Floats, n_threads: int = 1) -> Floats: ...
def csr_column_sums(
    data: Features, indices: Numbers, indptr: Rows, numbers: Floats, scale: Floats, n_threads: int = 1
) -> Rows: ...
def smoothed_pairs(
    slope: float, width: float, scores: Floats, levels: Levels, weights: Floats, qptr: Rows, n_threads: int = 1
) -> tuple[Floats, Floats, Floats]: ...
def newton_step(
    differences: Features, shares: Floats, w: Floats, slope: float, width: float, capacity: float, gradient: Floats
) -> Floats: ...
def plane_weights(gram: Floats, b: Floats, capacity: float, start: Floats) -> Floats: ...

# -- trees on sparse features: see reference_sparse_trees.py ---------------------------------------------------------

Entries = tuple[Rows, Numbers]

def sparse_bin_cuts(
    values: Features, ptr: Rows, n_rows: int, max_bins: int, n_threads: int = 1
) -> tuple[Features, Rows]: ...
def sparse_codes(values: Features, ptr: Rows, cuts: Features, cut_ptr: Rows) -> Codes: ...
def sparse_divide_rows(
    entries: Entries, rows: Numbers, spare: Numbers, cells: tuple[int, int], usual: int, to_left: bytes
) -> int: ...
def sparse_leaf_cells(
    entries: Entries,
    quantised: npt.NDArray[np.int16],
    rows: Numbers,
    cell_ptr: Rows,
    usual: Rows,
    count_bits: int,
    n_threads: int = 1,
) -> Rows: ...
def sparse_leaves(
    entries: Entries,
    cells: Numbers,
    usual: Codes,
    to_left: Codes,
    children: tuple[Numbers, Numbers],
    n_threads: int = 1,
) -> Numbers: ...
