"""A small table: columns of equal length that print readably and that any frame library takes as they are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

SHOWN_ROWS = 30


class Table(dict[str, npt.NDArray[Any]]):
    """A dict from column name to array; ``pandas.DataFrame(table)`` and ``polars.DataFrame(table)`` work.

    Examples
    --------
    >>> from rankwright.evaluation.table import Table
    >>> Table(system=["a", "b"], AP=[0.5, 0.25])
    system      AP
    a       0.5000
    b       0.2500
    """

    def __init__(self, columns: dict[str, Any] | None = None, **more: Any) -> None:
        super().__init__({name: np.asarray(values) for name, values in {**(columns or {}), **more}.items()})

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.values()), ()))

    def rows(self) -> list[dict[str, Any]]:
        """One dict per row, of plain Python values."""
        return [dict(zip(self, row, strict=True)) for row in zip(*(c.tolist() for c in self.values()), strict=True)]

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns as lists of plain JSON values; what is not a finite number is None."""
        return {name: [plain(value) for value in column.tolist()] for name, column in self.items()}

    def __repr__(self) -> str:
        cells = [[shown(value) for value in column[:SHOWN_ROWS].tolist()] for column in self.values()]
        right = [column.dtype.kind in "iuf" for column in self.values()]
        text = aligned(list(self), list(zip(*cells, strict=True)), right)
        more = self.n_rows - SHOWN_ROWS
        return text + (f"\n... {more} more rows" if more > 0 else "")


def aligned(header: list[str], rows: list[tuple[str, ...]], right: list[bool]) -> str:
    """Cells in columns: numbers to the right, words to the left."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [
        "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)).rstrip()
        for row in (header, *rows)
    ]
    return "\n".join(lines)


def shown(value: Any) -> str:
    """A number to four digits (tiny and huge ones with their exponent), a missing one as a dash, words as they are."""
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "–"
    return f"{value:.4f}" if value == 0 or 5e-5 <= abs(value) < 1e6 else f"{value:.0e}"


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, (int, float, str, bool, type(None))) else str(value)
