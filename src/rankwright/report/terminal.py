"""A step chart in characters: the curve in braille dots, two by four to a cell, so that a terminal shows it finely.

curve > lines to compare with > band: where two share a cell, the first is seen
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright.report.charts import StepChart, apart, in_cells

if TYPE_CHECKING:
    from rich.text import Text

CURVE, BAND, BEST, FAINT = "bold cyan", "blue", "bold green", "dim"
LINES = (("╌", "yellow"), ("┄", "magenta"), ("┈", "red"), ("╍", "bright_blue"), ("─", "white"))
_DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])


class Cell(NamedTuple):
    sign: str = " "
    style: str = ""


def drawn(chart: StepChart, width: int = 100, height: int = 16) -> Text:
    """The chart as text with styles; without colour it still reads.

    Parameters
    ----------
    chart : what is to be shown.
    width : columns of the terminal.
    height : rows of the plot itself.
    """
    from rich.text import Text

    ticks = value_ticks(*chart.value_range(), height)
    gutter = max(len(text) for _, text in ticks) + 2
    names = max((len(r.name) + 8 for r in chart.references), default=0)
    columns = max(min(width - gutter - names - 2, 120), 20)
    canvas = _Canvas(chart, columns, height)
    labels = canvas.labels()
    out = Text()
    out.append(f"{chart.title}\n", style="bold").append(f"{chart.subtitle}\n", style=FAINT)
    by_row = {canvas.row(value): text for value, text in ticks}
    for row in range(height):
        text = by_row.get(row, "")
        out.append(f"{text:>{gutter - 2}} {'┤' if text else '│'}", style=FAINT)
        for cell in canvas.cells[row]:
            out.append(cell.sign, style=cell.style)
        sign, style = labels.get(row, ("", ""))
        out.append(f" {sign}\n" if sign else "\n", style=style)
    for line, style in _below(chart, columns):
        out.append(" " * (gutter - 1) + line.rstrip() + "\n", style=style)
    return out


class _Canvas:
    """Cells by rows from the top."""

    def __init__(self, chart: StepChart, columns: int, height: int) -> None:
        self.chart, self.columns, self.height = chart, columns, height
        self.low, self.high = chart.value_range()
        self.cells = [[Cell() for _ in range(columns)] for _ in range(height)]
        self._band()
        for i, reference in enumerate(chart.references):
            sign, style = LINES[i % len(LINES)]
            self.cells[self.row(reference.value)] = [Cell(sign, style)] * columns
        self._curve()

    def _dot(self, value: float) -> int:
        share = (self.high - value) / (self.high - self.low)
        return min(max(int(share * self.height * 4), 0), self.height * 4 - 1)

    def row(self, value: float) -> int:
        return self._dot(value) // 4

    def _band(self) -> None:
        if not self.chart.bands:
            return
        lower, upper = (in_cells(edge, self.columns, self.chart.domain) for edge in self.chart.bands[0].edges)
        low, high = lower.low, upper.high
        for x in range(self.columns):
            for row in range(self.row(float(high[x])), self.row(float(low[x])) + 1):
                self.cells[row][x] = Cell("░", BAND)

    def _curve(self) -> None:
        parts = in_cells(self.chart.steps, self.columns * 2)
        bits = np.zeros((self.height, self.columns), np.int64)
        last: tuple[int, int] | None = None
        for x, (low, high) in enumerate(zip(parts.low.tolist(), parts.high.tolist(), strict=True)):
            top, bottom = self._dot(high), self._dot(low)
            if last is not None:  # no gap to the column before
                top, bottom = min(top, max(last[1], top) if last[1] < top else top), max(bottom, min(last[0], bottom))
            for dot in range(top, bottom + 1):
                bits[dot // 4, x // 2] |= _DOTS[dot % 4, x % 2]
            last = (self._dot(high), self._dot(low))
        self._set_curve(bits)

    def _set_curve(self, bits: npt.NDArray[np.int64]) -> None:
        left, right = self.chart.domain
        share = (right - left) / self.columns
        plateau = self.chart.plateau
        for row, x in zip(*(which.tolist() for which in np.nonzero(bits)), strict=True):
            best = left + x * share < plateau.hi and left + (x + 1) * share > plateau.lo
            self.cells[row][x] = Cell(chr(0x2800 + int(bits[row, x])), BEST if best else CURVE)

    def labels(self) -> dict[int, tuple[str, str]]:
        """Names of the lines, one to a row, as near as can be."""
        rows = [self._dot(r.value) / 4 for r in self.chart.references]
        order = sorted(range(len(rows)), key=lambda i: -self.chart.references[i].value)
        places = apart(rows, 0.0, self.height - 1.0, 1.0)
        out: dict[int, tuple[str, str]] = {}
        last = -1
        for i in order:
            sign, style = LINES[i % len(LINES)]
            reference = self.chart.references[i]
            last = max(int(places[i] + 1e-6), last + 1)
            out[last] = (f"{sign} {reference.value:.4f} {reference.name}", style)
        return out


def _below(chart: StepChart, columns: int) -> list[tuple[str, str]]:
    """The axis of x with its ticks, the ranges, and what the ends mean."""
    left, right = chart.domain

    def at(x: float) -> int:
        return min(max(round((x - left) / (right - left) * (columns - 1)), 0), columns - 1)

    axis, numbers = ["─"] * columns, [" "] * (columns + 6)
    for x in np.linspace(left, right, 5 if columns >= 40 else 3).tolist():
        axis[at(x)] = "┬"
        text = f"{x:.4g}"
        start = min(max(at(x) - len(text) // 2, 0), columns - len(text))
        numbers[start : start + len(text)] = text
    lines = [("└" + "".join(axis), FAINT), (" " + "".join(numbers).rstrip() + f"  {chart.x}", FAINT)]
    if chart.likely is not None:
        marks = [" "] * columns
        a, b = at(chart.likely.lo), at(chart.likely.hi)
        marks[a : b + 1] = ["─"] * (b + 1 - a)
        marks[a], marks[b] = "├", "┤"
        marks[at(chart.best[0])] = "●"
        lines.append((" " + "".join(marks).rstrip(), BEST))
        lines.append((f" ● {chart.x} = {chart.best[0]:.4g}, the best; ├─┤ {_said(chart.likely)}", FAINT))
    if chart.ends is not None:
        room = max(columns - len(chart.ends[0]) - len(chart.ends[1]) - 8, 1)
        lines.insert(2, (f" ← {chart.ends[0]}{' ' * room}{chart.ends[1]} →", FAINT))
    return lines


def _said(span: tuple[str, float, float]) -> str:
    return f"{span[0]}: {span[1]:.3g} to {span[2]:.3g}"


def value_ticks(low: float, high: float, height: int) -> list[tuple[float, str]]:
    """Round numbers for the axis of values, at most one for three rows."""
    least = (high - low) / max(height // 3, 1)
    unit = 10.0 ** math.floor(math.log10(least))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= least)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    first = math.ceil(low / step)
    return [(k * step, f"{k * step:.{digits}f}") for k in range(first, math.floor(high / step) + 1)]
