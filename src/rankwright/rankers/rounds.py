"""The rounds of a training run: they count, measure, record, report and stop, so that the ranker need not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankwright.data import Dataset
from rankwright.measures import Measure
from rankwright.measures.base import mean_of
from rankwright.models import Model
from rankwright.rankers.callbacks import Callback

Row = dict[str, float]


@dataclass
class Rounds:
    """Iterate over it for the round numbers; call `record` at the end of each round.

    Parameters
    ----------
    ranker : name of the ranker, for reports.
    measure : what training is judged by.
    train, valid : the data; `valid` may be None.
    callbacks : told of every round.
    n_rounds : how many there will be at most.
    n_threads : threads for measuring.

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
    history: list[Row] = field(default_factory=list)
    stopped: str | None = None
    _model: Callable[[], Model] | None = None

    def of(self, n_rounds: int) -> Iterator[int]:
        """The numbers 1, 2, ... up to `n_rounds`, or until a callback asks to stop."""
        self.n_rounds = n_rounds
        for callback in self.callbacks:
            callback.start(self)
        try:
            for t in range(1, n_rounds + 1):
                yield t
                if self.stopped is not None:
                    break
        finally:
            for callback in self.callbacks:
                callback.end(self)

    def stop(self, why: str) -> None:
        """Ends training after this round."""
        self.stopped = why

    def measured(self, scores: Any, data: Dataset) -> float:
        """The run's measure of some scores, weighted by the queries' weights."""
        values = self.measure.per_query(data.y, scores, data.qptr, doc_ids=data.doc_ids, n_threads=self.n_threads)
        if data.query_weight is None:
            return mean_of(values)
        kept = ~np.isnan(values)
        return float(np.average(values[kept], weights=data.query_weight[kept])) if kept.any() else float("nan")

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
            row["train"] = train
        if valid_scores is not None and self.valid is not None:
            row["valid"] = self.measured(valid_scores, self.valid)
        row.update(more)
        self.history.append(row)
        self._model = model
        for callback in self.callbacks:
            callback.round(self, row)
        return row

    def current_model(self) -> Model:
        """The model as it is after the last recorded round."""
        if self._model is None:
            raise RuntimeError("no round has been recorded yet")
        return self._model()

    def best(self, fallback: str = "last") -> int:
        """The number of the best round: on validation data if there is any; else on training data when
        `fallback` is ``"train"``, or the last round. The earliest of equally good ones; 0 without any round."""
        column = "valid" if self.history and "valid" in self.history[0] else fallback
        if column == "last" or not self.history:
            return len(self.history)
        values = [-row[column] if self.measure.lower_is_better else row[column] for row in self.history]
        return int(np.argmax(np.nan_to_num(values, nan=-np.inf))) + 1
