"""What all structural SVMs for ranking share: options, the path of C, the model."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Annotated, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from annotated_types import Ge, Gt

from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.models import LinearModel
from rankwright.rankers.base import Ranker
from rankwright.rankers.cutting_planes import Bundle, Plane, Step, cutting_planes
from rankwright.rankers.newton_planes import newton_planes
from rankwright.rankers.pair_sample import MOST_FEATURES, PairSample
from rankwright.rankers.rounds import Rounds, Row
from rankwright.rankers.svm_features import Features, Scale
from rankwright.rankers.svm_shard import PAIRWISE, Loss, QueryRankings, Task
from rankwright.shards import shards_of

Floats = npt.NDArray[np.float64]


class StructuralSVM(Ranker):
    """A linear model with the least ½‖w‖² + C · (the mean over queries of the most violated ranking's violation).

    Parameters
    ----------
    C : what a unit of the mean violation costs; or ``"path"``: each of `Cs` in turn, the best on validation data.
    Cs : the path, from the smallest on: each solution starts the next.
    scale : what a weight is a weight of: a feature over its standard deviation (``"z"``) or its range (``"minmax"``)
        in the training documents, or itself (``"none"``). The scaled features are what ‖w‖ is measured by.
    tol : training ends when the objective is within this share of the least there can be.
    n_rounds : cutting planes at most, for one C.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training; a round is one cutting plane.
    """

    C: Annotated[float, Gt(0)] | Literal["path"] = 1.0
    Cs: tuple[float, ...] = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
    scale: Scale = "z"
    tol: Annotated[float, Gt(0)] = 1e-3
    n_rounds: Annotated[int, Ge(1)] = 5000

    loss: ClassVar[Loss]
    best_without_valid: ClassVar[str] = "final"

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> LinearModel:
        task = Task.of(train, self.loss, self._rel(), self._power(), self.scale)
        shards = shards_of(train, lambda part: QueryRankings(part, task, self.threads))
        n_used, weight = shards.sum(QueryRankings.n_used), shards.sum(QueryRankings.weight)
        self._say_cut(train)
        _say_skipped(train, n_used)
        if n_used == 0:
            return LinearModel(np.zeros(train.n_features))

        def plane_at(w: Floats) -> Plane:
            return task.plane(shards.sum(QueryRankings.most_violated, w, weight))

        def rounded_at(w: Floats, width: float) -> tuple[Plane, float]:
            return task.rounded(shards.sum(QueryRankings.smoothed, w, width, weight))

        Cs, bundle = self._path(valid), Bundle(train.n_features)
        steps_for = partial(cutting_planes, plane_at, bundle, self.tol)
        if self.loss in PAIRWISE and train.n_features <= MOST_FEATURES:
            sample = PairSample(train, task, self.threads)
            steps_for = partial(newton_planes, rounded_at, sample.step, plane_at, bundle, self.tol)
        weights, solutions = [np.zeros(train.n_features)], list[Row]()
        start = weights[0]
        numbers = rounds.of(self.n_rounds * len(Cs) + 1)
        judged = [None if data is None else Features(data.X, self.threads) for data in (train, valid)]
        for C in Cs:
            steps = steps_for(C, start)
            for n_planes, _ in enumerate(islice(numbers, self.n_rounds), start=1):
                step = next(steps)
                weights.append(step.w * task.units)
                last = step.solved or n_planes == self.n_rounds
                row = self._record(rounds, judged, weights[-1], C, step, last)
                if last:
                    solutions.append(row)
                    start = step.w
                    break
        if self.C == "path" and rounds.stopped is None:
            weights.append(self._choose(rounds, weights, solutions))
        return _Path(weights[-1], path=tuple(weights))

    def _record(
        self, rounds: Rounds, judged: Sequence[Features | None], w: Floats, C: float, step: Step, last: bool
    ) -> Row:
        """A plane; with the last one for a C, the measure of its solution on training data, too."""
        train, valid = judged
        row = rounds.record(
            lambda: LinearModel(w),
            train_scores=train.scores(w) if last and train is not None else None,
            valid_scores=None if valid is None else valid.scores(w),
            C=C,
            objective=step.primal,
            dual=step.dual,
            gap=step.gap,
            planes=step.n_planes,
        )
        if last and not step.solved:
            warnings.warn(
                f"{type(self).__name__} is within {step.gap:.2g} of the optimum for C={C:g}, not {self.tol:g}, after "
                f"{self.n_rounds} planes. Raise n_rounds or tol.",
                UserWarning,
                5,
            )
        return row

    def _choose(self, rounds: Rounds, weights: list[Floats], solutions: list[Row]) -> Floats:
        """The solution of the path that is best on validation data, once more as the last round."""
        sign = -1.0 if rounds.measure.lower_is_better else 1.0
        chosen = max(solutions, key=lambda row: (np.nan_to_num(sign * row["valid"], nan=-np.inf), -row["round"]))
        w = weights[int(chosen["round"])]
        more = {name: value for name, value in chosen.items() if name not in ("round", "train")}
        rounds.record(lambda: LinearModel(w), train=chosen["train"], **more)
        return w

    def _path(self, valid: Dataset | None) -> list[float]:
        if self.C != "path":
            return [self.C]
        if valid is None:
            raise InputError('C="path" needs validation data to choose by. Got none. Pass valid=..., or a number as C.')
        if not self.Cs or not all(0 < C < np.inf for C in self.Cs):
            raise InputError(f"Cs must be numbers above 0. Got {self.Cs!r:.60}. Leave it out for the usual ones.")
        return sorted(self.Cs)

    def _rel(self) -> float | None:
        """The smallest label that is relevant; None where levels of relevance are told apart."""
        return None

    def _say_cut(self, train: Dataset) -> None:
        """A warning where grades are not told apart, and nobody asked for that."""

    def _power(self) -> float:
        """A query counts by its number of pairs to this power."""
        return 0.0

    # -- how good the solution is ----------------------------------------------------------------------------------

    @property
    def C_(self) -> float:
        """The C of the model."""
        return self._solution("C")

    @property
    def objective_(self) -> float:
        """½‖w‖² + C · (mean violation) of the model, in terms of the scaled features."""
        return self._solution("objective")

    @property
    def gap_(self) -> float:
        """The share of `objective_` by which the best possible could be smaller: (primal − dual)/primal."""
        return self._solution("gap")

    def _solution(self, what: str) -> float:
        self._check_fitted()
        if not self.history_:
            raise AttributeError(f"{type(self).__name__} has learned nothing: no query could be ranked wrongly")
        return self.history_[self.best_round_ - 1][what]


class BinarySVM(StructuralSVM):
    """A structural SVM whose loss knows relevant documents and others only.

    Parameters
    ----------
    rel : the smallest label that is relevant; of graded labels, those below it are all alike, and so are the others.
        None for 1, with a warning where labels are graded.
    """

    rel: Annotated[float, Gt(0)] | None = None

    def _rel(self) -> float:
        return 1.0 if self.rel is None else self.rel

    def _say_cut(self, train: Dataset) -> None:
        relevant = train.y >= self._rel()
        kinds = (train.y[relevant], train.y[~relevant])
        if self.rel is None and any(len(kind) and np.ptp(kind) for kind in kinds):
            warnings.warn(
                f"The labels are graded, from {train.y.min():g} to {train.y.max():g}. To {type(self).__name__}, those "
                f"of at least {self._rel():g} are relevant, and all others not. Pass rel to say where to cut.",
                UserWarning,
                5,
            )


@dataclass(frozen=True, eq=False)
class _Path(LinearModel):
    """The weights after every plane, the first ones before any."""

    path: tuple[Floats, ...] = ()

    def truncated(self, n_rounds: int) -> LinearModel:
        return LinearModel(self.path[n_rounds])


def _say_skipped(train: Dataset, n_used: int) -> None:
    """Queries whose documents cannot be ranked wrongly teach nothing; a warning counts them. Those of weight 0 were
    left out by whoever gave the weights."""
    n_queries = train.n_queries if train.query_weight is None else int((train.query_weight > 0).sum())
    if n_used == n_queries:
        return
    skipped = f"{n_queries - n_used} of {n_queries} queries have documents of one kind only, and are left out"
    nothing = "; there is nothing to learn, and every document scores 0. Check the labels." if n_used == 0 else "."
    warnings.warn(skipped + nothing, UserWarning, 5)
