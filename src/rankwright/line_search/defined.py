"""The line search for measures known only by their definition: every plateau of every query is evaluated.

Costs n² crossings a query, and one evaluation of the measure between each two of them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rankwright.kernels.reference_sweep import Plateaus, crossings, merged, wide, within
from rankwright.measures.base import Floats, Offsets

if TYPE_CHECKING:
    from rankwright.line_search.search import Objective

_UNIT = 2.0**40  # values of a user's measure are compared to about 1e-12


def by_definition(
    objective: Objective, a: Floats, b: Floats, span: tuple[float, float, bool], n_best: int, curve: bool
) -> tuple[Plateaus, Plateaus, int]:
    """The best plateaus, the whole curve, and the number of steps, as the kernel `line_search` has them."""
    steps = [_steps(objective, q, a, b, span, float(w)) for q, w in enumerate(objective.weight)]
    return merged(steps, span, _UNIT, n_best, curve)


def steps_by_definition(
    objective: Objective, a: Floats, b: Floats, span: tuple[float, float, bool]
) -> tuple[Floats, Offsets, Floats, Floats]:
    """Per query, unweighted: start, offsets, breakpoints, changes, as the kernel `step_functions` has them."""
    steps = [_steps(objective, q, a, b, span, float(w > 0)) for q, w in enumerate(objective.weight)]
    changes = np.array([c for s in steps for c in s[2]], dtype=np.float64) / _UNIT
    ends = np.cumsum([0] + [len(s[1]) for s in steps])
    return np.array([s[0] / _UNIT for s in steps]), ends, np.concatenate([s[1] for s in steps]), changes


def _steps(
    objective: Objective, q: int, a: Floats, b: Floats, span: tuple[float, float, bool], weight: float
) -> tuple[int, Floats, list[int]]:
    rows = slice(int(objective.qptr[q]), int(objective.qptr[q + 1]))
    a, b, y = a[rows], b[rows], objective.y[rows]
    at = crossings(a, b, span) if weight else np.empty(0)
    ends = np.concatenate([[span[0]], at, [span[1]]])
    alpha = np.array([within(left, right) for left, right in pairwise(ends.tolist())])[:, None]
    scores = (1.0 - alpha) * a + alpha * b if span[2] else a + alpha * b
    # every plateau is one more query with the same labels
    qptr = np.arange(len(alpha) + 1, dtype=np.int64) * len(y)
    ids = None if objective.doc_ids is None else np.tile(objective.doc_ids[rows], len(alpha))
    values = objective.measure.per_query(np.tile(y, len(alpha)), scores.ravel(), qptr, doc_ids=ids)
    units = np.rint(np.nan_to_num(values) * (weight * objective.sign * _UNIT)).astype(np.int64)
    room = wide(ends[:-1], ends[1:])
    units = _filled(units, room)
    return int(units[0]), at, [int(after - before) for before, after in pairwise(units.tolist())]


def _filled(units: Offsets, room: Offsets) -> Offsets:
    """Plateaus too narrow to stand on take the value of the last one that is not."""
    last = np.maximum.accumulate(np.where(room, np.arange(len(units)), -1))
    filled: Offsets = units[np.where(last < 0, int(np.argmax(room)), last)]
    return filled
