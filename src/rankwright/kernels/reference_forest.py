"""The NumPy twins of the kernels that score forests and linear models: every row walks from split to split."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Features = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

TINY = np.float32(1e-35)
LEFT, ZERO, CATEGORIES, RULE = 1, 2, 4, 24
LANES = 16


def add_trees(
    sums: Floats, x: Features, plan: Any, span: tuple[int, int], single: bool, width: int = 512, n_threads: int = 1
) -> None:
    """Adds the values of trees span[0]..span[1] to the sums of rows, in place, tree by tree."""
    for t in range(*span):
        splits = plan.splits[plan.split_ptr[t] : plan.split_ptr[t + 1]]
        sums += plan.values[plan.value_ptr[t] + _leaves(x, splits, plan)]
        if single:
            sums[:] = sums.astype(np.float32)


def _leaves(x: Features, splits: npt.NDArray[np.int32], plan: Any) -> npt.NDArray[np.int32]:
    at = np.full(len(x), 0 if len(splits) else ~0, dtype=np.int32)
    rows = np.flatnonzero(at >= 0)
    while len(rows):
        split = splits[at[rows]]
        left = _goes_left(split, x[rows, split[:, 0] & (1 << RULE) - 1], plan)
        at[rows] = np.where(left, split[:, 2], split[:, 3])
        rows = rows[at[rows] >= 0]
    return ~at


def _goes_left(split: npt.NDArray[np.int32], x: Features, plan: Any) -> npt.NDArray[np.bool_]:
    rule, bits = split[:, 0] >> RULE, np.ascontiguousarray(split[:, 1])
    left: npt.NDArray[np.bool_] = x <= bits.view(np.float32)
    for row in np.flatnonzero(rule & CATEGORIES):
        chosen = plan.categories[plan.category_ptr[bits[row]] : plan.category_ptr[bits[row] + 1]]
        left[row] = np.trunc(x[row]) in chosen
    missing = np.isnan(x) | (rule & ZERO > 0) & (np.abs(x) <= TINY)
    return np.where(missing, rule & LEFT > 0, left)


def add_columns(
    sums: Floats, x: Features, weights: Floats, missing: float, width: int = 512, n_threads: int = 1
) -> None:
    """sums += Σ_k weight_k x_k, in place; a weight of 0 leaves its column out, and NaN counts `missing`.

    Sixteen partial sums of a row, the j-th of columns j, j + 16, j + 32, ..., are added half to half.
    """
    lanes = np.zeros((len(x), LANES))
    for k in np.flatnonzero(weights):
        values = x[:, k].astype(np.float64)
        values[np.isnan(values)] = missing
        lanes[:, k % LANES] += weights[k] * values
    sums += folded(lanes)


def folded(lanes: Floats) -> Floats:
    """Sixteen partial sums as one: the second half is added to the first, until one is left."""
    while lanes.shape[1] > 1:
        half = lanes.shape[1] // 2
        lanes = lanes[:, :half] + lanes[:, half:]
    return lanes[:, 0]
