"""ExpWRB, LinWRB, AddWRB: RankBoost on pairs that count by how much they look like another domain's.

                                                    Cai, Gao, Wong & Zhou, ECIR 2011
paper          here       meaning
w(x_i, x_j)    w          target weight of a pair, from the documents' weights; see `weighted_pairs`
W_t(i, j)      D          source weight of a pair in round t
f_t            h          weak ranker of round t: a stump 1[x_k > θ]
F_t            F          Σ α_s h_s for s ≤ t
λ_t            scaling    AddWRB's: as printed, λ_{t−1} times the share of pairs that F_t has in the right order
R_a            R          LinWRB's: Σ D w over pairs with h(i) − h(j) = a

                D_{t+1}(i, j) ∝                         h_t                               α_t
    ExpWRB      D_t exp(−α_t w (h(i) − h(j)))           max |r|, r = Σ D w (h(i) − h(j))  ½ ln((1 + r)/(1 − r))
    LinWRB      D_t w exp(−α_t (h(i) − h(j)))           min R_0 + 2 √(R_+ R_−)            ½ ln(R_+/R_−)
    AddWRB      w exp(−λ_t (F_t(i) − F_t(j)))           max |r|, r = Σ D (h(i) − h(j))    ½ ln((1 + r)/(1 − r))

Departs from the paper:
 - the better document of a pair is written first, which turns the signs of the exponents;
 - D is computed from F, which is the same thing: ExpWRB's is exp(−w (F(i) − F(j))), LinWRB's w^t exp(−(F(i) − F(j)));
 - w is scaled so that its largest value is 1, which ExpWRB needs for |r| ≤ 1; LinWRB and AddWRB do not notice;
 - the paper leaves AddWRB's α_t open; it is RankBoost's;
 - α is kept finite as in RankBoost: |α| ≤ 7.3;
 - AddWRB's λ_t is by default 1 less the share of pairs in the wrong order, of its round alone: the printed product is
   next to 0 after some rounds, whatever the source, and then D is w alone and the same stump comes again and again;
 - everything said of stumps, thresholds and missing values in `rankboost`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from annotated_types import Ge, Le

from rankwright.data import Dataset
from rankwright.docstrings import completed
from rankwright.learners import Bins, Stump, best_stump, stump_apart
from rankwright.models import StumpModel
from rankwright.rankers.base import Ranker
from rankwright.rankers.pairs import ONE, PERFECT, SMALLEST_BOUND, TIE_BITS, PairWeight, alpha_of
from rankwright.rankers.rankboost import BinnedScores, RankBoost
from rankwright.rankers.rounds import Rounds
from rankwright.rankers.weighted_pairs import Emphasis, OfPair, TargetWeighting, WeightedShard, total_mass
from rankwright.shards import Shards, shards_of

NO_COPIES = "a target weight says how much a pair matters, by a rule for two documents, not how often they are there"


class Weak(NamedTuple):
    """The weak ranker of a round, its weight, and Σ D (h(i) − h(j))."""

    h: Stump
    alpha: float
    r: float


class WeightedRankBoost(Ranker):
    """What the three variants share: everything but how weights enter D and how h is chosen.

    Parameters
    ----------
    measure : what validation, early stopping and `score` go by; training itself minimises the pairs' loss.
    n_rounds : rounds of boosting at most.
    pair : how the weight of a pair is made from its documents' weights.
    pair_weight : whether all pairs count the same apart from that (``"uniform"``), or all queries do (``"query"``).
    max_bins : bins of a feature at most; a feature with no more values than that has all its thresholds.
    patience : stop when the validation (else training) measure has not improved for so many rounds; None: never.
    tol : how much better counts as improved.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training.
    """

    paper = "Cai et al. 2011"
    uses_doc_weight = True
    exempt: ClassVar[dict[str, str]] = {
        "check_sample_weight_equivalence_on_dense_data": NO_COPIES,
        "check_sample_weight_equivalence_on_sparse_data": NO_COPIES,
    }

    n_rounds: Annotated[int, Ge(1)] = 300
    pair: OfPair = "mean"
    pair_weight: PairWeight = "uniform"
    max_bins: Annotated[int, Ge(2), Le(255)] = 255
    patience: Annotated[int, Ge(1)] | None = None
    tol: Annotated[float, Ge(0)] = 0.0

    start: ClassVar[Emphasis] = Emphasis()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__doc__ = completed(cls)

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(n_rounds=15), cls(n_rounds=5, pair="product", pair_weight="query", max_bins=4)]

    def unweighted(self) -> RankBoost:
        """The ranker it extends, with the same options: what adaptation is compared with."""
        shared = {
            name: value for name, value in self.get_params(deep=False).items() if name in RankBoost().get_params()
        }
        return RankBoost(**shared)

    @abstractmethod
    def choose(self, shards: Shards[WeightedShard], bins: Bins, total: float) -> Weak | None:
        """h_t and α_t; None where no feature tells the pairs apart."""

    def reweigh(self, e: Emphasis, shards: Shards[WeightedShard]) -> Emphasis:
        """How D_{t+1} weighs pairs, when D_t did so by `e`."""
        return e

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> StumpModel:
        bins = Bins.of(train.X, self.max_bins, self.threads)
        weighting = TargetWeighting.of(train, self.pair, self.pair_weight, self.threads)
        shards = shards_of(train, lambda part: WeightedShard(part, bins, weighting, self.threads))
        tried = None if valid is None else BinnedScores(valid, bins, self.threads)
        steps: list[tuple[float, Stump]] = []
        e = self.start
        first = total = total_mass(shards, e, weighting.bits)
        if total == 0:  # no two documents of a query with different labels that weigh anything
            return StumpModel((), train.n_features)
        for t in rounds.of(self.n_rounds):
            weak = self.choose(shards, bins, total)
            if weak is None:
                rounds.stop("no feature tells the pairs apart")
                break
            steps.append((weak.alpha, weak.h))
            shards.collect(WeightedShard.add, weak.alpha, weak.h)  # F_t = F_{t−1} + α_t h_t
            e = self.reweigh(e, shards)
            before, total = total, total_mass(shards, e, weighting.bits)
            if tried is not None:
                tried.add(weak.alpha, weak.h)
            rounds.record(
                lambda t=t: StumpModel(tuple(steps[:t]), train.n_features),  # type: ignore[misc]
                train_scores=shards.joined(WeightedShard.scores),
                valid_scores=None if tried is None else tried.F,
                step=weak.alpha,
                r=weak.r,
                Z=total / before,
                loss=total / first,
                **self.columns(e, shards),
                feature=weak.h.feature,
                threshold=weak.h.threshold,
            )
            if abs(weak.r) > PERFECT or total < first * SMALLEST_BOUND:
                rounds.stop("every pair that weighs anything is in order")
        return StumpModel(tuple(steps), train.n_features)

    def columns(self, e: Emphasis, shards: Shards[WeightedShard]) -> dict[str, float]:
        """What the history says of D_{t+1}: over how many queries it is spread, (Σ D_q)² / Σ D_q²; and λ_t."""
        masses = np.concatenate(shards.collect(WeightedShard.masses_of_queries))
        masses = masses / max(float(masses.max(initial=0.0)), np.finfo(float).tiny)
        spread = float(masses.sum() ** 2 / max(float((masses**2).sum()), np.finfo(float).tiny))
        return {"queries": spread, "lambda": e.scaling}


def largest_r(shards: Shards[WeightedShard], bins: Bins, total: float) -> Weak | None:
    """The stump with the largest |r|; α = ½ ln((1 + r)/(1 − r))."""
    h, sum_pi_h = best_stump(shards.sum(WeightedShard.potentials_by_code, total), bins, TIE_BITS)
    r = sum_pi_h / ONE
    return None if h is None else Weak(h, alpha_of(r), r)


class ExpWRB(WeightedRankBoost):
    """RankBoost with target weights inside the exponent of the loss.

    Notes
    -----
    Weights are the documents' (`sample_weight`, or the Dataset's). exp(−w (F(i) − F(j))) does not factorise: a round
    goes over all pairs, O(Σ n_q² + N K). With equal weights it is RankBoost, round for round.

    Examples
    --------
    >>> import rankwright as rw
    >>> X, y, w = [[3, 0], [1, 1], [2, 1], [0, 5]], [2, 0, 1, 0], [1.0, 0.2, 1.0, 0.2]
    >>> rw.ExpWRB(n_rounds=10).fit(X, y, sample_weight=w).rank(X)
    [array([0, 2, 1, 3])]
    """

    name = "expwrb"

    start = Emphasis(inside=True)

    def choose(self, shards: Shards[WeightedShard], bins: Bins, total: float) -> Weak | None:
        return largest_r(shards, bins, total)


class LinWRB(WeightedRankBoost):
    """RankBoost whose pairs are multiplied by their target weights in every round.

    Notes
    -----
    D_t ∝ w^t exp(−F): after some rounds only the pairs with the largest weights count, and `history_` shows over how
    few queries D is spread (`queries`). Z is minimised exactly, which takes R_+ and R_− of every stump and not their
    difference alone: O(N K log n) a round where weights factorise (``pair="product"``), else O(K Σ n_q²). With equal
    weights it is RankBoost by the second method of Freund et al., its sec. 3.2.

    Examples
    --------
    >>> import rankwright as rw
    >>> X, y, w = [[3, 0], [1, 1], [2, 1], [0, 5]], [2, 0, 1, 0], [1.0, 0.2, 1.0, 0.2]
    >>> rw.LinWRB(n_rounds=10, pair="product").fit(X, y, sample_weight=w).rank(X)
    [array([0, 2, 1, 3])]
    """

    name = "linwrb"

    def choose(self, shards: Shards[WeightedShard], bins: Bins, total: float) -> Weak | None:
        sides = (False, True) if shards.sum(WeightedShard.has_missing) else (False,)
        cells = [shards.sum(WeightedShard.agreements, fires, total) for fires in sides]
        h, right, wrong = stump_apart(cells, bins, TIE_BITS)
        return None if h is None else Weak(h, alpha_of_sides(right, wrong), (right - wrong) / ONE)

    def reweigh(self, e: Emphasis, shards: Shards[WeightedShard]) -> Emphasis:
        return replace(e, power=e.power + 1)


def alpha_of_sides(right: float, wrong: float) -> float:
    """α = ½ ln(R_+/R_−), which minimises R_− e^α + R_0 + R_+ e^−α; kept finite as `alpha_of` does."""
    return alpha_of((right - wrong) / (right + wrong))


class AddWRB(WeightedRankBoost):
    """RankBoost that balances target weights and the exponential loss by how many pairs are in order.

    Parameters
    ----------
    scaling : ``"share"``: λ_t = 1 − share of pairs that F_t has in the wrong order; ``"paper"``: λ_t = λ_{t−1} · share
        of pairs that F_t has in order, as printed; ``"none"``: λ_t = 1.

    Notes
    -----
    A round costs O(N K) where weights factorise (``pair`` is ``"mean"`` or ``"product"``), else O(N K + Σ n_q²).
    `history_` has λ_t of every round. Where a fifth of the pairs is not in order, the paper's λ_10 is 0.1: from then on
    D is w alone, and the same stump is chosen again and again. With equal weights and ``scaling="none"`` it is
    RankBoost, round for round; with equal weights alone its first round is.

    Examples
    --------
    >>> import rankwright as rw
    >>> X, y, w = [[3, 0], [1, 1], [2, 1], [0, 5]], [2, 0, 1, 0], [1.0, 0.2, 1.0, 0.2]
    >>> ranker = rw.AddWRB(n_rounds=3, scaling="paper").fit(X, y, sample_weight=w)
    >>> [round(row["lambda"], 2) for row in ranker.history_]
    [0.6, 0.36, 0.36]
    """

    name = "addwrb"

    scaling: Literal["share", "paper", "none"] = "share"

    def choose(self, shards: Shards[WeightedShard], bins: Bins, total: float) -> Weak | None:
        return largest_r(shards, bins, total)

    def reweigh(self, e: Emphasis, shards: Shards[WeightedShard]) -> Emphasis:
        """λ_t."""
        if self.scaling == "none":
            return e
        of_all = shards.sum(WeightedShard.to_order)
        if self.scaling == "share":
            return replace(e, scaling=1.0 - shards.sum(WeightedShard.misordered) / of_all)
        return replace(e, scaling=e.scaling * (shards.sum(WeightedShard.ordered) / of_all))  # Eq. (5)
