"""Coordinate ascent on the measure itself, every step an exact line search.       Metzler & Croft, Inf. Retrieval 2007

    maximise E(f_w),  f_w(x) = Σ_k w_k x_k,  one weight at a time:  w_k ← w_k + argmax_δ E(f_w + δ x_k)

paper      here       meaning
Λ          w          the weights, |w_1| + ... + |w_K| = 1: the length of w changes no ranking
           F          the scores f_w of the training documents
           delta      the step along one coordinate, over all real numbers

Departs from the paper: it tries a few steps of doubling length; here the best of all real steps is found exactly
(Wu et al. 2009, section 4). Starts after the first begin at random weights, and where they end is averaged. What is
the default was chosen on validation data alone (nDCG@10; five folds each of MQ2008 and OHSUMED, and artificial data):

                                         MQ2008   OHSUMED   artificial
    the mean of 5 starts                  .504      .447       .694
    a start by itself                     .502      .442       .680
    the best of 5 on training data        .502      .444       .687
    the mean, all from equal weights      .505      .446       .692
    the mean, from weights of any sign    .504      .447       .694
    weights kept to their features' signs .505      .444       .682
    queries drawn with replacement        .504      .449

Another seed moves each by up to .002, so only averaging matters. The middle of a wider plateau that is nearly as good,
or of a window of steps with the best mean, in place of the best plateau changes as little (.505, .445 to .450).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from annotated_types import Ge

from rankwright.data import Dataset
from rankwright.line_search import Objective, best_step
from rankwright.measures import MeasureLike
from rankwright.measures.base import Floats, Offsets
from rankwright.models import LinearModel
from rankwright.rankers.base import Ranker
from rankwright.rankers.callbacks import Callback
from rankwright.rankers.rounds import Rounds
from rankwright.rankers.side_by_side import side_by_side


class CoordinateAscent(Ranker):
    """A linear model whose weights are set one at a time, each exactly at its best.

    Parameters
    ----------
    measure : what is maximised: any measure.
    n_restarts : starts, side by side on the threads; each goes over the features in orders of its own.
    begin : where starts after the first begin: at random ``"positive"`` weights of the scaled features, at random
        weights of ``"either"`` sign, or like the first at ``"equal"`` ones; then only the order of features differs.
    starts : ``"mean"``: the model is the mean of where the starts end, which generalises better; it is the last round.
        With validation data, a start ends at its best pass on them.
        ``"best"``: the best pass of all starts, on validation data if there is any, else on training data.
    n_passes : passes over all features in one start, at most.
    scale : what a unit of a weight is: a feature's standard deviation (``"z"``), its range (``"minmax"``) or itself
        (``"none"``), over the training documents. Decides where starts begin and what equal weights are.
    positive : whether weights are kept above 0, as where features are scores of rankers that all mean well.
    tol : a start ends with a pass that gains no more than this.
    patience : a start ends when the validation measure has not improved in so many of its passes; None: never.
    rng : seed of the random starts and of the order of features.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training; a round is one pass.

    Notes
    -----
    The training measure never falls within a start. A missing value counts as 0. The same seed gives the same model.

    Examples
    --------
    >>> import rankwright as rw
    >>> X, y, qid = [[1, 5], [2, 4], [3, 3], [1, 9], [2, 8]], [1, 0, 0, 1, 0], [1, 1, 1, 2, 2]
    >>> rw.CoordinateAscent(measure="AP").fit(X, y, qid=qid).history_[0]["train"]
    1.0
    """

    name = "coordinate_ascent"
    paper = "Metzler & Croft 2007; line search of Wu et al. 2009"
    measure: MeasureLike = "nDCG@10"
    n_restarts: Annotated[int, Ge(1)] = 5
    begin: Literal["positive", "either", "equal"] = "positive"
    starts: Literal["mean", "best"] = "mean"
    n_passes: Annotated[int, Ge(1)] = 25
    scale: Literal["z", "minmax", "none"] = "z"
    positive: bool = False
    tol: Annotated[float, Ge(0)] = 1e-3
    patience: Annotated[int, Ge(1)] | None = 3
    rng: int = 0

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> LinearModel:
        columns = columns_of(train)
        units = units_of(columns, self.scale)
        E = rounds.measure.bind(train.y)
        objective = Objective(train.y, train.qptr, E, train.query_weight, train.doc_ids, self.threads).prepared()

        def ascent_of(start: int, left: Event) -> Iterator[Pass]:
            random = np.random.default_rng([self.rng, start])
            w = start_of(start, units, random, self.begin)
            ascent = Ascent(objective, train.X, columns, np.abs(w) if self.positive else w, self.positive, left)
            return self._passes(ascent, np.flatnonzero(units), random, rounds)

        passes: list[Floats] = []
        ends: list[int] = []
        numbers = rounds.of(self.n_restarts * self.n_passes + 1)
        starts = range(1, self.n_restarts + 1)
        with side_by_side([partial(ascent_of, start) for start in starts], self.threads) as ascents:
            for start, ascent in zip(starts, ascents, strict=True):
                for made, _ in zip(ascent, numbers, strict=False):  # numbers end where a callback stops the training
                    passes.append(made.w)
                    rounds.record(made.model, train=made.train, valid_scores=made.judged, start=start)
                if rounds.stopped is not None:
                    break
                ends.append(self._end(rounds, start))
        if self.starts == "mean" and rounds.stopped is None:
            passes.append(np.mean([passes[end - 1] for end in ends], axis=0))
            model = LinearModel(passes[-1])
            judged = None if valid is None else model.scores(valid.X)
            value = objective.value(model.scores(train.X))
            rounds.record(lambda: model, train=value, valid_scores=judged, start=0)
        return _Passes(passes[-1] if passes else units, passes=tuple(passes))

    def _passes(self, ascent: Ascent, features: Offsets, random: np.random.Generator, rounds: Rounds) -> Iterator[Pass]:
        """One start, pass by pass, to its end."""
        values: list[float] = []
        for _ in range(self.n_passes):
            gain = ascent.one_pass(random.permutation(features))
            made = Pass(ascent.w, ascent.value, None)
            if rounds.valid is not None:
                made = Pass(ascent.w, ascent.value, made.model().scores(rounds.valid.X))
                values.append(ascent.objective.sign * rounds.measured(made.judged, rounds.valid))
            yield made
            if gain <= self.tol or self._no_better(values):
                return

    def _end(self, rounds: Rounds, start: int) -> int:
        """The round at which a start ends: the last, or its best on validation data."""
        rows = [row for row in rounds.history if row["start"] == start]
        sign = -1.0 if rounds.measure.lower_is_better else 1.0
        best = max(rows, key=lambda row: sign * row["valid"]) if "valid" in rows[-1] else rows[-1]
        return int(best["round"])

    def _no_better(self, values: list[float]) -> bool:
        """Whether the last `patience` passes of a start were no better on validation data than one before."""
        if self.patience is None or len(values) <= self.patience:
            return False
        return max(values[-self.patience :]) <= max(values[: -self.patience])

    @property
    def best_without_valid(self) -> str:  # type: ignore[override]
        return "final" if self.starts == "mean" else "train"

    def _all_callbacks(self) -> list[Callback]:
        return list(self.callbacks)  # patience is per start, see `_no_better`


class Pass(NamedTuple):
    """What a pass leaves: the weights, the measure on training data, and the scores of validation data."""

    w: Floats
    train: float
    judged: Floats | None

    def model(self) -> LinearModel:
        return LinearModel(self.w)


@dataclass
class Ascent:
    """One start: weights, their scores, and the measure of them."""

    objective: Objective
    X: Any
    columns: Floats  # the same, features × documents, missing values 0
    w: Floats
    positive: bool = False
    left: Event = field(default_factory=Event)  # set where no one waits for the pass to end

    def __post_init__(self) -> None:
        self.n_steps = 0
        self._searched = np.full(len(self.w), -1)  # after how many steps a coordinate was searched last
        self._settle()

    def _settle(self) -> None:
        """Scores and measure of the weights themselves, brought to length 1."""
        self.w = self.w / np.abs(self.w).sum() if self.w.any() else self.w
        self.F = LinearModel(self.w).scores(self.X)
        self.value = self.objective.value(self.F)

    def one_pass(self, order: Offsets) -> float:
        """Every coordinate once, in some order; returns how much the measure gained."""
        was = self.w, self.F, self.value
        steps_before = self.n_steps
        for k in order:
            if self.left.is_set():
                break
            if self._searched[k] == self.n_steps:  # nothing has moved since
                continue
            least = -float(self.w[k]) if self.positive else -np.inf
            delta, value = best_step(self.objective, self.F, self.columns[k], least)
            if self.objective.sign * (value - self.value) > 1e-12:
                self._step(int(k), delta)
            self._searched[k] = self.n_steps
        if self.n_steps == steps_before:
            return 0.0
        self._settle()
        if self.objective.measure.better(was[2], self.value):  # rounding of the sums has undone the pass
            self.w, self.F, self.value = was
        return self.objective.sign * (self.value - was[2])

    def _step(self, k: int, delta: float) -> None:
        F = self.F + delta * self.columns[k]
        value = self.objective.value(F)
        if self.objective.measure.better(value, self.value):  # else floats cannot tell the scores apart
            self.w = self.w.copy()
            self.w[k] += delta
            self.F, self.value = F, value
            self.n_steps += 1


@dataclass(frozen=True, eq=False)
class _Passes(LinearModel):
    """The weights after every pass."""

    passes: tuple[Floats, ...] = ()

    def truncated(self, n_rounds: int) -> LinearModel:
        return LinearModel(self.passes[n_rounds - 1] if n_rounds else self.weights)


def columns_of(train: Dataset) -> Floats:
    """Features × documents, missing values 0."""
    X = train.X.toarray() if train.is_sparse else train.X
    return np.ascontiguousarray(np.nan_to_num(X.T.astype(np.float64), nan=0.0))


def units_of(columns: Floats, scale: str) -> Floats:
    """The weight that one unit of each feature has: 1/standard deviation, 1/range or 1; 0 for constant features."""
    width = np.ptp(columns, axis=1)
    spread = columns.std(axis=1) if scale == "z" else width if scale == "minmax" else np.ones(len(columns))
    return np.where(width > 0, 1.0 / np.where(spread > 0, spread, 1.0), 0.0)


def start_of(start: int, units: Floats, random: np.random.Generator, begin: str) -> Floats:
    """Equal weights; after the first start, random ones, unless all are to be equal."""
    lowest = {"positive": 0.0, "either": -1.0, "equal": 1.0}[begin]
    return units if start == 1 else units * random.uniform(lowest, 1.0, len(units))
