"""What a chart shows, apart from how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError

Floats = npt.NDArray[np.float64]


class Reference(NamedTuple):
    """A value to compare with, the same everywhere."""

    name: str
    value: float


class Steps(NamedTuple):
    """`value[i]` on lo[i] < x < hi[i]."""

    lo: Floats
    hi: Floats
    value: Floats


class Band(NamedTuple):
    """Between `low[i]` and `high[i]` on lo[i] < x < hi[i]."""

    name: str
    lo: Floats
    hi: Floats
    low: Floats
    high: Floats

    @property
    def edges(self) -> tuple[Steps, Steps]:
        """The lower and the upper edge."""
        return Steps(self.lo, self.hi, self.low), Steps(self.lo, self.hi, self.high)


class Span(NamedTuple):
    """A range of x worth showing."""

    name: str
    lo: float
    hi: float


@dataclass(frozen=True)
class StepChart:
    """A step function with its best place.

    Parameters
    ----------
    title, subtitle : above it.
    x, y : names of the axes.
    steps : the function.
    best : the x recommended, and the value there.
    plateau : the range around `best` with that value.
    likely : a wider range that cannot be told from it.
    bands : how far it may be off; the first is what to look at, the others for those who ask.
    references : values to compare with.
    ends : what the left and the right end of x mean.
    """

    title: str
    subtitle: str
    x: str
    y: str
    steps: Steps
    best: tuple[float, float]
    plateau: Span
    likely: Span | None = None
    bands: tuple[Band, ...] = field(default=())
    references: tuple[Reference, ...] = field(default=())
    ends: tuple[str, str] | None = None

    @property
    def domain(self) -> tuple[float, float]:
        return float(self.steps.lo[0]), float(self.steps.hi[-1])

    def value_range(self, margin: float = 0.06) -> tuple[float, float]:
        """What must fit on the axis of values: the function and what it is compared with; bands may reach beyond."""
        values = [self.steps.value, np.array([r.value for r in self.references])]
        seen = np.concatenate(values)
        low, high = float(seen.min()), float(seen.max())
        room = (high - low) * margin or 0.01
        return low - room, high + 2 * room


def corners(steps: Steps) -> tuple[Floats, Floats]:
    """The step function as a line to draw: both ends of every plateau."""
    return np.column_stack([steps.lo, steps.hi]).ravel(), np.repeat(steps.value, 2)


class Cells(NamedTuple):
    """The lowest and the highest value in each of some equal parts of x."""

    edges: Floats
    low: Floats
    high: Floats


def in_cells(steps: Steps, n: int, domain: tuple[float, float] | None = None) -> Cells:
    """The step function as `n` columns of pixels would show it: nothing between is lost from the range of a cell."""
    left, right = domain or (float(steps.lo[0]), float(steps.hi[-1]))
    edges = np.linspace(left, right, n + 1)
    first = np.clip(np.searchsorted(steps.hi, edges[:-1], side="right"), 0, len(steps.lo) - 1)
    last = np.clip(np.searchsorted(steps.lo, edges[1:], side="left") - 1, first, len(steps.lo) - 1)
    low, high = np.empty(n), np.empty(n)
    for i, (a, b) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        part = steps.value[a : b + 1]
        low[i], high[i] = part.min(), part.max()
    return Cells(edges, low, high)


def thinned(steps: Steps, most: int, around: Span) -> Steps:
    """At most about `most` plateaus: all of those near a range exactly, the others as the extremes of narrow cells."""
    if len(steps.lo) <= most:
        return steps
    middle = np.searchsorted(steps.hi, (around.lo + around.hi) / 2, side="right")
    first = int(np.clip(middle - most // 4, 0, len(steps.lo)))
    end = int(np.clip(middle + most // 4, first, len(steps.lo)))
    left = _extremes(Steps(*(column[:first] for column in steps)), most // 8)
    right = _extremes(Steps(*(column[end:] for column in steps)), most // 8)
    exact = Steps(*(column[first:end] for column in steps))
    return Steps(*(np.concatenate(columns) for columns in zip(left, exact, right, strict=True)))


def _extremes(steps: Steps, n: int) -> Steps:
    if not len(steps.lo):
        return steps
    cells = in_cells(steps, n)
    middle = (cells.edges[:-1] + cells.edges[1:]) / 2
    ends = np.column_stack([cells.edges[:-1], middle, middle, cells.edges[1:]]).reshape(-1, 2)
    return Steps(ends[:, 0], ends[:, 1], np.column_stack([cells.low, cells.high]).ravel())


def apart(values: list[float], low: float, high: float, least: float) -> list[float]:
    """Places for labels: in the order of their values, `least` apart where there is room, as near as can be."""
    order = sorted(range(len(values)), key=values.__getitem__)
    places = [values[i] for i in order]
    for _ in range(200):
        moved = False
        for below, above in zip(range(len(places)), range(1, len(places)), strict=False):
            lack = least - (places[above] - places[below])
            if lack > 1e-12:
                places[below] -= lack / 2
                places[above] += lack / 2
                moved = True
        places = [min(max(place, low), high) for place in places]
        if not moved:
            break
    out = [0.0] * len(values)
    for i, place in zip(order, places, strict=True):
        out[i] = place
    return out


def range_text(lo: float, hi: float) -> str:
    """A range of x with as many digits as tell its ends apart."""
    for digits in range(4, 17):
        ends = f"{lo:.{digits}g}", f"{hi:.{digits}g}"
        if ends[0] != ends[1]:
            break
    return f"{ends[0]} to {ends[1]}"


def needed(module: str, what: str) -> Any:
    """A package that draws, or an error that says how to get it."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise InputError(
            f"{what} is drawn by {package}. It is not installed. Run: pip install 'rankwright[report]'"
        ) from None
