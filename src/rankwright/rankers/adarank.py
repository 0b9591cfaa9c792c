"""AdaRank: boosting that minimises Σ_i exp(−E(f, i)) for any measure E.                Xu & Li, SIGIR 2007

paper         here        meaning
E(f, i)       e           the measure of query i under the ranking function f, in [−1, 1], larger is better
P_t(i)        P           weight of query i in round t
h_t           h           weak ranker of round t: a feature ranked by large or by small values, or a ranker of yours
φ(t)          phi         Σ_i P_t(i) E(h_t, i)
α_t           alpha       weight of the weak ranker
δ_min^t       delta       min_i E(f_t, i) − E(f_{t−1}, i) − α_t E(h_t, i), with E(f_0, ·) = 0

Departs from the paper:
 - features may also rank in reverse (`directions="both"`), because one whose small values are good is unusable else;
 - P depends on f_t alone, and scaling one feature changes no ranking, so that the plain algorithm can choose the
   same feature for ever: one chosen `max_consecutive` times in a row is set aside until another has been used;
 - a measure where lower is better enters as 1 − E;
 - a perfect weak ranker would have α = ∞: φ is kept below 1 − 10⁻⁶, so that α ≤ 7.3;
 - query weights multiply P; a query left out of the mean (`empty="skip"`) has weight 0.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from annotated_types import Ge

from rankwright.data import Dataset
from rankwright.measures import MeasureLike
from rankwright.models import Model
from rankwright.rankers.base import Ranker
from rankwright.rankers.query_shard import QueryShard
from rankwright.rankers.rounds import Rounds
from rankwright.rankers.weak import FittedRankers, SingleFeatures, Weak, WeakSearch, combined
from rankwright.shards import shards_of

Floats = npt.NDArray[np.float64]

LARGEST_PHI = 1.0 - 1e-6


class AdaRank(Ranker):
    """Boosts single features, or any weak rankers, on the measure itself.

    Parameters
    ----------
    measure : what is optimised: any measure with values in [−1, 1].
    n_rounds : rounds of boosting at most.
    directions : whether a feature may rank by small values too (``"both"``) or by large ones only (``"given"``).
    max_consecutive : a feature chosen so many times in a row is set aside until another has been used; None: never.
    reweight : P_{t+1} ∝ exp(−E(f_t)) as in the paper, or ``"cumulative"``: ∝ P_t exp(−α_t E(f_t)), as RankLib has it.
    weak : a weak ranker with ``fit(dataset, query_weight=...)`` and ``predict(dataset)``, such as any ranker here or
        :class:`SampledQueries`; None for single features.
    patience : stop when the validation (else training) measure has not improved for so many rounds; None: never.
    tol : how much better counts as improved.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training.

    Notes
    -----
    The measure of every feature on every query is computed once, so that T rounds on K features cost
    O((K + T) · N log n) and not O(K · T · N log n). The best round is kept: on validation data if there is any,
    else on training data. A missing value counts as 0.

    Theorem 1 bounds the training measure from below in every round: see `bound_`.

    Examples
    --------
    >>> import rankwright as rw
    >>> X, y, qid = [[1, 5], [2, 4], [3, 3], [1, 9], [2, 8]], [1, 0, 0, 1, 0], [1, 1, 1, 2, 2]
    >>> rw.AdaRank(measure="AP").fit(X, y, qid=qid).history_[0]["train"]
    1.0
    """

    name = "adarank"
    paper = "Xu & Li 2007"
    best_without_valid = "train"

    measure: MeasureLike = "AP"
    n_rounds: Annotated[int, Ge(1)] = 500
    directions: Literal["both", "given"] = "both"
    max_consecutive: Annotated[int, Ge(1)] | None = 5
    reweight: Literal["paper", "cumulative"] = "paper"
    weak: Any = None
    patience: Annotated[int, Ge(1)] | None = None
    tol: Annotated[float, Ge(0)] = 0.0

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> Model:
        E = rounds.measure.bind(train.y)
        both = self.directions == "both"
        queries = shards_of(normalised(train), lambda part: QueryShard(part, E, self.threads, both))
        tried = None if valid is None else QueryShard(valid, E, self.threads)
        search: WeakSearch = SingleFeatures(train.n_features, self.max_consecutive)
        if self.weak is not None:
            search = FittedRankers(self.weak, train)
        steps: list[tuple[float, Weak]] = []
        log_bound = 0.0
        P = queries.sum(QueryShard.total)  # P_1(i) = 1/m
        P.check(E)
        for t in rounds.of(self.n_rounds):
            h, phi = search.best(queries, P)  # φ(t) = Σ_i P_t(i) E(h_t, i)
            alpha = alpha_of(phi)
            steps.append((alpha, h))
            delta = min(queries.collect(QueryShard.advance, alpha, h, P if self.reweight == "cumulative" else None))
            P = queries.sum(QueryShard.total)  # f_t = f_{t−1} + α_t h_t,  P_{t+1}(i) ∝ exp(−E(f_t, i))
            log_bound += log_factor(delta, phi)
            if tried is not None:
                tried.add(alpha, h)
            rounds.record(
                lambda t=t: combined(steps[:t], train.n_features),  # type: ignore[misc]
                train=P.mean if not E.lower_is_better else 1.0 - P.mean,
                valid_scores=None if tried is None else tried.F,
                step=alpha,
                phi=phi,
                bound=1.0 - float(np.exp(log_bound)) if self.reweight == "paper" else float("nan"),
                **h.columns(),
            )
            if P.perfect:
                rounds.stop("every query is ranked perfectly")
        return combined(steps, train.n_features)

    @property
    def bound_(self) -> Floats:
        """Theorem 1's lower bound on the mean training measure (1 − E where lower is better), round by round.

        NaN with ``reweight="cumulative"``, of which the theorem does not speak.
        """
        self._check_fitted()
        return np.array([row["bound"] for row in self.history_])


def alpha_of(phi: float) -> float:
    """α_t = ½ ln[Σ P(1 + E) / Σ P(1 − E)] = ½ ln[(1 + φ)/(1 − φ)]."""
    phi = min(max(phi, -LARGEST_PHI), LARGEST_PHI)
    return 0.5 * float(np.log((1.0 + phi) / (1.0 - phi)))


def log_factor(delta: float, phi: float) -> float:
    """The logarithm of e^{−δ_min} √(1 − φ²), one round's factor in Theorem 1.

    Where φ was kept below 1 to have a finite α, √(1 − φ²) becomes what the proof has before it puts α in:
    ½(1 + φ)e^{−α} + ½(1 − φ)e^{α}.
    """
    alpha = alpha_of(phi)
    return -delta + float(np.log(0.5 * (1.0 + phi) * np.exp(-alpha) + 0.5 * (1.0 - phi) * np.exp(alpha)))


def normalised(train: Dataset) -> Dataset:
    """The data with query weights that sum to 1, as the exact sums need them."""
    weight = np.ones(train.n_queries) if train.query_weight is None else train.query_weight
    return train.replace(query_weight=weight / weight.sum())
