"""SVM-roc: the structural SVM whose loss is 1 − AUC.                                                Joachims, ICML 2005

    minimise  ½‖w‖² + C/m Σ_q ξ_q   with  w·ψ(true) − w·ψ(y) ≥ 1 − AUC(y) − ξ_q  for every ranking y of every query q

ψ is that of SVM-map, see svm_map.py. The most violated ranking has every pair wrong that lies within the margin,
w·(φ(i) − φ(j)) < ½, so that ξ_q is the mean of max(0, 1 − 2 w·(φ(i) − φ(j))) over the query's pairs: a Ranking SVM
(see ranking_svm.py) of binary labels and twice the features, in which every query counts alike.
"""

from __future__ import annotations

from typing import ClassVar, Self

from rankwright.measures import MeasureLike
from rankwright.rankers.structural_svm import BinarySVM
from rankwright.rankers.svm_shard import Loss


class SVMAuc(BinarySVM):
    """A linear model trained for the area under the ROC curve of every query.

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
    relevant and other documents are left out. A pair counts w_i w_j with the documents' weights.

    Examples
    --------
    >>> import rankwright as rw
    >>> X, y, qid = [[1, 5], [2, 4], [3, 3], [1, 9], [2, 8]], [1, 0, 0, 1, 0], [1, 1, 1, 2, 2]
    >>> rw.SVMAuc(C=10.0).fit(X, y, qid=qid).score(X, y, qid=qid)
    1.0
    """

    name = "svm_auc"
    paper = "Joachims 2005"
    uses_doc_weight = True
    loss: ClassVar[Loss] = "auc"

    measure: MeasureLike = "AUC"

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(rel=2.0, scale="minmax", C=10.0)]
