"""RankNet, LambdaRank, ListNet and ListMLE: one small network, four losses.

s: scores    y: labels    sums over the documents of one query; each query counts by its weight

    RankNet     mean over pairs with y_i > y_j of ln(1 + exp(−(s_i − s_j)))       Burges et al., ICML 2005
    LambdaRank  ∂L/∂s_i = −λ_i, the λ-gradients of any measure; see `lambdas`      Burges, Ragno & Le, NIPS 2006
    ListNet     −Σ P_y(i) ln P_s(i), P the softmax                                Cao et al., ICML 2007
    ListMLE     −Σ ln(e^{s_i} / (e^{s_i} + Σ_{y_j < y_i} e^{s_j}))                Xia et al., ICML 2008

Departs from the papers:
 - RankNet takes the mean over a query's pairs, not the sum: long queries do not drown short ones;
 - ListMLE's likelihood is of a full order. Where labels are equal, no order of theirs is the true one: each document is
   drawn before all with lower labels, and equals do not compete. Of a full order this is the paper's likelihood;
 - ListNet leaves out queries whose labels are all equal;
 - LambdaRank follows RankNet's gradients for its first rounds. A measure cut at k moves only the k documents that
   stand on top, and at first those are any: from there alone the net ends lower, on its own training queries too.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

import numpy as np
from annotated_types import Ge

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.measures import Measure, measure
from rankwright.rankers.lambdas import Lambdas
from rankwright.rankers.network import Floats, NetworkRanker, Objective, Slope

RANKED = "documents have ranks whatever their weights, and copies of a document take several"


class ListLoss:
    """One of the kernel's losses, on some queries.

    Parameters
    ----------
    loss : its name in :func:`rankwright.kernels.list_losses`.
    part : whole queries.
    by_document : whether documents count by their weights.
    n_threads : threads to use.
    """

    def __init__(self, loss: str, part: Dataset, by_document: bool, n_threads: int) -> None:
        self.loss, self.y, self.qptr, self.n_threads = loss, part.y, part.qptr, n_threads
        self.levels = kernels.label_levels(part.y, part.qptr, n_threads)
        self.of_document = part.doc_weight if by_document else None
        omega = np.ones(part.n_queries) if part.query_weight is None else part.query_weight
        self.omega = omega / omega.sum() if omega.sum() > 0 else np.zeros(part.n_queries)
        self.of_row = self.omega[part.query_of_row]

    def __call__(self, scores: Floats) -> Slope:
        scores = np.ascontiguousarray(scores)
        gradient, losses = kernels.list_losses(
            self.loss, scores, self.y, self.levels, self.of_document, self.qptr, self.n_threads
        )
        return Slope(gradient * self.of_row, float(losses @ self.omega))


class ListLossRanker(NetworkRanker):
    """A network trained on one of the kernel's losses."""

    loss: ClassVar[str]

    @classmethod
    def examples(cls) -> list[Self]:
        return [
            cls(n_rounds=8, learning_rate=0.05, batch=None),
            cls(n_rounds=4, learning_rate=0.02, hidden=(4, 3), batch=3, rng=1),
        ]

    def objective(self, part: Dataset) -> ListLoss:
        return ListLoss(self.loss, part, self.uses_doc_weight, self.threads)


class RankNet(ListLossRanker):
    """A small network trained on pairs of documents.

    Notes
    -----
    A pair counts by the product of its documents' weights, such as target weights.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.RankNet(n_rounds=50, learning_rate=0.1).fit([[3, 0], [1, 1], [2, 1], [0, 5]], [2, 0, 1, 0])
    >>> ranker.rank([[0.0, 1.0], [2.0, 0.0]])[0].tolist()
    [1, 0]
    """

    name = "ranknet"
    paper = "Burges et al. 2005"
    uses_doc_weight = True
    loss = "pairs"


class LambdaSlope:
    """The λ-gradients of a measure on some queries; there is no loss that they are the gradient of.

    Parameters
    ----------
    part : whole queries.
    measure : whose gain by swapping two documents says how hard their pair is pulled.
    n_threads : threads to use.
    """

    def __init__(self, part: Dataset, measure: Measure, n_threads: int) -> None:
        self.lambdas = Lambdas(part, measure, n_threads=n_threads)
        self.total = float(part.n_queries if part.query_weight is None else part.query_weight.sum())

    def __call__(self, scores: Floats) -> Slope:
        lambdas, _ = self.lambdas.at(np.ascontiguousarray(scores))
        return Slope(-lambdas / self.total if self.total > 0 else np.zeros(len(scores)))


class LambdaRank(NetworkRanker):
    """A small network that pulls each pair of documents by what the measure would change if they were swapped.

    Parameters
    ----------
    measure : any measure; its swaps make the gradients, and validation, early stopping and `score` go by it.
    pair_rounds : in so many rounds at first all pairs of a query count the same, as RankNet's do.

    Notes
    -----
    A pair counts by the product of its documents' weights, such as target weights.

    While the ranking is a random one, swaps change a measure of its top for few and arbitrary pairs. `pair_rounds` lets
    all pairs find a ranking first, which the measure then refines; with 0 it is the paper's.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.LambdaRank(n_rounds=50, learning_rate=0.1).fit([[3, 0], [1, 1], [2, 1], [0, 5]], [2, 0, 1, 0])
    >>> ranker.rank([[0.0, 1.0], [2.0, 0.0]])[0].tolist()
    [1, 0]
    """

    name = "lambdarank"
    paper = "Burges, Ragno & Le 2006"
    uses_doc_weight = True
    exempt: ClassVar[dict[str, str]] = {
        **NetworkRanker.exempt,
        "check_sample_weight_equivalence_on_dense_data": RANKED,
        "check_sample_weight_equivalence_on_sparse_data": RANKED,
    }

    pair_rounds: Annotated[int, Ge(0)] = 20

    @classmethod
    def examples(cls) -> list[Self]:
        return [
            cls(n_rounds=8, learning_rate=0.05, batch=None, pair_rounds=4),
            cls(n_rounds=4, learning_rate=0.02, hidden=(4, 3), batch=3, measure="nDCG@3", pair_rounds=0),
        ]

    def at_first(self, part: Dataset) -> tuple[int, Objective]:
        pairs = ListLoss("pairs", part, True, self.threads)
        return self.pair_rounds, lambda scores: Slope(pairs(scores).gradient)

    def objective(self, part: Dataset) -> LambdaSlope:
        return LambdaSlope(part, measure(self.measure), self.threads)


class ListNet(ListLossRanker):
    """A small network trained to put the right document first, as often as its label says.

    Notes
    -----
    The paper's own network is linear: ``hidden=()``.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.ListNet(n_rounds=50, learning_rate=0.1).fit([[3, 0], [1, 1], [2, 1], [0, 5]], [2, 0, 1, 0])
    >>> ranker.rank([[0.0, 1.0], [2.0, 0.0]])[0].tolist()
    [1, 0]
    """

    name = "listnet"
    paper = "Cao et al. 2007"
    loss = "top_one"


class ListMLE(ListLossRanker):
    """A small network that makes the true order likely, as that of drawing documents one by one.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.ListMLE(n_rounds=50, learning_rate=0.1).fit([[3, 0], [1, 1], [2, 1], [0, 5]], [3, 1, 2, 0])
    >>> ranker.rank([[0.0, 1.0], [2.0, 0.0]])[0].tolist()
    [1, 0]
    """

    name = "listmle"
    paper = "Xia et al. 2008"
    loss = "likelihood"
