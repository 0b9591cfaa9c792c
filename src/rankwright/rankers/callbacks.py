"""What may watch, record or stop a training run. Subclass `Callback` for your own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankwright.models.base import model_to_dict, write_document

if TYPE_CHECKING:
    from rankwright.rankers.rounds import Rounds, Row


class Callback:
    """Told when training starts, after each round, and when it ends; does nothing by itself."""

    def start(self, run: Rounds) -> None: ...

    def round(self, run: Rounds, row: Row) -> None: ...

    def end(self, run: Rounds) -> None: ...


class EarlyStopping(Callback):
    """Stops when the measure has not improved by more than `tol` for `patience` rounds.

    Parameters
    ----------
    patience : rounds to wait for an improvement.
    tol : how much better counts as better.
    """

    def __init__(self, patience: int, tol: float = 0.0) -> None:
        self.patience, self.tol = patience, tol

    def start(self, run: Rounds) -> None:
        self._best: float | None = None
        self._since = 0

    def round(self, run: Rounds, row: Row) -> None:
        value = row.get("valid", row.get("train"))
        if value is None:
            return
        sign = -1.0 if run.measure.lower_is_better else 1.0
        if self._best is None or sign * (value - self._best) > self.tol:
            self._best, self._since = value, 0
        else:
            self._since += 1
        if self._since >= self.patience:
            run.stop(f"{run.measure} has not improved for {self.patience} rounds")


class Checkpoint(Callback):
    """Writes the model so far to a file, whole or not at all, so that an interruption loses little.

    Parameters
    ----------
    path : where to; load it with :func:`rankwright.load`.
    every : rounds between two writes; the last round is always written.
    """

    def __init__(self, path: str | Path, every: int = 10) -> None:
        self.path, self.every = Path(path), every

    def round(self, run: Rounds, row: Row) -> None:
        if int(row["round"]) % self.every == 0:
            self._write(run)

    def end(self, run: Rounds) -> None:
        if run.history:
            self._write(run)

    def _write(self, run: Rounds) -> None:
        ranker = {"name": run.ranker, "options": {"measure": str(run.measure)}}
        names = list(run.train.feature_names)
        document = {"ranker": ranker, "features": names, "model": model_to_dict(run.current_model())}
        write_document(self.path, document)


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
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
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
