"""MART: boosted regression trees on the labels themselves.                        Friedman, Annals of Statistics 2001

paper      here        meaning
F_m        F           predicted label after m trees; F_0 is the mean label
ỹ_i        y − F       the residual: −∂/∂F of ½ (y − F)²
γ_lm       value       of a leaf: the mean residual of its documents
ν          v           shrinkage
"""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset
from rankwright.data.grouping import rows_of_groups
from rankwright.models import ForestModel
from rankwright.rankers.boosting import Pair
from rankwright.rankers.rounds import Rounds
from rankwright.rankers.trees import TreeRanker, forest

Floats = npt.NDArray[np.float64]


class MART(TreeRanker):
    """Boosts regression trees that predict the label of a document, by least squares.

    Parameters
    ----------
    measure : what validation, early stopping and `score` go by; training itself minimises the squared error.
    n_trees : rounds of boosting at most.
    n_leaves : leaves of a tree at most.
    learning_rate : what each tree's step is multiplied by.
    max_depth : splits above a leaf at most; 0: any number.
    min_docs : documents in a leaf at least.
    min_hessian : sum of the weights in a leaf at least.
    l2 : added to that sum, so that leaves of little weight stay small.
    criterion : what splits better; both are the same here, but for `l2` and weights.
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

    Examples
    --------
    >>> import rankwright as rw
    >>> data = rw.artificial(50, n_features=5)
    >>> rw.MART(n_trees=20).fit(data).score(data) > 0.6
    True
    """

    name = "mart"
    paper = "Friedman 2001"

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(n_trees=6, min_docs=5), cls(n_trees=4, n_leaves=4, max_depth=2, min_docs=5, feature_fraction=0.5)]

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> ForestModel:
        weight = weights_of(train)
        base = float(np.average(train.y, weights=weight)) if weight.any() else 0.0
        F = np.full((1, train.n_docs), base)
        F_valid = None if valid is None else np.full((1, valid.n_docs), base)
        boosting = self._boosting(train, valid, lambda part, _: SquaredError(part), F, F_valid)
        steps = boosting.resumed(rounds)
        for m in rounds.of(self.n_trees):
            (tree,) = boosting.trees(m)  # on the residuals
            if tree.n_splits == 0 and not self._draws:
                rounds.stop("no split betters the trees")
                break
            boosting.step(tree, self.learning_rate)
            steps.append((self.learning_rate, tree))
            rounds.record(
                lambda: forest(steps, train.n_features, base),
                train_scores=boosting.F[0],
                valid_scores=None if boosting.F_valid is None else boosting.F_valid[0],
            )
        return forest(steps, train.n_features, base)


class SquaredError:
    """½ Σ w (y − F)²."""

    def __init__(self, data: Dataset) -> None:
        self.y, self.w = data.y.astype(np.float64), weights_of(data)

    def at(self, F: Floats) -> Pair:
        return [self.w * (self.y - F[0])], [self.w]


def weights_of(data: Dataset) -> Floats:
    """The weight of each document, times that of its query."""
    weight = np.ones(data.n_docs) if data.doc_weight is None else data.doc_weight.astype(np.float64)
    return weight if data.query_weight is None else weight * data.query_weight[rows_of_groups(data.qptr)]
