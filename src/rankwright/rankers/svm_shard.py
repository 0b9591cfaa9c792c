"""What a structural SVM keeps of some queries, and the plane of their most violated rankings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.rankers.cutting_planes import Plane
from rankwright.rankers.svm_features import Features, Scale, units_of
from rankwright.shards import fixed, unfixed

Floats = npt.NDArray[np.float64]
Fixed = npt.NDArray[np.int64]
Loss = Literal["ap", "auc", "ndcg", "pairs", "rr"]
PAIRWISE = ("auc", "pairs")  # losses that are sums over pairs, so that documents have weights

BITS = 49  # of sums in multiples of 2^−BITS; a coefficient is at most 2, and kernels.column_sums bears 2^51


@dataclass(frozen=True, eq=False)
class Task:
    """What every part of the training set has to know of the whole.

    Parameters
    ----------
    loss : the oracle's name.
    rel : the smallest label that is relevant; None where labels are graded.
    power : a query counts by its number of pairs to this power: 0, every query alike, to 1, every pair.
    units : what a feature is multiplied by; 0 leaves it out.
    bits : per feature, what its sums are whole multiples of: 2^−bits.
    bound : a power of two that the sum of the queries' weights cannot exceed.
    """

    loss: Loss
    rel: float | None
    power: float
    units: Floats
    bits: npt.NDArray[np.int32]
    bound: float

    @classmethod
    def of(cls, data: Dataset, loss: Loss, rel: float | None, power: float, scale: Scale) -> Self:
        units, largest = units_of(data, scale)
        bits = np.where(units > 0, BITS - np.frexp(largest)[1], 0).astype(np.int32)
        total = float((data.group_sizes.astype(np.float64) ** (2.0 * power)).sum())
        heaviest = 1.0 if data.query_weight is None else float(data.query_weight.max())
        if data.doc_weight is not None:
            heaviest *= float(data.doc_weight.max()) ** (2.0 * power)
        return cls(loss, rel, power, units, bits, float(2.0 ** np.ceil(np.log2(total * heaviest))))

    def judged(self, data: Dataset, n_threads: int) -> tuple[npt.NDArray[np.int32], Floats, Floats]:
        """Levels and weights of documents; per query what it counts for, 0 where none are to be told apart."""
        relevance = data.y if self.rel is None else (data.y >= self.rel).astype(np.float32)
        levels = kernels.label_levels(relevance, data.qptr, n_threads)
        weight = np.ones(data.n_docs) if data.doc_weight is None or self.loss not in PAIRWISE else data.doc_weight
        mass = kernels.pair_potentials(np.zeros(data.n_docs), levels, weight, weight, data.qptr, n_threads)[1]
        omega = np.ones(data.n_queries) if data.query_weight is None else data.query_weight
        return levels, weight, np.where(mass > 0, omega * mass**self.power, 0.0)

    @property
    def slope(self) -> float:
        """Margins of pairs are slope · (s_i − s_j)."""
        return 2.0 if self.loss == "auc" else 1.0

    def plane(self, sums: Fixed) -> Plane:
        """The plane of all queries, from the sum of those of the parts."""
        a = -self.units * np.ldexp(sums[:-1].astype(np.float64), -self.bits)
        return Plane(a, float(unfixed(sums[-1], BITS)))

    def rounded(self, sums: Fixed) -> tuple[Plane, float]:
        """The plane of pairs that are swapped by shares, and what the risk has on top of it."""
        return self.plane(sums[:-1]), float(unfixed(sums[-1], BITS))


class QueryRankings:
    """Queries with documents that are to be told apart, and their most violated rankings; others are left out.

    Parameters
    ----------
    data : whole queries.
    task : what is learned.
    n_threads : threads to use.
    """

    def __init__(self, data: Dataset, task: Task, n_threads: int) -> None:
        self.task, self.n_threads = task, n_threads
        levels, weight, omega = task.judged(data, n_threads)
        self.used = omega > 0
        rows = np.repeat(self.used, data.group_sizes)
        kept = data if self.used.all() else data.queries(self.used)
        self.qptr, self.levels = kept.qptr, levels[rows]
        self.brings = gains_of(kept) if task.loss == "ndcg" else weight[rows]
        self.omega = omega[self.used] / task.bound
        self.omega_of_row = np.repeat(self.omega, kept.group_sizes)
        self.features = Features(kept.X, n_threads)

    def n_used(self) -> int:
        """Queries that count."""
        return int(self.used.sum())

    def weight(self) -> int:
        """Σ ω, exactly."""
        return int(fixed(self.omega, BITS).sum())

    def most_violated(self, w: Floats, weight: int) -> Fixed:
        """Σ ω (ψ(y) − ψ(true)) and Σ ω Δ(y) of the most violated rankings y, with ω summing to 1: one plane.

        Parameters
        ----------
        w : weights of the scaled features.
        weight : Σ ω of all queries.
        """
        scores = self.features.scores(w * self.task.units)
        return self._summed(
            weight,
            *kernels.most_violated(self.task.loss, scores, self.levels, self.brings, self.qptr, self.n_threads),
        )

    def smoothed(self, w: Floats, width: float, weight: int) -> Fixed:
        """The same of pairs that are swapped by shares, see newton_planes.py, and then Σ ω (hinge less rounded hinge).

        Parameters
        ----------
        w : weights of the scaled features.
        width : how far from 1 a pair's margin can be for it to be swapped in part.
        weight : Σ ω of all queries.
        """
        scores = self.features.scores(w * self.task.units)
        pairs = scores, self.levels, self.brings, self.qptr, self.n_threads
        return self._summed(weight, *kernels.smoothed_pairs(self.task.slope, width, *pairs))

    def _summed(self, weight: int, g: Floats, *per_query: Floats) -> Fixed:
        """Σ ω g x, and Σ ω of each of the others, with ω summing to 1."""
        total = float(unfixed(weight, BITS))
        g *= self.omega_of_row
        sums = self.features.sums(g, np.ldexp(1.0 / total, self.task.bits))
        return np.append(sums, [fixed(self.omega * part / total, BITS).sum() for part in per_query])


def gains_of(data: Dataset) -> Floats:
    """2^y − 1 over the query's largest 2^y: nDCG does not know the difference, and no label is too large."""
    y = data.y.astype(np.float64)
    top = np.repeat(np.maximum.reduceat(y, data.qptr[:-1]), data.group_sizes) if data.n_docs else y
    return np.asarray(np.exp2(y - top) - np.exp2(-top))
