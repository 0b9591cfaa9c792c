"""A single feature as the ranking function: the baseline that every learned ranker has to beat.

Minimises nothing: of all features, in both directions, it keeps the one with the best measure.
With a BM25 column named, it is the BM25 baseline of the papers.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from rankwright.data import Dataset
from rankwright.errors import InputError, unknown
from rankwright.models import LinearModel
from rankwright.rankers.base import Ranker
from rankwright.rankers.rounds import Rounds


class SingleFeature(Ranker):
    """Ranks by one feature. A missing value counts 0.

    Parameters
    ----------
    feature : its name or number (from 0); None for the feature with the best measure, on validation data where
        there is any, else on training data.
    direction : whether large values rank first (``"descending"``), small ones, or whichever is ``"best"``.
    measure : what the best feature is chosen by.
    n_threads : threads to use; None for all.
    callbacks : watchers of the training.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.SingleFeature(measure="AP").fit([[3, 0], [1, 1], [2, 1]], [0, 1, 0], qid=[1, 1, 1])
    >>> ranker.model_.weights.tolist()
    [-1.0, 0.0]
    """

    name = "single_feature"
    best_without_valid = "train"

    feature: int | str | None = None
    direction: Literal["best", "descending", "ascending"] = "best"

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(feature=0, direction="descending"), cls(measure="AP")]

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> LinearModel:
        signs = {"best": (1.0, -1.0), "descending": (1.0,), "ascending": (-1.0,)}[self.direction]
        features = self._features(train)
        judged, part = (train, "train") if valid is None else (valid, "valid")
        best, best_value = LinearModel(np.zeros(train.n_features)), np.nan
        for t in rounds.of(len(features)):
            for sign in signs:
                model = LinearModel.of_steps(((features[t - 1], sign),), train.n_features)
                value = rounds.measured(model.scores(judged.X), judged)
                if np.isnan(best_value) or rounds.measure.better(value, best_value):
                    best, best_value = model, value
            rounds.record(_always(best), **{part: best_value})
        return best

    def _features(self, train: Dataset) -> range | list[int]:
        if self.feature is None:
            return range(train.n_features)
        if isinstance(self.feature, str):
            if self.feature not in train.feature_names:
                raise unknown("feature", self.feature, train.feature_names)
            return [train.feature_names.index(self.feature)]
        if not 0 <= self.feature < train.n_features:
            raise InputError(
                f"feature must be a number in 0..{train.n_features - 1}. Got {self.feature}. Or pass its name."
            )
        return [int(self.feature)]


def _always(model: LinearModel) -> Any:
    return lambda: model
