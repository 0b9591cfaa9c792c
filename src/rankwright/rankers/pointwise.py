"""Any scikit-learn classifier or regressor as a ranker, one document at a time.

Minimises the estimator's own loss over documents; queries enter only through their weights. A regressor scores by
its prediction, a classifier by the expected label Σ_l p_l l, or by its decision function where there are two labels.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
from annotated_types import Ge

from rankwright.data import Dataset
from rankwright.models import LinearModel, Model
from rankwright.rankers.base import Ranker
from rankwright.rankers.pointwise_model import fitted_model, new_estimator
from rankwright.rankers.rounds import Rounds


class Pointwise(Ranker):
    """Ranks by the prediction of a scikit-learn estimator.

    Linear estimators and multinomial logistic regression become models of plain numbers, which can be saved.
    Others rank as well, and `save` says that it cannot. With a single label there is nothing for a classifier to
    learn, and every document scores the same.

    Parameters
    ----------
    estimator : a classifier or regressor, which is cloned and never changed; or a name: ``"ridge"``,
        ``"least_squares"`` or ``"linear_svr"`` (regressors), ``"logistic"`` or ``"linear_svc"`` (classifiers).
    rel : for classifiers, the smallest label that is relevant, labels becoming 1 and 0; None keeps the grades.
    missing : what a missing value (NaN) counts as; None leaves it to the estimator, and cannot be saved.
    rng : seed for the estimator's `random_state`, where it has one that is not set.
    measure : what the ranker is judged by.
    n_threads : threads for measuring; the estimator has its own option.
    callbacks : watchers of the training.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.Pointwise(estimator="least_squares").fit([[0], [1], [3]], [0, 1, 3], qid=["a", "a", "b"])
    >>> ranker.predict([[2.0]]).round(6).tolist()
    [2.0]
    """

    name = "pointwise"
    uses_doc_weight = True

    estimator: str | Any = "ridge"
    rel: Annotated[float, Ge(0)] | None = None
    missing: float | None = 0.0
    rng: Annotated[int, Ge(0)] = 0

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(estimator="logistic"), cls(estimator="linear_svc", rel=1.0)]

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> Model:
        model: Model = LinearModel(np.zeros(train.n_features))
        for _ in rounds.of(1):
            model = fitted_model(new_estimator(self.estimator, self.rng), train, self.rel, self.missing)
            valid_scores = None if valid is None else model.scores(valid.X)
            rounds.record(_always(model), train_scores=model.scores(train.X), valid_scores=valid_scores)
        return model


def _always(model: Model) -> Any:
    return lambda: model
