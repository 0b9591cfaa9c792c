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

UNIT = {"double": 2.0**-53, "single": 2.0**-24}
PROBED = 1024  # documents, or somewhat more, on which it is found out where leaving some out pays
FEWEST = 256  # documents below which all are scored
STAGES = 8  # parts of the forest after which it may
COLUMN = 64  # a feature's codes cost what so many splits cost; they are made again of documents that go on
WORTH = 0.95  # of the whole cost: what is not below it is not worth the trouble


def rank_with_exit(model: ForestModel, X: npt.NDArray[np.float32], qptr: Rows, k: int) -> list[Rows]:
    """The k best rows of each query, as scoring all rows by all trees would give them.

    Documents are left out once, after the tree behind which that pays most: on the first documents of the first call
    with this k all stages are tried. On boosted forests it seldom pays at all, as the trees that are left could still
    turn everything around in theory; then all rows are scored by all trees.
    """
    if len(X) < FEWEST:
        return top_rows(model.scores(X), qptr, k)
    stop = model.exits.get(k)
    if stop is None:
        n_probed = max(1, int(np.searchsorted(qptr, qptr[0] + PROBED, side="right")) - 1)
        stop = model.exits[k] = where_to_exit(model, X, qptr[: n_probed + 1], k)
    if stop == len(model.trees):
        return top_rows(model.scores(X), qptr, k)
    sums = np.full(len(X), model.base if model.base_first else 0.0)
    model.add(sums, X, 0, stop)
    keep = kept(model, sums, qptr, k, stop)
    if cost(model, stop, float(keep.mean()) if len(keep) else 0.0) > cost(model, len(model.trees), 0.0):
        model.exits.pop(k, None)  # these documents are not like those: they are to be asked again
    alive, sums = np.flatnonzero(keep), sums[keep]
    qptr = np.concatenate([[0], np.cumsum(keep)])[qptr].astype(np.int64)
    model.add(sums, np.ascontiguousarray(X[alive]), stop, len(model.trees))
    return [alive[rows] for rows in top_rows(model.finished(sums, len(model.trees)), qptr, k)]


def where_to_exit(model: ForestModel, X: npt.NDArray[np.float32], qptr: Rows, k: int) -> int:
    """After how many trees leaving documents out costs least on these queries; all trees where it does not pay."""
    n = len(model.trees)
    X, qptr = X[qptr[0] : qptr[-1]], qptr - qptr[0]
    sums = np.full(len(X), model.base if model.base_first else 0.0)
    best, least = n, WORTH * cost(model, n, 0.0)
    start = 0
    for stop in sorted({n * stage // STAGES for stage in range(1, STAGES)} - {0} if len(X) else ()):
        model.add(sums, X, start, stop)
        start = stop
        found = cost(model, stop, float(kept(model, sums, qptr, k, stop).mean()))
        if found < least:
            best, least = stop, found
    return best


def cost(model: ForestModel, stop: int, share: float) -> float:
    """What a document costs, in splits, when a share of them goes on after so many trees."""
    plan = model.plan
    coding, before, whole = COLUMN * len(plan.columns), int(plan.split_ptr[stop]), int(plan.split_ptr[-1])
    return coding + before + share * (coding + whole - before)


def kept(model: ForestModel, sums: Floats, qptr: Rows, k: int, stop: int) -> Any:
    """Which documents may still be among the k best after so many trees."""
    n = len(model.trees)
    low, high, size = model.bounds
    wide = 4 * (n + 4) * UNIT[model.arithmetic] * (np.abs(sums) + size[stop] + abs(model.base) * n)
    return can_reach(sums + low[stop] - wide, sums + high[stop] + wide, qptr, k)


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
