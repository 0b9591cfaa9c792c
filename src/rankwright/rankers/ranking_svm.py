"""Ranking SVM: the hinge loss of every pair of documents with different labels.      Joachims, KDD 2002 and KDD 2006

    minimise  ½‖w‖² + C/P Σ_{(i, j): y_i > y_j} max(0, 1 − w·(x_i − x_j))

paper      here            meaning
P          mass            the number of pairs
c_i, c_j   smoothed_pairs  how many pairs a document loses, as the better and as the worse one

No pair is kept. The pairs of a short list are gone through, n²/2 of them; of a long one, a sort of the scores and
sweeps over it say the same for all documents (as the 2006 paper's algorithm for ordinal regression, in O(n log n) for
any number of labels). Steps of Newton's method, see newton_planes.py, take the place of most cutting planes.

Departs from the papers:
 - what the mean is over. `pair_weight="uniform"` is the sum above: a query counts by its number of pairs, P_q, one
   with ten times the documents a hundred times. `"query"`: every query alike. `"root"`, the default: by √P_q. A
   query's n₊ n₋ pairs are made of n₊ + n₋ documents, and what their mean says grows as documents do, not as pairs;
 - weights: a pair counts ω_q w_i w_j with the queries' and the documents' weights.
"""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from rankwright.rankers.structural_svm import StructuralSVM
from rankwright.rankers.svm_shard import Loss


class RankingSVM(StructuralSVM):
    """A linear model that keeps better documents a margin above worse ones.

    Parameters
    ----------
    pair_weight : what a query counts by: the root of its number of pairs (``"root"``), that number (``"uniform"``: all
        pairs count alike), or 1 (``"query"``).
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

    pair_weight: Literal["root", "query", "uniform"] = "root"

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(pair_weight="uniform", scale="none", C=10.0)]

    def _power(self) -> float:
        return {"query": 0.0, "root": 0.5, "uniform": 1.0}[self.pair_weight]
