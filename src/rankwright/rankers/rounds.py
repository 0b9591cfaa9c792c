"""The rounds of a training run: they count, measure, record, report and stop, so that the ranker need not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset
from rankwright.measures import Measure
from rankwright.measures.values import Judge
from rankwright.models import Model
from rankwright.rankers.callbacks import Callback

Row = dict[str, float]


def weighted_mean(per_query: npt.NDArray[np.float64], query_weight: npt.NDArray[np.float64] | None) -> float:
    """The mean over queries that are not NaN, by their weights; NaN when nothing counts."""
    if query_weight is None and len(per_query) and not np.isnan(mean := float(np.mean(per_query))):
        return mean
    weight = np.ones(len(per_query)) if query_weight is None else query_weight
    counts = ~np.isnan(per_query) & (weight > 0)
    return float(np.average(per_query[counts], weights=weight[counts])) if counts.any() else float("nan")


def measured(measure: Measure, scores: Any, data: Dataset, n_threads: int | None = None) -> float:
    """A measure of some scores, in the order of the data's rows, weighted by the queries' weights."""
    values = measure.per_query(data.y, scores, data.qptr, doc_ids=data.doc_ids, n_threads=n_threads)
    return weighted_mean(values, data.query_weight)


@dataclass
class Rounds:
    """Iterate over ``of(n)`` for the round numbers; call `record` at the end of each round.

    Parameters
    ----------
    ranker : name of the ranker, for reports.
    measure : what training is judged by.
    train, valid : the data; `valid` may be None.
    callbacks : told of every round.
    n_rounds : how many there will be at most.
    n_threads : threads for measuring.
    fallback : the best round when there is no validation data: ``"last"``, or the best on ``"train"``. ``"final"``: the
        last round, whatever validation data say.
    saver : writes the ranker as it would be if training ended now, for `save`.
    unfinished : the model and the history of an interrupted run that this one goes on from.

    Attributes
    ----------
    history : one row a round: its number, the measure on training and validation data, and what the ranker adds.
    stopped : why training stopped early, or None.
    """

    ranker: str
    measure: Measure
    train: Dataset
    valid: Dataset | None = None
    callbacks: Sequence[Callback] = ()
    n_rounds: int = 1
    n_threads: int | None = None
    fallback: str = "last"
    saver: Callable[[str | Path, Rounds], None] | None = None
    unfinished: tuple[Model, Sequence[Row]] | None = None
    history: list[Row] = field(default_factory=list, init=False)
    stopped: str | None = field(default=None, init=False)
    _model: Callable[[], Model] | None = field(default=None, init=False, repr=False)
    _resumable: tuple[Callable[[], Model], int] | None = field(default=None, init=False, repr=False)
    _finishing: bool = field(default=False, init=False, repr=False)
    _data: str | None = field(default=None, init=False, repr=False)
    _judges: dict[Dataset, Judge] = field(default_factory=dict, init=False, repr=False)
    _started: list[Callback] = field(default_factory=list, init=False, repr=False)

    # -- for the ranker --------------------------------------------------------------------------------------------

    def of(self, n_rounds: int) -> Iterator[int]:
        """The numbers 1, 2, ... up to `n_rounds`, or until a callback asks to stop.

        A run that goes on from an interrupted one starts with the number after its last; callbacks are told of its
        rounds as if they had happened now.
        """
        self.__exit__(None, None, None)  # an earlier phase that the ranker left
        self.n_rounds = n_rounds
        with self:
            for callback in self.callbacks:
                self._started.append(callback)
                callback.start(self)
            if self.unfinished is not None:
                self._take_up(*self.unfinished)
            for t in range(len(self.history) + 1, n_rounds + 1):
                if self.stopped is not None:
                    break
                yield t

    def _take_up(self, model: Model, history: Sequence[Row]) -> None:
        self._model = lambda: model
        self._resumable = self._model, len(history)
        for row in history:
            self.history.append(row)
            for callback in self.callbacks:
                callback.again(self, row)

    def record(
        self,
        model: Callable[[], Model],
        *,
        train_scores: Any = None,
        valid_scores: Any = None,
        train: float | None = None,
        **more: float,
    ) -> Row:
        """Ends a round: measures the scores given, appends a row to the history, and tells the callbacks.

        Parameters
        ----------
        model : makes the model as it is now, for those who ask.
        train_scores, valid_scores : the model's scores, in the order of the data's rows.
        train : the measure on training data, where the ranker has it already.
        more : what else this round is known by, such as ``step`` and ``bound``.
        """
        row: Row = {"round": len(self.history) + 1}
        if train is None and train_scores is not None:
            train = self.measured(train_scores, self.train)
        if train is not None:
            row["train"] = float(train)
        if valid_scores is not None and self.valid is not None:
            row["valid"] = self.measured(valid_scores, self.valid)
        row.update({name: value.item() if isinstance(value, np.generic) else value for name, value in more.items()})
        self.history.append(row)
        self._model = model
        if not self._finishing:
            self._resumable = model, len(self.history)
        for callback in self.callbacks:
            callback.round(self, row)
        return row

    def finish(self) -> None:
        """Rounds recorded from now on are not like those before: an interrupted run goes on from before them."""
        self._finishing = True

    def measured(self, scores: Any, data: Dataset) -> float:
        """The run's measure of some scores, weighted by the queries' weights."""
        judge = self._judges.get(data)
        if judge is None:
            judge = Judge([self.measure], data.y, data.qptr, doc_ids=data.doc_ids, n_threads=self.n_threads)
            self._judges[data] = judge
        return weighted_mean(judge.values(scores)[0], data.query_weight)

    # -- for callbacks ---------------------------------------------------------------------------------------------

    def stop(self, why: str) -> None:
        """Ends training after this round."""
        self.stopped = why

    def current_model(self) -> Model:
        """The model as it is after the last recorded round."""
        if self._model is None:
            raise RuntimeError("no round has been recorded yet")
        return self._model()

    @property
    def resumed(self) -> Model | None:
        """The model of the interrupted run that this one goes on from."""
        return None if self.unfinished is None else self.unfinished[0]

    def resumable(self) -> tuple[Model, int] | None:
        """The model that a run could go on from, if it were interrupted now, and the number of its rounds."""
        return None if self._resumable is None else (self._resumable[0](), self._resumable[1])

    def known_data(self, fingerprint: Callable[[Dataset, Dataset | None], str]) -> str:
        """The fingerprint of the data, made once."""
        if self._data is None:
            self._data = fingerprint(self.train, self.valid)
        return self._data

    def save(self, path: str | Path) -> None:
        """Writes the ranker as it would be if training ended now; :func:`rankwright.load` reads it."""
        if self.saver is None:
            raise RuntimeError("these rounds are not part of a ranker's fit, so there is no ranker to save")
        self.saver(path, self)

    def best(self, fallback: str | None = None) -> int:
        """The number of the best round: on validation data if there is any; else on training data when
        `fallback` is ``"train"``, or the last round. The earliest of equally good ones; 0 without any round."""
        by = self.fallback if fallback is None else fallback
        if by == "final":
            return len(self.history)
        column = "valid" if any("valid" in row for row in self.history) else by
        sign = -1.0 if self.measure.lower_is_better else 1.0
        values = np.array([sign * row.get(column, np.nan) for row in self.history])
        if np.isnan(values).all():
            return len(self.history)
        return int(np.nanargmax(values)) + 1

    # -- ending, whatever happened ---------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, where: TracebackType | None
    ) -> None:
        """Tells every callback that was started that training has ended, even when one of them fails at it.

        What broke the training is what is raised; otherwise the first failure among the callbacks.
        """
        if isinstance(wrong, GeneratorExit):  # the ranker left the loop: no place to raise from, and `fit` ends it
            return
        started, self._started = self._started, []
        failures: list[Exception] = []
        for callback in started:
            try:
                callback.end(self)
            except Exception as failure:
                failures.append(failure)
        if wrong is not None:
            for also in failures:
                wrong.add_note(f"Ending the training also failed: {type(also).__name__}: {also}")
        elif failures:
            raise failures[0]
