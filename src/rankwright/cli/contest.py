"""Several rankers on the same data: trained one after the other, with a bar each and the live measure."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankwright.cli.console import seconds, watched
from rankwright.rankers import Callback

if TYPE_CHECKING:
    from rankwright.data import Dataset
    from rankwright.rankers import Ranker, Rounds

Row = dict[str, float]

ROOM_FOR_LONG_BARS = 100  # columns of a terminal


@dataclass(frozen=True)
class Entry:
    """A trained ranker.

    Parameters
    ----------
    name : as the table shows it.
    ranker : fitted.
    seconds : what training took.
    stopped : why it stopped before its last round, or None.
    """

    name: str
    ranker: Ranker
    seconds: float
    stopped: str | None = None


class TimeLimit(Callback):
    """Stops training at the end of the round in which the time is up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.reached = False

    def start(self, run: Rounds) -> None:
        self._until = time.perf_counter() + self.seconds

    def round(self, run: Rounds, row: Row) -> None:
        if time.perf_counter() > self._until and row["round"] < run.n_rounds:
            self.reached = True
            run.stop(f"{self.seconds:.0f} s are over")


class Bars:
    """One progress bar per ranker, aligned; silent when nobody watches."""

    def __init__(self, bar: Any = None) -> None:
        self.bar = bar

    def task(self, name: str) -> Bar:
        return Bar(self.bar, self.bar.add_task(name, total=1, measured="", start=False) if self.bar else None)

    def count(self, name: str, total: int) -> Callable[[str], None]:
        """A bar for things done one after the other; call what it returns with what was done last."""
        if self.bar is None:
            return lambda done: None
        task = self.bar.add_task(name, total=total, measured="")
        return lambda done: self.bar.update(task, advance=1, measured=done)


class Bar(Callback):
    """The bar of one ranker: rounds done, time left, measure so far."""

    def __init__(self, bar: Any, task: Any) -> None:
        self.bar, self.task = bar, task

    def start(self, run: Rounds) -> None:
        if self.bar is not None:
            self.bar.start_task(self.task)
            self.bar.update(self.task, total=run.n_rounds)

    def round(self, run: Rounds, row: Row) -> None:
        if self.bar is not None:
            part = "valid" if "valid" in row else "train"
            shown = f"{run.measure} {part} {row[part]:.4f}" if part in row else ""
            self.bar.update(self.task, completed=row["round"], measured=shown)

    def end(self, run: Rounds) -> None:
        if self.bar is not None:
            done = max(len(run.history), 1)
            self.bar.update(self.task, total=done, completed=done)


@contextmanager
def bars() -> Iterator[Bars]:
    """Live bars on standard error while the block runs."""
    if not watched():
        yield Bars()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    drawn = BarColumn(24 if console.width >= ROOM_FOR_LONG_BARS else 10)
    columns = (TextColumn("  {task.description}"), drawn, MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("[cyan]{task.fields[measured]}"), console=console) as bar:
        yield Bars(bar)


def train_all(
    rankers: dict[str, Ranker], train: Dataset, valid: Dataset | None, limit: float | None = None
) -> list[Entry]:
    """Fits every ranker on the same data.

    Parameters
    ----------
    rankers : by the name that the table shows.
    train, valid : the data.
    limit : seconds that each may train; None for all they want.
    """
    entries = []
    with bars() as shown:
        tasks = {name: shown.task(name) for name in rankers}
        for name, ranker in rankers.items():
            _load(ranker, train)
            clock = TimeLimit(limit) if limit is not None else None
            ranker.callbacks = [tasks[name], *([clock] if clock else [])]
            start = time.perf_counter()
            ranker.fit(train, valid=valid)
            stopped = f"stopped after {seconds(limit)}" if limit is not None and clock and clock.reached else None
            entries.append(Entry(name, ranker, time.perf_counter() - start, stopped))
            ranker.callbacks = ()
    return entries


def _load(ranker: Ranker, train: Dataset) -> None:
    """Imports what a ranker imports when it is first used, by a round on a few queries: that is not training time."""
    copy = type(ranker)(**ranker.get_params(deep=False))
    copy.callbacks = [TimeLimit(0.0)]
    with suppress(ValueError):  # a few queries may be too few; what is really wrong, the training will say
        copy.fit(train.queries(range(min(train.n_queries, 10))))
