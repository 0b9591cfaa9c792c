"""McRank: boosted trees for the class of a document, ranked by its expected label.       Li, Burges & Wu, NIPS 2007

paper      here        meaning
F_{i,k}    F[k]        scores of class k; p = softmax(F)
ỹ_{i,k}    gradients   1[y_i = k] − p_{i,k}
           value       of a leaf: (K − 1)/K Σ ỹ / Σ p (1 − p), one Newton step
S_i        score       Σ_k p_{i,k} k

Departs from the paper: `ordinal=True` boosts P(y ≥ k) for each k by the logistic loss, one tree fewer a round, where
the paper trains one separate booster each. Where there is one class only, there is nothing to learn.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.models import ClassForestModel, ForestModel
from rankwright.models.class_forests import expected_label, sigmoid
from rankwright.rankers.boosting import Pair, Steps
from rankwright.rankers.mart import weights_of
from rankwright.rankers.rounds import Rounds
from rankwright.rankers.trees import TreeRanker, forest

Floats = npt.NDArray[np.float64]

MOST_CLASSES = 64


class McRank(TreeRanker):
    """Boosts one regression tree per class and round to tell the labels apart; scores are expected labels.

    Parameters
    ----------
    measure : what validation, early stopping and `score` go by; training itself minimises the loss of the classes.
    ordinal : boost P(y ≥ k) for every label k but the lowest, instead of P(y = k) for every k.
    n_trees : rounds of boosting at most; each grows a tree per class.
    n_leaves : leaves of a tree at most.
    learning_rate : what each tree's step is multiplied by.
    max_depth : splits above a leaf at most; 0: any number.
    min_docs : documents in a leaf at least.
    min_hessian : sum of second derivatives in a leaf at least.
    l2 : added to that sum, so that leaves of little weight stay small.
    criterion : what splits better: ``"newton"``, the second-order gain, or ``"mse"``, the variance of the gradients.
    feature_fraction : share of the features drawn for each tree.
    query_fraction : share of the queries drawn for each round.
    doc_fraction : share of the documents, of those queries, drawn for each round.
    max_bins : bins of a feature at most; a feature with no more values than that has all its thresholds.
    monotone : one sign per feature, obeyed by P(y ≥ k) with `ordinal` only; see there.
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
    >>> rw.McRank(n_trees=10).fit(data).score(data) > 0.6
    True
    """

    name = "mcrank"
    paper = "Li, Burges & Wu 2007"

    ordinal: bool = False

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(n_trees=4, min_docs=5), cls(n_trees=3, min_docs=5, ordinal=True, doc_fraction=0.8)]

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> ClassForestModel | ForestModel:
        labels = np.unique(train.y).astype(np.float64)
        if self.monotone is not None and any(self.monotone) and not self.ordinal:
            raise InputError("monotone needs ordinal=True: no class grows with a feature when labels do. Set it.")
        if len(labels) > MOST_CLASSES:
            raise InputError(
                f"there must be at most {MOST_CLASSES} different labels. Got {len(labels)}. Use MART or LambdaMART."
            )
        if len(labels) < 2:
            return forest([], train.n_features)
        K = len(labels) - self.ordinal
        F, F_valid = np.zeros((K, train.n_docs)), None if valid is None else np.zeros((K, valid.n_docs))
        boosting = self._boosting(train, valid, lambda part, _: ClassLoss(part, labels, self.ordinal), F, F_valid)
        steps: list[Steps] = boosting.resumed_classes(rounds)

        def model() -> ClassForestModel:
            return ClassForestModel(labels, tuple(forest(of_k, train.n_features) for of_k in steps), self.ordinal)

        for m in rounds.of(self.n_trees):
            trees = boosting.round(m, self.learning_rate)
            if not any(tree.n_splits for tree in trees) and not self._draws:
                rounds.stop("no split betters the trees")
                break
            for of_k, tree in zip(steps, trees, strict=True):
                of_k.append((self.learning_rate, tree))
            F_valid = boosting.F_valid
            rounds.record(
                model,
                train_scores=expected_label(boosting.F, labels, self.ordinal),
                valid_scores=None if F_valid is None else expected_label(F_valid, labels, self.ordinal),
            )
        return model()


class ClassLoss:
    """−Σ w ln p_y; with `ordinal`, −Σ w Σ_k ln P(1[y ≥ k])."""

    def __init__(self, data: Dataset, labels: Floats, ordinal: bool) -> None:
        self.w, self.ordinal = weights_of(data), ordinal
        self.is_class = data.y >= labels[1:, None] if ordinal else data.y == labels[:, None]

    def at(self, F: Floats) -> Pair:
        if self.ordinal:
            p = sigmoid(F)
            return list(self.w * (self.is_class - p)), list(self.w * p * (1.0 - p))
        p = np.exp(F - F.max(axis=0))
        p /= sum(p)  # class by class: one order of summation
        K = len(F)
        return list(self.w * (self.is_class - p)), list(self.w * p * (1.0 - p) * (K / (K - 1)))
