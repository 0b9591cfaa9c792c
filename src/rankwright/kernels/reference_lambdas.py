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
    weights: tuple[Floats | None, Floats | None],
    near: float,
    lambdas: Floats,
    hessians: Floats,
    n_threads: int = 1,
) -> None:
    """Writes every document's λ and −∂λ/∂s into the two arrays given.

    λ_i = Σ_j ±w_i w_j |ΔE_ij| ρ_ij with ρ = 1/(1 + exp(s_better − s_worse)), + where i is the better one; all that
    times the weight of the query.

    Parameters
    ----------
    scores, qptr : the current scores, and the queries' offsets.
    worth : the measure.
    visit : the rows of every query in the order that decides between equal scores.
    weights : w of the documents, or None; and those of the queries, or None.
    near : c of the factor 1/(c + |s_i − s_j|) on ΔE, with which every query's sum S = Σ |λ_ij| (both ways) is brought
        to log2(1 + S); 0: neither.
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
        if weights[0] is not None:
            swaps = swaps * np.outer(weights[0][rows], weights[0][rows])
        lambdas[rows], hessians[rows] = of_query(scores[rows], value[rows], swaps, near)
        if weights[1] is not None:
            lambdas[rows] *= weights[1][q]
            hessians[rows] *= weights[1][q]


def of_query(s: Floats, value: Floats, swaps: Floats, near: float = 0.0) -> tuple[Floats, Floats]:
    """λ and −∂λ/∂s of each rank, from |ΔE| for all pairs of ranks a < b."""
    better = np.sign(value[:, None] - value[None, :])
    e = np.exp(-np.abs(s[:, None] - s[None, :]))
    rho = np.where(better > 0, e, 1.0) / (1.0 + e)  # s_a ≥ s_b
    delta = swaps * (better != 0)
    if near:
        delta = delta / (near + np.abs(s[:, None] - s[None, :]))
    up, slope = delta * better * rho, delta * e / (1.0 + e) ** 2
    total = 2.0 * float(np.abs(up).sum())
    level = np.log2(1.0 + total) / total if near and total else 1.0
    return level * (up.sum(axis=1) - up.sum(axis=0)), level * (slope.sum(axis=1) + slope.sum(axis=0))


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
