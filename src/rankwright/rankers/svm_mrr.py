"""SVM-mrr: the structural SVM whose loss is 1 − RR.      announced by Yue et al. 2007; cf. Chakrabarti et al., KDD 2008

    minimise  ½‖w‖² + C/m Σ_q ξ_q   with  w·ψ(true) − w·ψ(y) ≥ 1 − 1/r(y) − ξ_q  for every ranking y of every query q

r is the rank of the first relevant document, ψ that of SVM-map, see svm_map.py. In the most violated ranking, a others
stand above the first relevant document; each further one stands below the others that score more, and below those a.
One pass over a finds the best.
"""

from __future__ import annotations

from typing import ClassVar, Self

from rankwright.measures import MeasureLike
from rankwright.rankers.structural_svm import BinarySVM
from rankwright.rankers.svm_shard import Loss


class SVMMrr(BinarySVM):
    """A linear model trained for the rank of the first relevant document.

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
    >>> rw.SVMMrr(C=10.0).fit(X, y, qid=qid).score(X, y, qid=qid)
    1.0
    """

    name = "svm_mrr"
    paper = "Yue et al. 2007, Chakrabarti et al. 2008"
    loss: ClassVar[Loss] = "rr"

    measure: MeasureLike = "RR"

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(rel=2.0, scale="minmax", C=10.0)]
