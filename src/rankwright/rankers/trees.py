"""What rankers made of boosted trees have in common: options, stages, truncation, importances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from annotated_types import Ge, Gt, Le

from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.learners import Growth
from rankwright.models import ForestModel
from rankwright.rankers import conventions as door
from rankwright.rankers.base import Ranker
from rankwright.rankers.boosting import Boosting, Sampling, Slopes, Steps

Floats = npt.NDArray[np.float64]

BINS_OF_ALL = "bins and the fewest documents of a leaf count rows, whatever their weight and however often they stand"


class TreeRanker(Ranker):
    """Boosts regression trees; :class:`LambdaMART`, :class:`MART` and :class:`McRank` say on what.

    Parameters
    ----------
    measure : what validation, early stopping and `score` go by.
    n_trees : rounds of boosting at most.
    n_leaves : leaves of a tree at most.
    learning_rate : what each tree's step is multiplied by.
    max_depth : splits above a leaf at most; 0: any number.
    min_docs : documents in a leaf at least.
    min_hessian : sum of second derivatives in a leaf at least.
    l2 : added to that sum, so that leaves of little weight stay small.
    criterion : what splits better: ``"newton"``, the second-order gain, or ``"mse"``, the variance of the gradients.
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
    """

    uses_doc_weight = True
    resumes = True
    exempt: ClassVar[dict[str, str]] = {
        "check_sample_weight_equivalence_on_dense_data": BINS_OF_ALL,
        "check_sample_weight_equivalence_on_sparse_data": BINS_OF_ALL,
    }

    n_trees: Annotated[int, Ge(1)] = 500
    n_leaves: Annotated[int, Ge(2)] = 15
    learning_rate: Annotated[float, Gt(0)] = 0.1
    max_depth: Annotated[int, Ge(0)] = 0
    min_docs: Annotated[int, Ge(1)] = 20
    min_hessian: Annotated[float, Ge(0)] = 1e-3
    l2: Annotated[float, Ge(0)] = 0.0
    criterion: Literal["newton", "mse"] = "newton"
    feature_fraction: Annotated[float, Gt(0), Le(1)] = 1.0
    query_fraction: Annotated[float, Gt(0), Le(1)] = 1.0
    doc_fraction: Annotated[float, Gt(0), Le(1)] = 1.0
    max_bins: Annotated[int, Ge(2), Le(255)] = 255
    monotone: tuple[int, ...] | None = None
    categorical: tuple[int, ...] = ()
    patience: Annotated[int, Ge(1)] | None = None
    tol: Annotated[float, Ge(0)] = 0.0
    rng: Annotated[int, Ge(0)] = 0

    # -- for `learn` -----------------------------------------------------------------------------------------------

    def _growth(self) -> Growth:
        return Growth(
            n_leaves=self.n_leaves,
            max_depth=self.max_depth,
            min_docs=self.min_docs,
            min_hessian=self.min_hessian,
            l2=self.l2,
            feature_fraction=self.feature_fraction,
            criterion=self.criterion,
            monotone=None if self.monotone is None else tuple(self.monotone),
            categorical=tuple(self.categorical),
            max_bins=self.max_bins,
        )

    def _boosting(
        self,
        train: Dataset,
        valid: Dataset | None,
        slopes: Callable[[Dataset, int], Slopes],
        F: Floats,
        F_valid: Floats | None,
    ) -> Boosting:
        sampling = Sampling(train, self.query_fraction, self.doc_fraction, self.rng)
        return Boosting(train, valid, self._growth(), sampling, slopes, F, F_valid, self.threads)

    @property
    def _draws(self) -> bool:
        """Whether trees differ in what they are drawn from, so that one without a split need not be the last."""
        return self.query_fraction < 1 or self.doc_fraction < 1 or self.feature_fraction < 1

    # -- for users -------------------------------------------------------------------------------------------------

    def staged_predict(self, X: Any, every: int = 1) -> Iterator[Floats]:
        """The scores after the first `every` rounds, after twice as many, ..., and after all, each as `predict` has it.

        Parameters
        ----------
        X : documents, as for `predict`.
        every : rounds from one to the next.
        """
        if every < 1:
            raise InputError(f"every must be at least 1. Got {every}. Pass the rounds from one stage to the next.")
        data = door.as_dataset(X)
        self._scores(data.queries(np.arange(0)))  # the checks of `predict`
        for scores in self.model_.staged_scores(data.X, every):  # type: ignore[attr-defined]
            yield np.asarray(data.to_caller(scores))

    def truncated(self, n_rounds: int) -> Self:
        """This ranker as it was after its first `n_rounds` rounds; scoring takes that much less time.

        Parameters
        ----------
        n_rounds : rounds to keep.
        """
        self._check_fitted()
        if not 0 <= n_rounds <= len(self.history_):
            raise InputError(f"n_rounds must be in 0..{len(self.history_)}. Got {n_rounds}. Pass a smaller number.")
        other = type(self)(**self.get_params(deep=False))
        other.__dict__.update(self.__dict__)
        other.model_ = self.model_.truncated(n_rounds)
        other.best_round_ = n_rounds
        return other

    def importances(self, by: Literal["gain", "splits"] = "gain") -> Floats:
        """How much each feature matters; sums to 1.

        Parameters
        ----------
        by : the gain of the feature's splits, or their number.
        """
        self._check_fitted()
        model: Any = self.model_
        return np.asarray(model.feature_importances(by))


def zeros(train: Dataset, valid: Dataset | None) -> tuple[Floats, Floats | None]:
    """F = 0 everywhere."""
    return np.zeros((1, train.n_docs)), None if valid is None else np.zeros((1, valid.n_docs))


def forest(steps: Steps, n_features: int, base: float = 0.0) -> ForestModel:
    """The model of some (step, tree)."""
    return ForestModel(tuple(tree for _, tree in steps), n_features, np.array([v for v, _ in steps]), base)
