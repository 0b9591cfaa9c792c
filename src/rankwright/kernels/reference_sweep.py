"""The NumPy twins of `line_search` and `step_functions`: every plateau between crossings, valued afresh.

A document is a line in α, a + αb or (1 − α)a + αb, and a ranking changes only where two lines of one query cross.
The twins rank every query between each two neighbouring crossings; the native kernels only follow what changes.

What a ranking is worth comes as a tuple: `kind`, per document `value`, per query `scale` and `offset`, per rank
`discount` (one list for all, or one per query laid out as the documents are when `by_row`), `depth` ranks that count,
and `unit`: values are whole multiples of 1/unit, so that sums are exact.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Plateaus = tuple[Floats, Floats, Floats]

TOLERANCE = 2.0**-48  # breakpoints closer than this, relatively, are one point


class Worth(NamedTuple):
    """The fields of the kernels' `worth`, in order."""

    kind: str
    value: Floats
    scale: Floats
    offset: Floats
    discount: Floats
    by_row: bool
    depth: int
    unit: float


def crossings(a: Floats, b: Floats, span: tuple[float, float, bool]) -> Floats:
    """The different α inside the range at which two lines cross, ascending."""
    lo, hi, convex = span
    da, db = a[:, None] - a[None, :], b[None, :] - b[:, None]
    with np.errstate(all="ignore"):
        alpha = (da / (da + db) if convex else da / db)[db > 0]
    return np.unique(alpha[(alpha > lo) & (alpha < hi)])


def wide(lo: Any, hi: Any) -> Any:
    """Whether there is room between two breakpoints."""
    widest = np.maximum(np.abs(lo), np.abs(hi))
    return (hi - lo > TOLERANCE * np.where(np.isinf(widest), 0.0, widest)) & (lo != hi)


def within(lo: float, hi: float, part: float = 0.5) -> float:
    """A point inside an open range: at `part` of its width; with an infinite end, near the other one."""
    if np.isinf(lo) and np.isinf(hi):
        return part - 0.5
    if np.isinf(lo):
        return hi - 2.0 * part * max(1.0, abs(hi))
    if np.isinf(hi):
        return lo + 2.0 * part * max(1.0, abs(lo))
    return lo + (hi - lo) * part


def ranked_lines(a: Floats, b: Floats, alpha: float, convex: bool, tiebreak: Rows | None) -> list[Rows]:
    """Documents in order at α, equal lines together unless a tie rule orders them."""
    score = (1.0 - alpha) * a + alpha * b if convex else a + alpha * b
    inside = np.zeros(len(a), np.int64) if tiebreak is None else tiebreak
    order = np.lexsort((np.arange(len(a)), inside, -a, -b, -score))
    same = (a[order][1:] == a[order][:-1]) & (b[order][1:] == b[order][:-1]) & (tiebreak is None)
    return np.split(order, np.flatnonzero(~same) + 1) if len(order) else []


def worth_of_line(w: Worth, values: Floats, discount: Floats, docs: int, found: int, reading: float) -> float:
    """What tied documents are worth under `docs` others, `found` of them relevant, read past with chance `reading`."""
    g, r = len(values), round(float(values.sum()))
    places = np.arange(docs, min(docs + g, w.depth))
    i = places - docs
    if w.kind == "gain":
        return float(values.mean() * discount[places].sum())
    if w.kind == "ap":
        step = (r - 1) / (g - 1) if g > 1 else 0.0
        return float((r / g * (found + 1 + i * step) / (places + 1)).sum())
    if w.kind == "rr":
        if found or not r:
            return 0.0
        return float(sum(comb(g - j - 1, r - 1) / comb(g, r) / (docs + j + 1) for j in i.tolist()))
    past = np.array([1.0])  # elementary symmetric polynomials of 1 − R, over C(g, ·)
    for value in values:
        past = np.append(past, 0.0) + np.append(0.0, past) * (1.0 - value)
    past /= [comb(g, j) for j in range(g + 1)]
    return reading * float(((past[i] - past[i + 1]) / (places + 1)).sum())


def worth_of_ranking(w: Worth, q: int, values: Floats, discount: Floats, lines: list[Rows]) -> int:
    """The value of one ranked query, in units."""
    total = round(w.offset[q] * w.unit)
    if w.kind == "pairs":
        place = np.empty(len(values), np.int64)
        for at, line in enumerate(lines):
            place[line] = at
        signs = np.sign(values[:, None] - values[None, :]) * (place[:, None] < place[None, :])
        return int(total + round(0.5 * w.scale[q] * float(signs.sum()) * w.unit))
    docs, found, reading = 0, 0, 1.0
    for line in lines:
        own = values[line]
        worth = worth_of_line(w, own, discount, docs, found, reading)
        total += round(w.scale[q] * worth * w.unit)
        docs += len(line)
        if w.kind in ("ap", "rr"):
            found += round(float(own.sum()))
        elif w.kind == "err":
            reading *= float(np.prod(1.0 - own))
    return int(total)


def _steps_of_query(
    a: Floats, b: Floats, q: int, rows: slice, w: Worth, span: tuple[float, float, bool], tiebreak: Rows | None
) -> tuple[int, Floats, list[int]]:
    """The value just after `lo`, the breakpoints, and the changes there, in units."""
    lo, hi, convex = span
    discount = w.discount[rows] if w.by_row else w.discount
    broken = None if tiebreak is None else tiebreak[rows]
    ends = np.concatenate([[lo], crossings(a[rows], b[rows], span) if w.scale[q] else np.empty(0), [hi]])
    values: list[int | None] = []
    for left, right in pairwise(ends):
        if wide(left, right):
            lines = ranked_lines(a[rows], b[rows], within(left, right), convex, broken)
            values.append(worth_of_ranking(w, q, w.value[rows], discount, lines))
        else:
            values.append(values[-1] if values else None)
    known = next(v for v in values if v is not None)
    filled = [known if v is None else v for v in values]
    return filled[0], ends[1:-1], [after - before for before, after in pairwise(filled)]


def _all_steps(
    a: Floats, b: Floats, qptr: Rows, worth: Any, span: tuple[float, float, bool], tiebreak: Rows | None
) -> list[tuple[int, Floats, list[int]]]:
    w = Worth(*worth)
    rows = [slice(int(start), int(end)) for start, end in pairwise(qptr)]
    return [_steps_of_query(a, b, q, r, w, span, tiebreak) for q, r in enumerate(rows)]


def step_functions(
    a: Floats, b: Floats, qptr: Rows, worth: Any, span: Any, tiebreak: Rows | None = None, n_threads: int = 1
) -> tuple[Floats, Rows, Floats, Floats]:
    """Per query: the value just after `lo`, and offsets into the breakpoints and the changes there."""
    unit = Worth(*worth).unit
    start, alphas, changes = [], [np.empty(0)], [np.empty(0)]
    sizes = [0]
    for first, alpha, change in _all_steps(a, b, qptr, worth, span, tiebreak):
        moved = np.array(change) != 0
        start.append(first / unit)
        alphas.append(alpha[moved])
        changes.append(np.array(change)[moved] / unit)
        sizes.append(int(moved.sum()))
    return np.array(start), np.cumsum(sizes), np.concatenate(alphas), np.concatenate(changes)


def line_search(
    a: Floats,
    b: Floats,
    qptr: Rows,
    worth: Any,
    span: tuple[float, float, bool],
    tiebreak: Rows | None = None,
    n_best: int = 16,
    curve: bool = False,
    n_threads: int = 1,
    held: int = 1 << 22,
) -> tuple[Plateaus, Plateaus, int]:
    """The best plateaus of Σ over queries of a measure under two combined scores, the whole curve, and the step count.

    A plateau is an open range of α without a breakpoint inside. Best is the largest value, then the widest. Without
    the curve, the native kernel holds at most `held` steps at a time, and goes over the range in windows.
    """
    steps = _all_steps(a, b, qptr, worth, span, tiebreak)
    return merged(steps, span, Worth(*worth).unit, n_best, curve)


def merged(
    steps: list[tuple[int, Floats, list[int]]], span: tuple[float, float, bool], unit: float, n_best: int, curve: bool
) -> tuple[Plateaus, Plateaus, int]:
    """The sum of step functions, and its best plateaus."""
    alpha = np.concatenate([s[1] for s in steps] or [np.empty(0)])
    change = [c for s in steps for c in s[2]]
    value = sum(s[0] for s in steps)
    since = span[0]
    found: list[tuple[float, float, int]] = []
    n_steps = 0
    for at in np.argsort(alpha, kind="stable"):
        if change[at]:
            found.append((since, float(alpha[at]), value))
            since, value = float(alpha[at]), value + change[at]
            n_steps += 1
    found.append((since, span[1], value))
    found = [p for p in found if wide(p[0], p[1])]
    best = sorted(found, key=lambda p: (-p[2], p[0] - p[1]))[:n_best]
    return _columns(best, unit), _columns(found if curve else [], unit), n_steps


def _columns(plateaus: list[tuple[float, float, int]], unit: float) -> Plateaus:
    lo, hi, value = zip(*plateaus, strict=True) if plateaus else ((), (), ())
    return np.array(lo), np.array(hi), np.array([float(v) for v in value]) / unit
