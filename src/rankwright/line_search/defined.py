"""The line search for measures known only by their definition: every plateau of every query is evaluated.

Costs n² crossings a query, and one evaluation of the measure between each two of them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rankwright.kernels.reference_sweep import Plateaus, crossings, merged, wide
from rankwright.measures.base import Floats

if TYPE_CHECKING:
    from rankwright.line_search.search import Problem

_UNIT = 2.0**40  # values of a user's measure are compared to about 1e-12


def by_definition(problem: Problem, weight: Floats, n_best: int, curve: bool) -> tuple[Plateaus, Plateaus, int]:
    """The best plateaus, the whole curve, and the number of steps, as the kernel `line_search` has them."""
    steps = [_steps(problem, q, float(w)) for q, w in enumerate(weight)]
    return merged(steps, problem.span, _UNIT, n_best, curve)


def _steps(problem: Problem, q: int, weight: float) -> tuple[int, Floats, list[int]]:
    rows = slice(int(problem.qptr[q]), int(problem.qptr[q + 1]))
    a, b, y = problem.a[rows], problem.b[rows], problem.y[rows]
    at = crossings(a, b, problem.span) if weight else np.empty(0)
    ends = np.concatenate([[problem.lo], at, [problem.hi]])
    alpha = (ends[:-1] + (ends[1:] - ends[:-1]) / 2)[:, None]
    scores = (1.0 - alpha) * a + alpha * b if problem.form == "convex" else a + alpha * b
    # every plateau is one more query with the same labels
    qptr = np.arange(len(alpha) + 1, dtype=np.int64) * len(y)
    ids = None if problem.doc_ids is None else np.tile(problem.doc_ids[rows], len(alpha))
    values = problem.measure.per_query(np.tile(y, len(alpha)), scores.ravel(), qptr, doc_ids=ids)
    sign = -1.0 if problem.measure.lower_is_better else 1.0
    units = np.rint(np.nan_to_num(values) * (weight * sign * _UNIT)).astype(np.int64)
    room = wide(ends[:-1], ends[1:])
    units = _filled(units, room)
    return int(units[0]), at, [int(after - before) for before, after in pairwise(units.tolist())]


def _filled(units: np.ndarray[tuple[int], np.dtype[np.int64]], room: np.ndarray[tuple[int], np.dtype[np.bool_]]):  # type: ignore[no-untyped-def]
    """Plateaus too narrow to stand on take the value of the last one that is not."""
    last = np.maximum.accumulate(np.where(room, np.arange(len(units)), -1))
    return units[np.where(last < 0, int(np.argmax(room)), last)]
