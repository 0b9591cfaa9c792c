"""A distribution over all pairs of documents that should be ranked apart, in time linear in the documents.

D(i, j) ∝ a_i b_j exp(−(F_i − F_j)) for the pairs of one query with y_i > y_j, i being the better document. The weight
of a pair is a product of a number of i and a number of j, so that every sum over pairs is a sum over documents of the
potentials π(d) = Σ_j D(d, j) − Σ_i D(i, d):

    Σ D(i, j) (h(i) − h(j)) = Σ_d π(d) h(d)

No pair is ever listed. RankBoost and DiffRank share it; a and b are where weights of pairs that factorise go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.shards import fixed, unfixed

Floats = npt.NDArray[np.float64]
PairWeight = Literal["uniform", "query"]

BITS = 60  # masses and sums of potentials are at most 2 in magnitude, in multiples of 2^−60
ONE = float(2**BITS)
TIE_BITS = 20  # |r| equal up to 2^−40 are equal: rounding decides nothing
LARGEST_R = 1.0 - 1e-6
PERFECT = 1.0 - 1e-12  # |r| of a weak ranker that orders every pair as far apart as can be, up to rounding
SMALLEST_BOUND = 1e-250  # below it every pair is in order by far, and 1/ΠZ leaves the floating-point numbers


def alpha_of(r: float) -> float:
    """α = ½ ln((1 + r)/(1 − r)), with |r| kept below 1 − 10⁻⁶ so that it is finite: |α| ≤ 7.3."""
    r = min(max(r, -LARGEST_R), LARGEST_R)
    return 0.5 * float(np.log((1.0 + r) / (1.0 - r)))


@dataclass(frozen=True)
class PairWeighting:
    """How D_1 weighs the pairs: what every part of the training set has to know of the whole.

    D_1(i, j) ∝ ω_q w_i w_j, with ω the queries' and w the documents' weights; with `pair_weight` "query" it is divided
    by Σ w_i w_j over the query's pairs, so that every query counts ω_q whatever its number of pairs.

    Parameters
    ----------
    pair_weight : ``"uniform"`` over all pairs, or ``"query"``: over queries, then over a query's pairs.
    doc_scale, query_scale : the largest weights; weights are divided by them.
    mass_bound : a power of two that Σ D over all pairs cannot exceed, before D is normalised.
    top : only pairs count whose better document has fewer than `top` above it in truth; None: all.
    """

    pair_weight: PairWeight
    doc_scale: float
    query_scale: float
    mass_bound: float
    top: int | None = None

    @classmethod
    def of(cls, data: Dataset, pair_weight: PairWeight, top: int | None = None) -> Self:
        squares = float((data.group_sizes.astype(np.float64) ** 2).sum())
        bound = squares if pair_weight == "uniform" else float(data.n_queries)
        return cls(
            pair_weight,
            1.0 if data.doc_weight is None else float(data.doc_weight.max()),
            1.0 if data.query_weight is None else float(data.query_weight.max()),
            float(2 ** int(np.ceil(np.log2(max(bound, 1.0))))),
            top,
        )


class Pairs:
    """The pairs of some queries, by what each document brings to them.

    Parameters
    ----------
    data : whole queries.
    weighting : how D_1 weighs pairs.
    n_threads : threads to use.

    Attributes
    ----------
    a, b : what a document brings to its pairs as the better and as the worse one.
    """

    def __init__(self, data: Dataset, weighting: PairWeighting, n_threads: int) -> None:
        self.qptr, self.n_threads = data.qptr, n_threads
        self.levels = kernels.label_levels(data.y, data.qptr, n_threads)
        w = np.ones(data.n_docs) if data.doc_weight is None else data.doc_weight / weighting.doc_scale
        omega = np.ones(data.n_queries) if data.query_weight is None else data.query_weight / weighting.query_scale
        self.a, self.b = (w if weighting.top is None else np.where(_first(data, weighting.top), w, 0.0)), w
        if weighting.pair_weight == "query":
            mass = self.potentials(np.zeros(data.n_docs))[1]
            omega = np.divide(omega, mass, out=np.zeros_like(omega), where=mass > 0)
        self.a = self.a * np.repeat(omega, data.group_sizes)

    def potentials(self, F: Floats) -> tuple[Floats, Floats]:
        """π of each document and Σ D over the pairs of each query, for D(i, j) = a_i b_j exp(−(F_i − F_j))."""
        found: tuple[Floats, Floats] = kernels.pair_potentials(
            F, self.levels, self.a, self.b, self.qptr, self.n_threads
        )
        return found


class PairDistribution:
    """D_t on some queries: the potentials π of their documents and the masses of the queries.

    Statistics take `total`, Σ a_i b_j exp(−(F_i − F_j)) over the pairs of *all* queries, by which D is normalised, and
    return whole numbers, so that they add exactly.
    """

    def __init__(self, data: Dataset, weighting: PairWeighting, n_threads: int) -> None:
        self.pairs = Pairs(data, weighting, n_threads)
        self.at(np.zeros(data.n_docs))

    def at(self, F: Floats) -> None:
        """D for the scores F."""
        self.pi, self.masses = self.pairs.potentials(F)

    def mass(self, total: float) -> int:
        """Σ D / total."""
        return int(fixed(self.masses / total, BITS).sum())


def normaliser(mass: int) -> float:
    """Z: what the shards' `mass` sums to."""
    return float(unfixed(mass, BITS))


def _first(data: Dataset, top: int) -> npt.NDArray[np.bool_]:
    """Whether fewer than `top` documents of its query have a higher label."""
    rank = np.empty(data.n_docs, np.int64)
    rows = kernels.order_queries(data.y.astype(np.float64), data.qptr)
    rank[rows] = np.arange(data.n_docs) - np.repeat(data.qptr[:-1], data.group_sizes)
    query_of_row, y = data.query_of_row[rows], data.y[rows]
    starts = np.flatnonzero(np.concatenate([[True], (y[1:] != y[:-1]) | (query_of_row[1:] != query_of_row[:-1])]))
    above = np.empty(data.n_docs, np.int64)
    above[rows] = np.repeat(rank[rows[starts]], np.diff(np.append(starts, data.n_docs)))
    return above < top
