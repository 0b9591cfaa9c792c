"""Interpolation of rankers by Powell's method: the paper's baseline, for two rankers or more.

Powell's method searches one direction after another with Brent's line search, which expects a smooth function; a
ranking measure is a step function, so it may stop on any plateau. For two rankers `optimal_combination` is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.combination.combine import judged_columns
from rankwright.errors import InputError
from rankwright.measures import Measure, MeasureLike
from rankwright.measures.base import Floats


@dataclass(frozen=True, eq=False, repr=False)
class Interpolation:
    """Weights of several rankers, found by Powell's method.

    Parameters
    ----------
    weights : one per ranker, at least 0, summing to 1.
    value : the measure of the combined scores.
    values_alone : the measure of each ranker alone.
    measure : what was asked for.
    n_queries, n_evaluations : queries that count, and weights that were tried.
    """

    weights: Floats
    value: float
    values_alone: tuple[float, ...]
    measure: Measure
    n_queries: int
    n_evaluations: int

    @property
    def alpha(self) -> float:
        """For two rankers, the weight of the second: (1 − α)a + αb."""
        if len(self.weights) != 2:
            raise AttributeError(f"alpha is the weight of the second of two rankers. There are {len(self.weights)}.")
        return float(self.weights[1])

    def scores(self, columns: Sequence[npt.ArrayLike]) -> Floats:
        """The combined scores of other documents."""
        return weighted_sum([np.asarray(c, dtype=np.float64) for c in columns], self.weights)

    def __repr__(self) -> str:
        lines = [f"{self.measure} by Powell's method over {self.n_queries} queries, {self.n_evaluations} evaluations"]
        lines.append(f"  combined   {self.value:.6f}")
        for i, (weight, alone) in enumerate(zip(self.weights, self.values_alone, strict=True), start=1):
            lines.append(f"  ranker {i}   {alone:.6f}   weight {weight:.6g}")
        return "\n".join(lines)


def weighted_sum(columns: Sequence[Floats], weights: Floats) -> Floats:
    """Σ w_k s_k, in the order of the rankers."""
    out: Floats = weights[0] * columns[0]
    for weight, column in zip(weights[1:], columns[1:], strict=True):
        out = out + weight * column
    return out


def interpolate(
    columns: Sequence[npt.ArrayLike],
    labels: Any,
    *,
    qid: Any = None,
    group: Any = None,
    measure: MeasureLike = "nDCG@10",
    query_weight: Any = None,
    doc_ids: Any = None,
    max_rounds: int = 100,
    n_threads: int | None = None,
) -> Interpolation:
    """Weights ≥ 0 of two or more rankers by Powell's method, from equal weights; usually on validation data.

    Parameters
    ----------
    columns : the scores of each ranker, one per document.
    labels, qid, group, query_weight, doc_ids : as for `optimal_combination`.
    measure : what is to be best.
    max_rounds : rounds of Powell's method over all directions.
    n_threads : None for all cores.
    """
    from scipy.optimize import minimize

    if len(columns) < 2:
        raise InputError(f"there must be two rankers or more. Got {len(columns)}. Pass one column of scores for each.")
    names = tuple(f"columns[{i}]" for i in range(len(columns)))
    objective, scores = judged_columns(
        list(columns),
        labels,
        qid,
        group,
        measure,
        names=names,
        query_weight=query_weight,
        doc_ids=doc_ids,
        n_threads=n_threads,
    )
    n_queries = int((objective.weight > 0).sum())
    best = (-np.inf, np.full(len(scores), 1.0 / len(scores)))

    def loss(x: Floats) -> float:
        nonlocal best
        total = float(x.sum())
        if total <= 0.0:  # no ranker at all: never what is wanted
            return float("inf")
        value = objective.sign * objective.value(weighted_sum(scores, x / total))
        if value > best[0]:
            best = (value, x / total)
        return -value

    found = minimize(loss, best[1], method="Powell", bounds=[(0.0, 1.0)] * len(scores), options={"maxiter": max_rounds})
    value, weights = best
    alone = tuple(objective.value(column) for column in scores)
    return Interpolation(weights, objective.sign * value, alone, objective.measure, n_queries, int(found.nfev))
