"""A small ranker that works in rounds, and data for it."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest
from annotated_types import Ge

from rankwright.data import Dataset
from rankwright.models import LinearModel
from rankwright.rankers import Ranker, Rounds


class Turns(Ranker):
    """Adds a weight on one feature after another.

    Parameters
    ----------
    n_rounds : rounds.
    patience : rounds without improvement before it stops.
    tol : what is an improvement.
    measure : what it is judged by.
    n_threads : threads.
    callbacks : watchers.
    """

    name = "turns_for_tests"

    n_rounds: Annotated[int, Ge(0)] = 6
    patience: Annotated[int, Ge(1)] | None = None
    tol: Annotated[float, Ge(0)] = 0.0

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> LinearModel:
        steps: list[tuple[int, float]] = []

        def now() -> LinearModel:
            return LinearModel.of_steps(tuple(steps), train.n_features)

        for t in rounds.of(self.n_rounds):
            steps.append((t % train.n_features, 1.0 / t))
            valid_scores = None if valid is None else now().scores(valid.X)
            rounds.record(now, train_scores=now().scores(train.X), valid_scores=valid_scores, step=1.0 / t)
        self.bound_ = 0.5
        return now()


@pytest.fixture
def turns() -> type[Turns]:
    return Turns


@pytest.fixture
def lists() -> Dataset:
    """Ten queries of six documents; the label follows feature 1."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)).astype(np.float32)
    return Dataset(X, np.digitize(X[:, 1] + 0.2 * rng.normal(size=60), [0, 1]), group=[6] * 10)
