"""Callbacks watch, record or stop a training run. Subclass `Callback` for your own."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from rankwright.errors import InputError

if TYPE_CHECKING:
    from rankwright.rankers.rounds import Rounds, Row


class Callback:
    """Told when training starts, after each round, and when it ends; does nothing by itself.

    `end` is called once for every `start`, also when training is interrupted or another callback fails.
    A row has ``"round"``, the measure on ``"train"`` and ``"valid"`` data where known, and what the ranker adds.
    ``run.stop(why)`` ends training after the round, ``run.current_model()`` is the model so far, and
    ``run.save(path)`` writes the ranker as it would be if training ended now.

    Examples
    --------
    >>> from rankwright.rankers import Callback, SingleFeature
    >>> class GoodEnough(Callback):
    ...     def __init__(self, value):
    ...         self.value = value
    ...     def round(self, run, row):
    ...         if row["train"] >= self.value:
    ...             run.stop(f"{run.measure} has reached {self.value}")
    >>> ranker = SingleFeature(callbacks=[GoodEnough(1.0)])
    >>> ranker.fit([[1, 5], [2, 3]], [0, 1], qid=[1, 1]).history_
    [{'round': 1, 'train': 1.0}]
    """

    def start(self, run: Rounds) -> None: ...

    def round(self, run: Rounds, row: Row) -> None: ...

    def again(self, run: Rounds, row: Row) -> None:
        """A round of the interrupted run that this one goes on from."""
        self.round(run, row)

    def end(self, run: Rounds) -> None: ...


class EarlyStopping(Callback):
    """Stops when the measure has not improved by more than `tol` for `patience` rounds.

    Judged on validation data where there is any, else on training data. Rounds whose measure is undefined
    (every query skipped) are not counted.

    Parameters
    ----------
    patience : rounds to wait for an improvement.
    tol : how much better counts as better.
    """

    def __init__(self, patience: int, tol: float = 0.0) -> None:
        self.patience = _at_least("patience", patience, 1)
        if not (isinstance(tol, (int, float)) and 0 <= tol < np.inf):
            raise InputError(f"tol must be a number of at least 0. Got {tol!r}. Leave it out for 0.")
        self.tol = tol

    def start(self, run: Rounds) -> None:
        self._best: float | None = None
        self._since = 0

    def round(self, run: Rounds, row: Row) -> None:
        value = row.get("valid", row.get("train"))
        if value is None or np.isnan(value):
            return
        sign = -1.0 if run.measure.lower_is_better else 1.0
        if self._best is None or sign * (value - self._best) > self.tol:
            self._best, self._since = value, 0
        else:
            self._since += 1
        if self._since >= self.patience:
            run.stop(f"{run.measure} has not improved for {self.patience} rounds")


class Checkpoint(Callback):
    """Writes the ranker so far to a file, whole or not at all, so that an interruption loses little.

    The file holds what `fit` would have returned had it ended there: the best round's model, the options and
    the history. :func:`rankwright.load` reads it.

    Parameters
    ----------
    path : where to; its folder must exist.
    every : rounds between two writes; the last round is always written.
    resume : go on from the file, where there is one, of the same ranker, options and data; boosted trees can. The
        final model is the one of a run without interruption, bit for bit. `n_trees` may be larger than before.
    """

    def __init__(self, path: str | Path, every: int = 10, resume: bool = False) -> None:
        self.path, self.every, self.resume = Path(path), _at_least("every", every, 1), resume

    def start(self, run: Rounds) -> None:
        self._written = 0
        if not self.path.parent.is_dir():
            raise InputError(f"a checkpoint's folder must exist. {self.path.parent} does not. Make it first.")

    def round(self, run: Rounds, row: Row) -> None:
        if len(run.history) % self.every == 0:
            self._write(run)

    def again(self, run: Rounds, row: Row) -> None:
        self._written = len(run.history)

    def end(self, run: Rounds) -> None:
        if len(run.history) > self._written:
            self._write(run)

    def _write(self, run: Rounds) -> None:
        run.save(self.path)
        self._written = len(run.history)


class Record(Callback):
    """Keeps the rows of a run with their time, and writes each to a file as it comes, for others to follow.

    Parameters
    ----------
    path : where to, one JSON object a line, begun anew by each run; None for no file.

    Attributes
    ----------
    rows : the history's rows, each with ``"seconds"`` since the start.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        self.rows: list[Row] = []
        self._out: IO[str] | None = None

    def start(self, run: Rounds) -> None:
        self.rows, self._began = [], time.perf_counter()
        if self.path is not None:
            self._out = self.path.open("w", encoding="utf-8", buffering=1)

    def round(self, run: Rounds, row: Row) -> None:
        self.rows.append({**row, "seconds": time.perf_counter() - self._began})
        if self._out is not None:
            finite = {name: value if np.isfinite(value) else None for name, value in self.rows[-1].items()}
            self._out.write(json.dumps(finite) + "\n")

    def end(self, run: Rounds) -> None:
        if self._out is not None:
            self._out.close()
            self._out = None


class Progress(Callback):
    """A bar with the live measure and the time left, on standard error; quiet when that is no terminal.

    Parameters
    ----------
    force : show it even when standard error is no terminal.
    """

    def __init__(self, force: bool = False) -> None:
        self.force = force
        self._bar: Any = None

    def start(self, run: Rounds) -> None:
        if not (self.force or sys.stderr.isatty()):
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress as Bar, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn())
        console = Console(stderr=True, force_terminal=True if self.force else None)
        self._bar = Bar(*columns, TextColumn("{task.fields[measured]}"), console=console)
        self._task = self._bar.add_task(run.ranker, total=run.n_rounds, measured="")
        self._bar.start()

    def round(self, run: Rounds, row: Row) -> None:
        if self._bar is not None:
            shown = "  ".join(f"{part} {row[part]:.4f}" for part in ("train", "valid") if part in row)
            self._bar.update(self._task, completed=row["round"], measured=f"{run.measure} {shown}")

    def end(self, run: Rounds) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _at_least(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(f"{name} must be a whole number of at least {least}. Got {value!r}. Pass one.")
    return int(value)
