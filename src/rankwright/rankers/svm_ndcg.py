"""SVM-ndcg: a structural SVM whose loss is 1 − nDCG.     announced by Yue et al. 2007; cf. Chakrabarti et al., KDD 2008

    minimise  ½‖w‖² + C/m Σ_q Σ_l p_l ξ_ql   with  w·ψ_l(true) − w·ψ_l(y) ≥ 1 − nDCG_l(y) − ξ_ql  for every ranking y

symbol     here     meaning
l                   a threshold between two of the query's labels: documents of at least l are relevant, others not
ψ_l                 ψ of SVM-map (svm_map.py) for these two kinds
p_l        share    (G_l − G_{l−1}) IDCG_l / IDCG, the threshold's share of the ideal DCG; G = 2^y − 1

nDCG of graded labels is the mean Σ_l p_l nDCG_l of binary ones, so what is minimised bounds 1 − nDCG from above. The
most violated ranking of each threshold is exact, by the argument of SVM-map: a document's place never falls, because
the discount 1/log2(1 + rank) falls ever more slowly. With two labels that is the structural SVM of nDCG itself; with
more, each threshold has a ranking of its own, which need not be the same for all.

The discount has no cut-off: one would break the argument. Choose C by nDCG@10 all the same (`measure`).
"""

from __future__ import annotations

from typing import ClassVar, Self

from rankwright.rankers.structural_svm import StructuralSVM
from rankwright.rankers.svm_shard import Loss


class SVMNdcg(StructuralSVM):
    """A linear model trained for nDCG on graded labels.

    Parameters
    ----------
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
    A plane costs O(N K + L N log N) for N documents of K features and L labels. A missing value counts as 0. A query
    whose documents all have one label is left out; documents have no weights, queries do.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.SVMNdcg(C=10.0).fit([[3, 0], [1, 1], [2, 1], [0, 5]], [2, 0, 1, 0])
    >>> ranker.rank([[0.5, 1], [0.7, 1], [0.6, 1]])[0].tolist()
    [1, 2, 0]
    """

    name = "svm_ndcg"
    paper = "Yue et al. 2007, Chakrabarti et al. 2008"
    loss: ClassVar[Loss] = "ndcg"

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(scale="none", C=10.0)]
