"""Curves drawn with characters, for those who would rather look than read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.evaluation.table import shown

MARKS = "●○▲△■□"
WIDTH, HEIGHT = 64, 12
MARGIN = 10

Floats = npt.NDArray[np.float64]


def chart(x_name: str, x: Any, curves: Mapping[str, Any], width: int = WIDTH, height: int = HEIGHT) -> str:
    """Curves over x on one scale.

    Parameters
    ----------
    x_name, x : what runs along the axis, rising.
    curves : the values of each curve by its name; NaN is left out.
    width, height : characters and lines that the curves may take.

    Examples
    --------
    >>> from rankwright.reproduce.chart import chart
    >>> print(chart("round", [1, 2, 3], {"train": [0.0, 0.5, 1.0]}, width=9, height=3))
        1.0000 │        ●
               │    ●
        0.0000 │●
               └─────────
                1       3  round   ● train
    """
    xs = np.asarray(x, dtype=np.float64)
    values = {name: np.asarray(curve, dtype=np.float64) for name, curve in curves.items()}
    finite = np.concatenate([v[np.isfinite(v)] for v in values.values()])
    if len(xs) == 0 or len(finite) == 0:
        return ""
    low, high = float(finite.min()), float(finite.max())
    cells = np.full((height, width), " ")
    for mark, curve in reversed(list(zip(MARKS * len(values), values.values(), strict=False))):
        there = np.isfinite(curve)
        columns = _cell(xs[there], float(xs[0]), float(xs[-1]), width)
        cells[height - 1 - _cell(curve[there], low, high, height), columns] = mark
    lines = [_margin("") + "│" + "".join(row).rstrip() for row in cells]
    lines[0] = _margin(shown(high)) + lines[0][MARGIN + 1 :]
    lines[-1] = _margin(shown(low)) + lines[-1][MARGIN + 1 :]
    ends = [f"{end:g}" for end in (xs[0], xs[-1])]
    keys = "   ".join(f"{mark} {name}" for mark, name in zip(MARKS * len(values), values, strict=False))
    axis = _margin("") + " " + ends[0] + ends[1].rjust(width - len(ends[0])) + f"  {x_name}   {keys}"
    return "\n".join([*lines, _margin("") + "└" + "─" * width, axis])


def _margin(text: str) -> str:
    return text.rjust(MARGIN) + " "


def _cell(values: Floats, low: float, high: float, n: int) -> npt.NDArray[np.int64]:
    """The cell of n that a value falls into, from low to high."""
    share = (values - low) / (high - low) if high > low else np.full(len(values), 0.5)
    return np.rint(share * (n - 1)).astype(np.int64)
