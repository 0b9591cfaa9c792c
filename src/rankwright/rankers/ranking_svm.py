"""Ranking SVM: the hinge loss of every pair of documents with different labels.      Joachims, KDD 2002 and KDD 2006

    minimise  ½‖w‖² + C/P Σ_{(i, j): y_i > y_j} max(0, 1 − w·(x_i − x_j))

paper      here           meaning
P          mass           the number of pairs
c_i, c_j   most_violated  in how many pairs a document lies within the margin, as the better and as the worse one

No pair is listed: one sort of the scores and two sweeps count c for all documents (the 2006 paper's algorithm for
ordinal regression, in O(n log n) for any number of labels), and cutting planes need nothing else.

Departs from the papers:
 - `pair_weight="query"`, the default, lets every query count alike: P is then the number of its own pairs, and the
   mean is over queries. `"uniform"` is the sum above;
 - weights: a pair counts ω_q w_i w_j with the queries' and the documents' weights.
"""

from __future__ import annotations

from typing import ClassVar, Self

from rankwright.rankers.pairs import PairWeight
from rankwright.rankers.structural_svm import StructuralSVM
from rankwright.rankers.svm_shard import Loss


class RankingSVM(StructuralSVM):
    """A linear model that keeps better documents a margin above worse ones.

    Parameters
    ----------
    pair_weight : what counts alike: every query (``"query"``) or every pair (``"uniform"``).
    measure : what `score` and the choice of C go by; the training loss is given.
    C : what a unit of the mean violation costs; or ``"path"``: each of `Cs` in turn, the best on validation data.
    Cs : the path, from the smallest on: each solution starts the next.
    scale : what a weight is a weight of: a feature over its standard deviation (``"z"``) or its range (``"minmax"``)
        in the training documents, or itself (``"none"``).
    tol : training ends when the objective is within this share of the least there can be.
    n_rounds : cutting planes at most, for one C.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training; a round is one cutting plane.

    Notes
    -----
    A plane costs O(N K + N log N) for N documents of K features, however many pairs they make. A missing value counts
    as 0. A query whose documents all have one label is left out.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.RankingSVM(C=10.0).fit([[3, 0], [1, 1], [2, 1], [0, 5]], [2, 0, 1, 0])
    >>> ranker.rank([[0.5, 1], [0.7, 1], [0.6, 1]])[0].tolist(), ranker.gap_ <= 1e-3
    ([1, 2, 0], True)
    """

    name = "ranking_svm"
    paper = "Joachims 2002, 2006"
    uses_doc_weight = True
    loss: ClassVar[Loss] = "pairs"

    pair_weight: PairWeight = "query"

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(pair_weight="uniform", scale="none", C=10.0)]

    def _by_pair(self) -> bool:
        return self.pair_weight == "uniform"
