"""A single feature as the ranking function: the baseline that every learned ranker has to beat.

Minimises nothing: of all features, in both directions, it keeps the one with the best training measure.
With a BM25 column named, it is the BM25 baseline of the papers.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from rankwright.data import Dataset
from rankwright.errors import InputError, unknown
from rankwright.models import LinearModel
from rankwright.rankers.base import Ranker
from rankwright.rankers.rounds import Rounds


class SingleFeature(Ranker):
    """Ranks by one feature.

    Parameters
    ----------
    feature : its name or number (from 0); None for the feature with the best training measure.
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

    feature: int | str | None = None
    direction: Literal["best", "descending", "ascending"] = "best"

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> LinearModel:
        signs = {"best": (1.0, -1.0), "descending": (1.0,), "ascending": (-1.0,)}[self.direction]
        best: LinearModel | None = None
        best_value = np.nan
        for _, k in zip(rounds.of(len(self._features(train))), self._features(train), strict=True):
            for sign in signs:
                model = LinearModel.of_steps(((k, sign),), train.n_features)
                value = rounds.measured(model.scores(train.X), train)
                if best is None or rounds.measure.better(value, best_value):
                    best, best_value = model, value
            kept = best
            rounds.record(lambda kept=kept: kept, train=best_value)  # type: ignore[misc]
        assert best is not None
        return best

    def _features(self, train: Dataset) -> range | list[int]:
        if self.feature is None:
            return range(train.n_features)
        if isinstance(self.feature, str):
            if self.feature not in train.feature_names:
                raise unknown("feature", self.feature, train.feature_names)
            return [train.feature_names.index(self.feature)]
        if not 0 <= self.feature < train.n_features:
            raise InputError(f"feature must be a number in 0..{train.n_features - 1}. Got {self.feature}.")
        return [self.feature]
