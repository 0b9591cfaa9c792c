"""Pairs of documents that count by a target weight, inside the exponential loss or before it.

symbol     here      meaning
v_d        v         target weight of a document (the data's document weights)
w_ij       w         target weight of a pair, from v_i and v_j: their mean, product, minimum or maximum; at most 1
ω_q        omega     what a pair of the query counts apart from that: the query's weight, shared by its pairs or not
P(i, j)              ω_q w^p exp(−λ w^e (F_i − F_j)): what a pair brings to the choice of a weak ranker
π(d)       pi        Σ_j P(d, j) − Σ_i P(i, d)

A product of weights, to any power, factorises into a number of i and a number of j, and so does a mean of weights to
the power 1, as a sum of two such terms: then π costs time linear in the documents. All else goes over the pairs, each
computed where it is needed and never kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.learners import Bins, Stump
from rankwright.learners.binning import MISSING
from rankwright.rankers.pairs import ONE, PairWeight
from rankwright.rankers.rankboost import BinnedScores
from rankwright.shards import Shards, fixed, unfixed

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]
OfPair = Literal["mean", "product", "min", "max"]


@dataclass(frozen=True)
class Emphasis:
    """How the target weight and the scores make P: ω w^p exp(−λ w^e (F_i − F_j)).

    Parameters
    ----------
    power : p.
    inside : whether the weight stands inside the exponent: e is 1, else 0.
    scaling : λ.
    """

    power: int = 1
    inside: bool = False
    scaling: float = 1.0


@dataclass(frozen=True)
class TargetWeighting:
    """What every part of the training set has to know of the whole.

    Parameters
    ----------
    pair : how w_ij is made of v_i and v_j.
    pair_weight : whether ω is the same for all pairs, or shared among the pairs of a query.
    doc_scale, query_scale : weights are divided by them, so that the largest w_ij and the largest query weight are 1.
    most_pairs : Σ ω over the pairs of a query is no larger.
    bits : sums over queries are of multiples of 2^−bits of the largest.
    """

    pair: OfPair
    pair_weight: PairWeight
    doc_scale: float
    query_scale: float
    most_pairs: float
    bits: int

    @classmethod
    def of(cls, data: Dataset, pair: OfPair, pair_weight: PairWeight, n_threads: int) -> Self:
        largest = largest_pair(data, pair, n_threads)
        return cls(
            pair,
            pair_weight,
            1.0 if largest == 0 else float(np.sqrt(largest)) if pair == "product" else largest,
            1.0 if data.query_weight is None else float(data.query_weight.max()),
            1.0 if pair_weight == "query" else max(float(data.group_sizes.max(initial=0)) ** 2, 1.0),
            60 - int(np.ceil(np.log2(max(data.n_queries, 1)))),
        )


def largest_pair(data: Dataset, pair: OfPair, n_threads: int) -> float:
    """The largest w_ij over pairs: that of a query's heaviest document and the heaviest one with another label."""
    if data.doc_weight is None:
        return 1.0
    v, full = data.doc_weight, data.group_sizes > 0
    starts, query = data.qptr[:-1][full], data.query_of_row
    heaviest = np.full(data.n_queries, -np.inf)
    heaviest[full] = np.maximum.reduceat(v, starts)
    levels = kernels.label_levels(data.y, data.qptr, n_threads).astype(np.float64)
    level = np.full(data.n_queries, -np.inf)
    level[full] = np.maximum.reduceat(np.where(v == heaviest[query], levels, -np.inf), starts)
    other = np.full(data.n_queries, -np.inf)
    other[full] = np.maximum.reduceat(np.where(levels != level[query], v, -np.inf), starts)
    apart = np.isfinite(other)
    return float(pair_weights(pair, heaviest[apart], other[apart]).max(initial=0.0))


def pair_weights(pair: OfPair, a: Floats, b: Floats) -> Floats:
    """The weights of pairs of documents that weigh a and b."""
    if pair == "mean":
        return 0.5 * (a + b)
    made: Floats = {"product": np.multiply, "min": np.minimum, "max": np.maximum}[pair](a, b)
    return made


class WeightedShard:
    """Whole queries, with F, π and the masses of the queries on them. What decides anything adds exactly."""

    def __init__(self, data: Dataset, bins: Bins, weighting: TargetWeighting, n_threads: int) -> None:
        self.binned = BinnedScores(data, bins, n_threads)
        self.qptr, self.weighting, self.n_threads = data.qptr, weighting, n_threads
        self.levels = kernels.label_levels(data.y, data.qptr, n_threads)
        self.n_pairs = _pairs_of_queries(self.levels, data)
        self.omega = np.ones(data.n_queries) if data.query_weight is None else data.query_weight / weighting.query_scale
        if weighting.pair_weight == "query":
            self.omega = self.omega / np.maximum(self.n_pairs, 1)
        weight = np.ones(data.n_docs) if data.doc_weight is None else data.doc_weight
        self.v = weight.astype(np.float64) / weighting.doc_scale

    # -- the state -----------------------------------------------------------------------------------------------------

    def add(self, alpha: float, h: Stump) -> None:
        """F ← F + α h."""
        self.binned.add(alpha, h)

    def weigh(self, e: Emphasis) -> float:
        """π and the masses under F as it is now; the largest mass."""
        self.emphasis, F = e, e.scaling * self.binned.F
        terms = self.factors(e)
        if terms:
            parts = [kernels.pair_potentials(F, self.levels, a, b, self.qptr, self.n_threads) for a, b in terms]
            self.pi, self.masses = (sum(part[1:], part[0]) for part in zip(*parts, strict=True))
        else:
            rule = (self.weighting.pair, e.power, e.inside)
            self.pi, self.masses = kernels.weighted_pair_potentials(
                F, self.levels, self.v, self.omega, self.qptr, rule, self.n_threads
            )
        return float(self.masses.max(initial=0.0))

    def factors(self, e: Emphasis) -> list[tuple[Floats, Floats]]:
        """The terms a_i b_j that ω w^p is a sum of, if there are few: what the better and the worse document bring."""
        omega = np.repeat(self.omega, np.diff(self.qptr))
        if e.inside:
            return []
        if self.weighting.pair == "product":
            v = self.v**e.power
            return [(omega * v, v)]
        if self.weighting.pair == "mean" and e.power == 1:
            return [(omega * self.v / 2, np.ones(len(self.v))), (omega / 2, self.v)]
        return []

    # -- statistics ----------------------------------------------------------------------------------------------------

    def scores(self) -> Floats:
        return self.binned.F

    def mass(self, largest: float) -> int:
        """Σ D over pairs, in multiples of 2^−bits of the largest query's."""
        return int(fixed(self.masses / largest, self.weighting.bits).sum())

    def masses_of_queries(self) -> Floats:
        masses: Floats = self.masses
        return masses

    def potentials_by_code(self, total: float) -> Cells:
        """For each feature and code, Σ π(d) / total over the documents that have it, in multiples of 1/ONE."""
        binned = self.binned
        sums: Cells = kernels.bin_histograms(binned.codes, self.pi, ONE / total, self.n_threads)
        return sums

    def agreements(self, missing_fires: bool, total: float) -> Cells:
        """R_+ and R_− of every stump, as cells; in multiples of 1/ONE."""
        e, codes, scale = self.emphasis, self.binned.codes, ONE / total
        terms = self.factors(e)
        if len(terms) == 1:
            shift = _middles(self.binned.F, self.qptr)
            a, b = terms[0][0] * np.exp(shift - self.binned.F), terms[0][1] * np.exp(self.binned.F - shift)
            swept: Cells = kernels.factored_agreements(
                codes, self.levels, a, b, self.qptr, scale, missing_fires, self.n_threads
            )
            return swept
        rule = (self.weighting.pair, e.power, e.inside)
        listed: Cells = kernels.pair_agreements(
            codes,
            self.binned.F,
            self.levels,
            self.v,
            self.omega,
            self.qptr,
            rule,
            scale,
            missing_fires,
            self.n_threads,
        )
        return listed

    def has_missing(self) -> int:
        return int((self.binned.codes == MISSING).any())

    def ordered(self) -> int:
        """The weight ω of the pairs that F has in the right order, in whole numbers of one unit."""
        return self._count(kernels.ordered_pairs(self.binned.F, self.levels, self.qptr, self.n_threads))

    def misordered(self) -> int:
        """The weight ω of the pairs that F has in the wrong order, in the same unit; ties are in neither."""
        return self._count(kernels.ordered_pairs(-self.binned.F, self.levels, self.qptr, self.n_threads))

    def to_order(self) -> int:
        """The weight ω of all pairs, in the same unit."""
        return self._count(self.n_pairs)

    def _count(self, pairs: Cells) -> int:
        return int(fixed(self.omega * pairs / self.weighting.most_pairs, self.weighting.bits).sum())


def total_mass(shards: Shards[WeightedShard], e: Emphasis, bits: int) -> float:
    """Weighs all pairs anew; Σ D over them, the same number however the queries are divided."""
    largest = max(shards.collect(WeightedShard.weigh, e))
    return 0.0 if largest == 0 else largest * float(unfixed(shards.sum(WeightedShard.mass, largest), bits))


def _pairs_of_queries(levels: npt.NDArray[np.int32], data: Dataset) -> Cells:
    """The number of pairs with different labels in each query: (n² − Σ over labels n_l²) / 2."""
    n_levels = int(levels.max(initial=0)) + 1
    keys, counts = np.unique(data.query_of_row * n_levels + levels, return_counts=True)
    same = np.zeros(data.n_queries, np.int64)
    np.add.at(same, keys // n_levels, counts**2)
    return (data.group_sizes**2 - same) // 2


def _middles(F: Floats, qptr: Cells) -> Floats:
    """Halfway between each query's lowest and highest score, for each document: keeps exp(F) in range."""
    full = np.diff(qptr) > 0
    starts = qptr[:-1][full]
    if len(starts) == 0:
        return F
    middle = (np.maximum.reduceat(F, starts) + np.minimum.reduceat(F, starts)) / 2
    out: Floats = np.repeat(middle, np.diff(qptr)[full])
    return out
