"""One titled part of an experiment: a table, curves drawn from it, and what must be said of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rankwright.evaluation.table import Table
from rankwright.reproduce.chart import chart


@dataclass(frozen=True)
class Curves:
    """Columns of a table to be drawn over another.

    Parameters
    ----------
    x : the column along the axis.
    y : the columns that are drawn, on one scale.
    title : what they are, all together; their names, if it is left out.
    """

    x: str
    y: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True)
class Section:
    """A table under its title.

    Parameters
    ----------
    title : which table or figure of the paper it stands for.
    table : its columns.
    note : where the data or the protocol differs from the paper's, or what is to be seen.
    curves : charts of the table's columns.
    shown : the rows to print; None for all. The charts and :meth:`to_dict` have all of them.
    """

    title: str
    table: Table
    note: str = ""
    curves: tuple[Curves, ...] = ()
    shown: tuple[int, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        curves = [{"x": c.x, "y": list(c.y)} for c in self.curves]
        return {"title": self.title, "table": self.table.to_dict(), "curves": curves, "note": self.note}

    def __str__(self) -> str:
        table = self.table if self.shown is None else Table({n: c[list(self.shown)] for n, c in self.table.items()})
        charts = [chart(c.x, self.table[c.x], {name: self.table[name] for name in c.y}) for c in self.curves]
        return "\n".join([self.title, repr(table), *charts, *([self.note] if self.note else [])]) + "\n"


def some_rounds(n_rounds: int, first: int = 10, step: int = 25) -> tuple[int, ...]:
    """The rows of a learning curve worth printing: the first rounds, every so many, and the last."""
    return tuple(i for i in range(n_rounds) if i < first or (i + 1) % step == 0 or i == n_rounds - 1)


@contextmanager
def without_left_out() -> Iterator[None]:
    """No warnings of queries that are left out: that nobody judged, or that have nothing to learn from."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*left out")
        yield
