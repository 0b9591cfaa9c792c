"""RankBoost: boosting that minimises Σ D_1(i, j) exp(−(F(i) − F(j))) over pairs that should be ranked apart.

                                                    Freund, Iyer, Schapire & Singer, JMLR 2003
paper         here        meaning
D_t(i, j)     D           weight of a pair of one query with y_i > y_j in round t
h_t           h           weak ranker of round t: a stump 1[x_k > θ]
π(d)          pi          potential of a document: Σ_j D(d, j) − Σ_i D(i, d)
r_t           r           Σ D_t(i, j) (h_t(i) − h_t(j)) = Σ_d π(d) h_t(d)
α_t           alpha       ½ ln((1 + r)/(1 − r))
Z_t           Z           normaliser of D_{t+1}
F             F           Σ_t α_t h_t

Departs from the paper:
 - the better document of a pair is written first;
 - pairs are never listed: D(i, j) = exp(−F(i)) exp(F(j))/ΠZ factorises, so that π costs time linear in the documents;
 - h is the stump with the largest |r| of all thresholds (at most 254 a feature), not one of a few candidates; a stump
   with r < 0 has α < 0; a missing value fires or not, whichever makes |r| larger;
 - a perfect stump would have α = ∞: r is kept below 1 − 10⁻⁶, so that α ≤ 7.3, and training ends there;
 - weights: D_1(i, j) ∝ ω_q w_i w_j with the queries' and the documents' weights.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

import numpy as np
import numpy.typing as npt
from annotated_types import Ge, Le

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.learners import Bins, Stump, best_stump
from rankwright.models import StumpModel
from rankwright.rankers.base import Ranker
from rankwright.rankers.pairs import (
    ONE,
    PERFECT,
    SMALLEST_BOUND,
    TIE_BITS,
    PairDistribution,
    PairWeight,
    PairWeighting,
    alpha_of,
    normaliser,
)
from rankwright.rankers.rounds import Rounds
from rankwright.shards import shards_of

Floats = npt.NDArray[np.float64]

THRESHOLDS_OF_ALL = (
    "thresholds are found from the values of all rows, whatever their weight and however often they stand"
)


class RankBoost(Ranker):
    """Boosts stumps on pairs of documents.

    Parameters
    ----------
    measure : what validation, early stopping and `score` go by; training itself minimises the pairs' loss.
    n_rounds : rounds of boosting at most.
    pair_weight : whether all pairs weigh the same (``"uniform"``), or all queries do, each sharing its weight among
        its pairs (``"query"``).
    max_bins : bins of a feature at most; a feature with no more values than that has all its thresholds.
    patience : stop when the validation (else training) measure has not improved for so many rounds; None: never.
    tol : how much better counts as improved.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training.

    Notes
    -----
    A round costs O(N K) for N documents of K features, whatever the number of pairs. The round best on validation
    data is kept, else the last. After every round ΠZ (`bound_`) is the mean of exp(−(F(i) − F(j))) over pairs and so
    bounds the share of misordered ones.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.RankBoost(n_rounds=10).fit([[3, 0], [1, 1], [2, 1], [0, 5]], [2, 0, 1, 0])
    >>> ranker.predict([[2.5, 0], [0.5, 0]]).round(2).tolist()
    [4.12, 0.0]
    """

    name = "rankboost"
    paper = "Freund et al. 2003"
    uses_doc_weight = True
    exempt: ClassVar[dict[str, str]] = {
        "check_sample_weight_equivalence_on_dense_data": THRESHOLDS_OF_ALL,
        "check_sample_weight_equivalence_on_sparse_data": THRESHOLDS_OF_ALL,
    }

    n_rounds: Annotated[int, Ge(1)] = 300
    pair_weight: PairWeight = "uniform"
    max_bins: Annotated[int, Ge(2), Le(255)] = 255
    patience: Annotated[int, Ge(1)] | None = None
    tol: Annotated[float, Ge(0)] = 0.0

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(n_rounds=20), cls(n_rounds=5, pair_weight="query", max_bins=4)]

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> StumpModel:
        bins = Bins.of(train.X, self.max_bins, self.threads)
        weighting = PairWeighting.of(train, self.pair_weight)
        shards = shards_of(train, lambda part: PairShard(part, bins, weighting, self.threads))
        tried = None if valid is None else BinnedScores(valid, bins, self.threads)
        steps: list[tuple[float, Stump]] = []
        V = shards.sum(PairShard.mass, weighting.mass_bound)  # D_1 = ω_q w_i w_j / V
        if V == 0:  # no two documents of a query have different labels: every ranking is right
            return StumpModel((), train.n_features)
        total = normaliser(V) * weighting.mass_bound
        bound = 1.0
        for t in rounds.of(self.n_rounds):
            h, sum_pi_h = best_stump(shards.sum(PairShard.potentials_by_code, total), bins, TIE_BITS)
            r = sum_pi_h / ONE  # r = Σ D_t(i, j) (h(i) − h(j))
            if h is None:
                rounds.stop("no feature tells the pairs apart")
                break
            alpha = alpha_of(r)
            steps.append((alpha, h))
            Z = normaliser(shards.sum(PairShard.boost, alpha, h, total))  # D_{t+1} = D_t exp(−α (h(i) − h(j))) / Z
            bound *= Z
            total *= Z
            if tried is not None:
                tried.add(alpha, h)
            rounds.record(
                lambda t=t: StumpModel(tuple(steps[:t]), train.n_features),  # type: ignore[misc]
                train_scores=shards.joined(PairShard.scores),
                valid_scores=None if tried is None else tried.F,
                step=alpha,
                r=r,
                Z=Z,
                bound=bound,
                feature=h.feature,
                threshold=h.threshold,
            )
            if abs(r) > PERFECT or bound < SMALLEST_BOUND:
                rounds.stop("every pair is in order")
        return StumpModel(tuple(steps), train.n_features)

    @property
    def bound_(self) -> Floats:
        """ΠZ, round by round: it bounds the share of misordered training pairs."""
        self._check_fitted()
        return np.array([row["bound"] for row in self.history_])


class BinnedScores:
    """F on some documents, kept beside their features' bins."""

    def __init__(self, data: Dataset, bins: Bins, n_threads: int) -> None:
        self.bins, self.n_threads = bins, n_threads
        self.codes = bins.codes(data.X, n_threads)
        self.F = np.zeros(data.n_docs)

    def add(self, alpha: float, h: Stump) -> None:
        """F ← F + α h."""
        codes = self.codes[self.bins.row_of(h.feature)]
        kernels.add_by_code(self.F, codes, alpha * h.by_code(self.bins), self.n_threads)


class PairShard:
    """Whole queries, with F and D_t on them. Statistics are whole numbers: they add exactly."""

    def __init__(self, data: Dataset, bins: Bins, weighting: PairWeighting, n_threads: int) -> None:
        self.binned = BinnedScores(data, bins, n_threads)
        self.D = PairDistribution(data, weighting, n_threads)

    def scores(self) -> Floats:
        return self.binned.F

    def mass(self, total: float) -> int:
        """Σ D, where `total` is what D is normalised by."""
        return self.D.mass(total)

    def potentials_by_code(self, total: float) -> npt.NDArray[np.int64]:
        """For each feature and code, Σ π(d) over the documents that have it, in multiples of 1/ONE."""
        binned = self.binned
        sums: npt.NDArray[np.int64] = kernels.bin_histograms(binned.codes, self.D.pi, ONE / total, binned.n_threads)
        return sums

    def boost(self, alpha: float, h: Stump, total: float) -> int:
        """F ← F + α h; Z = Σ D_t exp(−α (h(i) − h(j)))."""
        self.binned.add(alpha, h)
        self.D.at(self.binned.F)
        return self.D.mass(total)
