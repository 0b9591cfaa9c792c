"""DiffRank: boosting that minimises Σ_q Σ_{i above j} exp(−ΔH_ij/U_q) over positions.   Wang, Mao, Zeng & Bao, 2011

paper         here        meaning
h^m           h           position of each document from the bottom of its query when sorted by feature m
U_q           U           the largest difference of positions in query q, n_q − 1
D^m_ij        D           weight of the pair in which i should rank above j
V             V           Σ over pairs before they are normalised: their number, where nothing is weighted
α^m           alpha       ½ ln((1 + r)/(1 − r)), r = Σ D^{m−1} (h(i) − h(j))/U_q
Z^m           Z           normaliser of D^m
H^m           H           Σ_{k≤m} α^k h^k

Departs from the paper:
 - its algorithm prints ΔH in α and in the update of D, where its loss and Theorem 2 need Δh: Δh it is. Then
   D^m = exp(−ΔH/U_q)/(V ΠZ), from which Theorem 1 follows;
 - `order="greedy"` takes the feature with the largest |r| each round, not each feature once in turn (`"features"`);
 - labels may be graded: pairs are those with different labels. Tied values share their mean position, a missing value
   ties with every other; a feature whose small values are good has r < 0 and so α < 0, which is the paper's choice of
   descending or ascending order;
 - pairs are never listed: D factorises as exp(−H(i)/U) exp(H(j)/U), see pairs.py;
 - r is kept below 1 − 10⁻⁶, so that α ≤ 7.3; a perfect feature ends the training;
 - weights: D^0_ij ∝ ω_q w_i w_j with the queries' and the documents' weights.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from annotated_types import Ge

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.measures import MeasureLike
from rankwright.models import PositionModel
from rankwright.rankers.base import Ranker
from rankwright.rankers.long_arrays import add_scaled
from rankwright.rankers.pairs import (
    ONE,
    PERFECT,
    SMALLEST_BOUND,
    TIE_BITS,
    PairDistribution,
    PairWeighting,
    alpha_of,
    normaliser,
)
from rankwright.rankers.rounds import Rounds
from rankwright.shards import shards_of

Floats = npt.NDArray[np.float64]

POSITIONS_OF_ALL = "rank scores are positions among all rows of the query, whatever their weight; copies take one each"


class DiffRank(Ranker):
    """Boosts the positions that single features give to documents.

    Parameters
    ----------
    measure : what validation, early stopping and `score` go by; training itself minimises the pairs' loss.
    n_rounds : rounds at most; with ``order="features"``, features at most.
    order : the feature with the largest |r| in each round (``"greedy"``), or each feature once in the order of the
        columns (``"features"``).
    top : only pairs whose better document is among the first `top` of the truth; None: all pairs.
    patience : stop when the validation (else training) measure has not improved for so many rounds; None: never.
    tol : how much better counts as improved.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training.

    Notes
    -----
    A document's score depends on the other documents of its query. `predict` of a Dataset knows them; the rows of a
    plain array are one query. A round costs O(N K) for N documents of K features, O(N) with ``order="features"``.

    Theorem 1 bounds the share of misordered training pairs in every round: see `bound_`.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.DiffRank(n_rounds=5).fit([[3, 0], [1, 1], [2, 1], [0, 5]], [3, 1, 2, 0])
    >>> ranker.rank([[0.5, 1], [0.7, 1], [0.6, 1]])[0].tolist()
    [1, 2, 0]
    """

    name = "diffrank"
    paper = "Wang et al. 2011"
    uses_doc_weight = True
    exempt: ClassVar[dict[str, str]] = {
        "scores_depend_on_their_row_alone": "a feature's rank score is a position among the documents of the query",
        "check_methods_subset_invariance": "a feature's rank score is a position among the documents of the query",
        "check_sample_weight_equivalence_on_dense_data": POSITIONS_OF_ALL,
        "check_sample_weight_equivalence_on_sparse_data": POSITIONS_OF_ALL,
    }

    measure: MeasureLike = "KendallTau"
    n_rounds: Annotated[int, Ge(1)] = 100
    order: Literal["greedy", "features"] = "greedy"
    top: Annotated[int, Ge(1)] | None = None
    patience: Annotated[int, Ge(1)] | None = None
    tol: Annotated[float, Ge(0)] = 0.0

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(n_rounds=20), cls(order="features", top=3)]

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> PositionModel:
        weighting = PairWeighting.of(train, "uniform", self.top)
        shards = shards_of(train, lambda part: PositionShard(part, weighting, self.threads))
        tried = None if valid is None else Positions(valid, self.threads)
        steps: list[tuple[int, float]] = []
        V = shards.sum(PositionShard.mass, weighting.mass_bound)  # D^0 = ω_q w_i w_j / V
        if V == 0:  # no two documents of a query have different labels: every ranking is right
            return PositionModel((), train.n_features)
        total = normaliser(V) * weighting.mass_bound
        bound = 1.0
        n_rounds = min(self.n_rounds, train.n_features) if self.order == "features" else self.n_rounds
        for m in rounds.of(n_rounds):
            offered = slice(m - 1, m) if self.order == "features" else slice(None)
            edges = shards.sum(PositionShard.edges, offered, total)  # r of each = Σ D^{m−1} (h(i) − h(j))/U
            best = int(np.argmax(np.abs(edges) >> TIE_BITS))
            k, r = best + (offered.start or 0), float(edges[best]) / ONE
            if self.order == "greedy" and abs(edges[best]) >> TIE_BITS == 0:
                rounds.stop("no feature tells the pairs apart")
                break
            alpha = alpha_of(r)
            steps.append((k, alpha))
            Z = normaliser(shards.sum(PositionShard.boost, alpha, k, total))  # D^m = D^{m−1} exp(−α Δh/U) / Z
            bound *= Z
            total *= Z
            if tried is not None:
                tried.add(alpha, k)
            rounds.record(
                lambda m=m: PositionModel(tuple(steps[:m]), train.n_features),  # type: ignore[misc]
                train_scores=shards.joined(PositionShard.scores),
                valid_scores=None if tried is None else tried.H,
                step=alpha,
                r=r,
                Z=Z,
                bound=bound,
                feature=k,
            )
            if abs(r) > PERFECT or bound < SMALLEST_BOUND:
                rounds.stop("every pair is in order")
        return PositionModel(tuple(steps), train.n_features)

    @property
    def bound_(self) -> Floats:
        """ΠZ, round by round: Theorem 1's bound on the share of misordered training pairs."""
        self._check_fitted()
        return np.array([row["bound"] for row in self.history_])


class Positions:
    """H on some documents, beside the positions h of every feature; one row of `h` per feature."""

    def __init__(self, data: Dataset, n_threads: int) -> None:
        X = data.X if not data.is_sparse else data.X.toarray()
        self.h = kernels.mean_positions(np.ascontiguousarray(X, dtype=np.float32), data.qptr, n_threads)
        self.H = np.zeros(data.n_docs)

    def add(self, alpha: float, k: int) -> None:
        """H ← H + α h."""
        add_scaled(self.H, alpha, self.h[k])


class PositionShard:
    """Whole queries, with H and D on them. Statistics are whole numbers: they add exactly."""

    def __init__(self, data: Dataset, weighting: PairWeighting, n_threads: int) -> None:
        self.positions, self.qptr, self.n_threads = Positions(data, n_threads), data.qptr, n_threads
        self.U = np.repeat(np.maximum(data.group_sizes - 1, 1), data.group_sizes).astype(np.float64)
        self.per_unit = np.empty(data.n_docs)  # what is divided by U, so that no round has to ask for memory
        self.D = PairDistribution(data, weighting, n_threads)

    def scores(self) -> Floats:
        return self.positions.H

    def mass(self, total: float) -> int:
        """Σ D, where `total` is what D is normalised by."""
        return self.D.mass(total)

    def edges(self, features: slice, total: float) -> npt.NDArray[np.int64]:
        """Σ D (h(i) − h(j))/U for each of some features, in multiples of 1/ONE."""
        h, per_unit = self.positions.h[features], np.divide(self.D.pi, self.U, out=self.per_unit)
        sums: npt.NDArray[np.int64] = kernels.query_dots(h, per_unit, self.qptr, ONE / total, self.n_threads)
        return sums

    def boost(self, alpha: float, k: int, total: float) -> int:
        """H ← H + α h; Z = Σ D exp(−α (h(i) − h(j))/U)."""
        self.positions.add(alpha, k)
        self.D.at(np.divide(self.positions.H, self.U, out=self.per_unit))
        return self.D.mass(total)
