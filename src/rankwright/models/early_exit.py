"""Ranking with a forest without scoring to the end what cannot reach the top: exact, by bounds on the trees left.

After some of the trees a document's sum is s, and what the trees left can add lies in [low, high]. A document with
s + high below the k-th largest s + low of its query is not among its k best, whatever comes. Bounds are widened by
what rounding may do, so that the documents returned, and their order, are those of the whole scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.models.base import Floats, top_rows

if TYPE_CHECKING:
    from rankwright.models.forest import ForestModel

Rows = npt.NDArray[np.int64]

STAGES = 4  # parts of the forest after which documents may be left out
UNIT = {"double": 2.0**-53, "single": 2.0**-24}
WORTH = 0.8  # the rows are copied together when at most this share of them is left


def rank_with_exit(model: ForestModel, X: npt.NDArray[np.float32], qptr: Rows, k: int) -> list[Rows]:
    """The k best rows of each query, as scoring all rows by all trees would give them."""
    n = len(model.trees)
    low, high, size = model.bounds
    slack = 4 * (n + 4) * UNIT[model.arithmetic]
    alive = np.arange(len(X))
    sums = np.full(len(X), model.base if model.base_first else 0.0)
    start = 0
    for stop in sorted({n * stage // STAGES for stage in range(1, STAGES + 1)}):
        model.add(sums, X, start, stop)
        start = stop
        if stop < n:
            wide = slack * (np.abs(sums) + size[stop] + abs(model.base) * n)
            keep = can_reach(sums + low[stop] - wide, sums + high[stop] + wide, qptr, k)
            if keep.mean() <= WORTH:
                X, sums, alive = np.ascontiguousarray(X[keep]), sums[keep], alive[keep]
                qptr = np.concatenate([[0], np.cumsum(keep)])[qptr].astype(np.int64)
    return [alive[rows] for rows in top_rows(model.finished(sums, n), qptr, k)]


def bounds(model: ForestModel) -> Floats:
    """The least and the most that trees t, t + 1, ... can add, and how large sums on the way can be."""
    n = len(model.trees)
    sides = np.zeros((3, n + 1))
    for t in range(n - 1, -1, -1):
        values = model.weights[t] * model.trees[t].value
        sides[:, t] = sides[:, t + 1] + (values.min(), values.max(), np.abs(values).max())
    return sides


def can_reach(least: Floats, most: Floats, qptr: Rows, k: int) -> Any:
    """Whether each document's most is at least the k-th largest least of its query."""
    sizes = np.minimum(np.diff(qptr), k)
    best = kernels.top_queries(least, qptr, k, kernels.default_threads())
    kth = np.full(len(sizes), -np.inf)
    full = sizes == k
    kth[full] = least[best[np.cumsum(sizes)[full] - 1]]
    return most >= np.repeat(kth, np.diff(qptr))
