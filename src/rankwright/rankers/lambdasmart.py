"""LambdaSMART: LambdaMART that starts from the scores of another ranker.  Wu, Burges, Svore & Gao, Inf. Retrieval 2009

paper           here        meaning
BaseModel       submodel    a fitted ranker of any kind
F_0             F           its scores: the trees are boosted on what it leaves to do

For a domain with little data beside one with much: the submodel is trained on the large one, the trees on the small
one. For each tree a share of the documents is drawn anew, which the paper found crucial.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from annotated_types import Gt, Le

from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.models import Model, SubmodelForest
from rankwright.rankers.base import Ranker
from rankwright.rankers.boosting import Steps
from rankwright.rankers.lambdamart import LambdaMART
from rankwright.rankers.resuming import fingerprint
from rankwright.rankers.trees import forest, zeros

Floats = npt.NDArray[np.float64]


class LambdaSMART(LambdaMART):
    """Boosts regression trees on the λ-gradients of a measure, from the scores of another ranker on.

    Parameters
    ----------
    submodel : a fitted ranker, or its model, over the same features; the saved model carries it. None: scores start
        at 0, as LambdaMART's do.
    measure : what is maximised, and what validation and early stopping go by: any measure.
    gradients : the measure whose swaps make the λ-gradients; None: `measure`, cut twice as deep, which learns better
        than its own cut-off does: from more pairs, at more cost.
    normalise : whether pairs whose scores are near count more, and queries with many wrong pairs are held back, as
        LightGBM does it; learns faster and better than the paper's plain sums. See :mod:`rankwright.rankers.lambdas`.
    n_trees : rounds of boosting at most.
    n_leaves : leaves of a tree at most.
    learning_rate : what each tree's step is multiplied by, when it is not exact.
    step : ``"fixed"``: each tree is added with `learning_rate`. ``"exact"``: with the step at which `measure` is best
        of all in `step_range`, times `step_shrinkage`.
    step_on : the queries on which the exact step is best: ``"train"``, or ``"valid"``, which overfits less.
    step_range : the least and the largest exact step.
    step_shrinkage : what the exact step is multiplied by.
    refit : whether afterwards every tree's weight is set anew, exactly, one by one, until `measure` on the queries of
        `step_on` improves no more; what comes out is one more round.
    max_depth : splits above a leaf at most; 0: any number.
    min_docs : documents in a leaf at least.
    min_hessian : sum of second derivatives in a leaf at least.
    l2 : added to that sum, so that leaves of little weight stay small.
    criterion : what splits better: ``"newton"``, the second-order gain, or ``"mse"``, the variance of λ.
    feature_fraction : share of the features drawn for each tree.
    query_fraction : share of the queries drawn for each tree.
    doc_fraction : share of the documents, of those queries, drawn for each tree.
    max_bins : bins of a feature at most; a feature with no more values than that has all its thresholds.
    monotone : one sign per feature: 1 where scores must not fall as it grows, −1 where they must not rise, else 0.
    categorical : the features (0, 1, ...) that are categories: whole numbers with no order.
    patience : stop when the validation (else training) measure has not improved for so many rounds; None: never.
    tol : how much better counts as improved.
    rng : seed of what is drawn.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training.

    Notes
    -----
    The submodel's scores are taken as they are: their differences are what the logistic loss of a pair sees, so one
    whose scores differ by hundredths is all but a start from 0, and one whose scores differ by hundreds is hardly
    corrected.
    The first trees can be left out again: `truncated(0)` is the submodel.

    Examples
    --------
    >>> import rankwright as rw
    >>> background = rw.LambdaMART(n_trees=20).fit(rw.artificial(200, n_features=10))
    >>> target = rw.artificial(40, n_features=10, shift=0.3)
    >>> adapted = rw.LambdaSMART(submodel=background, n_trees=20).fit(target)
    >>> adapted.score(target) > background.score(target)
    True
    """

    name = "lambdasmart"
    paper = "Wu et al. 2009"

    submodel: Any = None
    doc_fraction: Annotated[float, Gt(0), Le(1)] = 0.7

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(n_trees=4, min_docs=5), cls(n_trees=3, min_docs=5, measure="ERR@3", query_fraction=0.8)]

    def _start(self, train: Dataset, valid: Dataset | None) -> tuple[Floats, Floats | None]:
        model = self._submodel()
        if model is None:
            return zeros(train, valid)
        if model.n_features != train.n_features:
            raise InputError(
                f"the submodel must be over the same features. It has {model.n_features}, the data "
                f"{train.n_features}. Read both with the same n_features."
            )
        starts = [None if data is None else model.query_scores(data.X, data.qptr)[None] for data in (train, valid)]
        return np.asarray(starts[0]), starts[1]

    def _model(self, steps: Steps, n_features: int) -> Model:
        model = self._submodel()
        trees = forest(steps, n_features)
        return trees if model is None else SubmodelForest(model, trees)

    def _submodel(self) -> Model | None:
        return self.submodel.model_ if isinstance(self.submodel, Ranker) else self.submodel

    def _fingerprint(self, train: Dataset, valid: Dataset | None) -> str:
        return fingerprint(train, valid, self._submodel())

    def _check_options(self, unsaved: bool = False) -> None:
        super()._check_options(unsaved)
        if isinstance(self.submodel, Ranker):
            self.submodel._check_fitted()
        elif not (self.submodel is None or isinstance(self.submodel, Model) or unsaved):
            raise InputError(
                f"submodel must be a fitted ranker, or a model. Got {self.submodel!r:.60}. Pass what fit returned."
            )

    def __sklearn_clone__(self) -> Self:
        """A clone keeps the submodel, fitted as it is."""
        return type(self)(**self.get_params(deep=False))
