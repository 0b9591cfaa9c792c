"""The NumPy twin of the λ-gradients: every pair of a query at once, as n × n tables.

A query's documents are put in ranked order, and swaps[a, b] = |E after swapping ranks a < b − E before|. See
`rankwright.line_search.worths` for what `worth` holds.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


def lambda_gradients(
    scores: Floats,
    qptr: Rows,
    worth: Any,
    visit: Rows,
    weight: Floats | None,
    lambdas: Floats,
    hessians: Floats,
    n_threads: int = 1,
) -> None:
    """Writes every document's λ and −∂λ/∂s into the two arrays given.

    λ_i = Σ_j ±w_i w_j |ΔE_ij| ρ_ij with ρ = 1/(1 + exp(s_better − s_worse)), + where i is the better one.

    Parameters
    ----------
    scores, qptr : the current scores, and the queries' offsets.
    worth : the measure.
    visit : the rows of every query in the order that decides between equal scores.
    weight : one weight w per document, or None.
    lambdas, hessians : where to.
    """
    kind, value, scale, _, discount, by_row, depth, _ = worth
    lambdas[:], hessians[:] = 0.0, 0.0
    for q, (first, end) in enumerate(pairwise(qptr)):
        if end == first or scale[q] == 0:
            continue
        rows = visit[first:end]
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        per_rank = np.where(np.arange(end - first) < depth, 1.0 / np.arange(1, end - first + 1), 0.0)
        if kind == "gain":
            per_rank = np.where(per_rank > 0, (discount[first:end] if by_row else discount)[: end - first], 0.0)
        swaps = abs(scale[q]) * np.triu(np.abs(SWAPS[kind](value[rows], per_rank)), 1)
        lambda_, hessian = of_query(scores[rows], value[rows], swaps)
        if weight is not None:
            lambda_, hessian = (w * np.outer(weight[rows], weight[rows]) for w in (lambda_, hessian))
        lambdas[rows] = lambda_.sum(axis=1) - lambda_.sum(axis=0)
        hessians[rows] = hessian.sum(axis=1) + hessian.sum(axis=0)


def of_query(s: Floats, value: Floats, swaps: Floats) -> tuple[Floats, Floats]:
    """For all pairs of ranks a < b: what pushes a up (and b down by as much), and its slope."""
    better = np.sign(value[:, None] - value[None, :])
    e = np.exp(-np.abs(s[:, None] - s[None, :]))
    rho = np.where(better > 0, e, 1.0) / (1.0 + e)  # s_a ≥ s_b
    delta = swaps * (better != 0)
    return delta * better * rho, delta * e / (1.0 + e) ** 2


def _gain(gain: Floats, discount: Floats) -> Floats:
    return (gain[:, None] - gain[None, :]) * (discount[:, None] - discount[None, :])


def _average_precision(relevant: Floats, inverse: Floats) -> Floats:
    """A relevant a sinks to b: T(b) − T(a). A relevant b climbs to a: T(a) + 1/a − T(b) − 1/b."""
    T = np.cumsum(relevant) * inverse - np.cumsum(relevant * inverse)
    sinks, climbs = T[None, :] - T[:, None], (T + inverse)[:, None] - (T + inverse)[None, :]
    differ = relevant[:, None] != relevant[None, :]
    return np.asarray(np.where(relevant[:, None] > 0, sinks, climbs) * differ)


def _reciprocal_rank(relevant: Floats, inverse: Floats) -> Floats:
    swaps = np.zeros((len(relevant),) * 2)
    ranks = np.flatnonzero(relevant)
    if len(ranks):
        first, worth = int(ranks[0]), np.append(inverse, 0.0)
        second = int(ranks[1]) if len(ranks) > 1 else len(relevant)
        swaps[:first, ranks] = (inverse[:first] - inverse[first])[:, None]  # a relevant document comes to a < first
        others = np.flatnonzero(relevant == 0)
        others = others[others > first]
        swaps[first, others] = inverse[first] - worth[np.minimum(others, second)]  # the first one sinks
    return swaps


def _cascade(stop: Floats, inverse: Floats) -> Floats:
    """Both documents' terms change, and for all between them the chance to be reached."""
    reached = inverse * np.cumprod(np.append(1.0, 1.0 - stop))[:-1]
    summed = np.cumsum(reached * stop)
    between = (summed - reached * stop)[None, :] - summed[:, None]
    factor = (1.0 - stop)[None, :] / (1.0 - stop)[:, None]
    return np.asarray(
        reached[:, None] * (stop[None, :] - stop[:, None])
        + between * (factor - 1.0)
        + reached[None, :] * (stop[:, None] * factor - stop[None, :])
    )


def _pairs(value: Floats, inverse: Floats) -> Floats:
    """Σ over ranks r in (a, b] of sign(y_r − y_b) − sign(y_r − y_a)."""
    summed = np.cumsum(np.sign(value[None, :] - value[:, None]), axis=1)
    own = np.diag(summed)
    return np.asarray(own[None, :] - summed.T - summed + own[:, None])


SWAPS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "gain": _gain,
    "ap": _average_precision,
    "rr": _reciprocal_rank,
    "err": _cascade,
    "pairs": _pairs,
}
