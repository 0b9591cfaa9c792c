"""SVM-map: the structural SVM whose loss is 1 − AP.                     Yue, Finley, Radlinski & Joachims, SIGIR 2007

    minimise  ½‖w‖² + C/m Σ_q ξ_q   with  w·ψ(true) − w·ψ(y) ≥ 1 − AP(y) − ξ_q  for every ranking y of every query q
    ψ(y) = 1/(|C||C̄|) Σ_{i ∈ C, j ∈ C̄} ±(φ(i) − φ(j)),   + where y has i above j

paper      here           meaning
C, C̄       levels         the relevant documents of a query, and the others
ŷ          most_violated  the ranking with the largest 1 − AP(y) + w·ψ(y)
opt_j      above          where document j of C̄ stands among those of C, both sorted by w·φ

The constraints of all rankings are met by cutting planes; ŷ is found exactly.

Departs from the paper:
 - its Algorithm 2 tries every place for every document of C̄, O(|C||C̄|). What j gains above the documents k to |C| is
   a difference of harmonic numbers, and opt_j never falls (its Theorem 2), so the middle j parts the search:
   O(n log n) whatever the labels;
 - one slack for all queries instead of one each: the same optimum, with far fewer planes;
 - documents with equal scores share what the ranking gives them, so that their order does not matter.
"""

from __future__ import annotations

from typing import ClassVar, Self

from rankwright.measures import MeasureLike
from rankwright.rankers.structural_svm import BinarySVM
from rankwright.rankers.svm_shard import Loss


class SVMMap(BinarySVM):
    """A linear model trained for mean average precision.

    Parameters
    ----------
    rel : the smallest label that is relevant; of graded labels, those below it are all alike, and so are the others.
        None for 1, with a warning where labels are graded.
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
    A plane costs O(N K + N log N) for N documents of K features. A missing value counts as 0. Queries without both
    relevant and other documents are left out; documents have no weights, queries do.

    Examples
    --------
    >>> import rankwright as rw
    >>> X, y, qid = [[1, 5], [2, 4], [3, 3], [1, 9], [2, 8]], [1, 0, 0, 1, 0], [1, 1, 1, 2, 2]
    >>> rw.SVMMap(C=10.0).fit(X, y, qid=qid).score(X, y, qid=qid)
    1.0
    """

    name = "svm_map"
    paper = "Yue et al. 2007"
    loss: ClassVar[Loss] = "ap"

    measure: MeasureLike = "AP"

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(rel=2.0, scale="none", C=10.0)]
