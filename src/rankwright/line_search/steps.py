"""The step function of every query, kept apart: for resampling queries and for holding some out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.kernels.reference_sweep import wide, within
from rankwright.line_search.defined import steps_by_definition
from rankwright.line_search.search import Form, Interval, Objective, without_overflow
from rankwright.line_search.worths import worth_of
from rankwright.measures.base import Floats, Offsets

_EQUAL = 1e-12  # sums over queries that differ by less are the same plateau height


class StepTable:
    """V_q(α) of every query q along one line, larger being better.

    Parameters
    ----------
    objective, a, b, form, lo, hi : as for `line_search`. Query weights are left to the methods.

    Attributes
    ----------
    start : V_q just after `lo`.
    lo, hi : the plateaus of the mean, wherever there is room between breakpoints.
    """

    def __init__(self, objective: Objective, a: Floats, b: Floats, form: Form, lo: float, hi: float) -> None:
        self.counted: npt.NDArray[np.bool_] = objective.weight > 0
        self.start, ends, alpha, change = _functions(objective, self.counted, a, b, (lo, hi, form == "convex"))
        query = np.repeat(np.arange(len(self.start)), np.diff(ends))
        self._ends, self._alpha_by_query = ends, alpha
        inside = np.cumsum(change) if len(change) else change
        before = np.concatenate([[0.0], inside])[ends[:-1]]
        self._after_by_query = inside - (before - self.start)[query]
        order = np.argsort(alpha, kind="stable")
        self._alpha, self._query, self._change = alpha[order], query[order], change[order]
        self._after = self._after_by_query[order]
        left = np.concatenate([[lo], self._alpha])
        right = np.concatenate([self._alpha, [hi]])
        self._room = np.flatnonzero(wide(left, right))
        self.lo, self.hi = left[self._room], right[self._room]

    def sums(self, weight: Floats) -> Floats:
        """Σ_q w_q V_q on every plateau."""
        steps = np.cumsum(weight[self._query] * self._change)
        return np.asarray(weight @ self.start + np.concatenate([[0.0], steps])[self._room])

    def best(self, weight: Floats) -> tuple[float, Interval]:
        """The midpoint of the widest of the best plateaus for these weights, and the plateau."""
        return self._best(self.sums(weight), weight)

    def best_and_curve(self, weight: Floats) -> tuple[float, Floats]:
        """The best α, and the weighted mean on every plateau."""
        sums = self.sums(weight)
        return self._best(sums, weight)[0], sums / weight.sum()

    def _best(self, sums: Floats, weight: Floats) -> tuple[float, Interval]:
        top = np.flatnonzero(sums >= sums.max() - _EQUAL * max(1.0, float(weight.sum())))
        lo, hi = self._joined(top)
        widest = int(np.argmax(hi - lo))
        best = Interval(float(lo[widest]), float(hi[widest]))
        return within(*best), best

    def _joined(self, which: Offsets) -> tuple[Floats, Floats]:
        """Plateaus, those that touch joined: a breakpoint of a query with weight 0 is none."""
        first = np.concatenate([[True], np.diff(which) > 1])
        starts = np.flatnonzero(first)
        last = np.append(starts[1:], len(which)) - 1
        return self.lo[which[starts]], self.hi[which[last]]

    def values(self, alpha: float) -> Floats:
        """V_q(α) of every query, α inside a plateau."""
        out = self.start.copy()
        for q, (first, end) in enumerate(pairwise(self._ends.tolist())):
            passed = first + int(np.searchsorted(self._alpha_by_query[first:end], alpha, side="right"))
            if passed > first:
                out[q] = self._after_by_query[passed - 1]
        return out

    def within_one_standard_error(self, alpha: float, weight: Floats) -> Interval:
        """From the first to the last α whose mean loss against `alpha`, query by query, is at most its standard error.

        With d_q = V_q(alpha) − V_q(α) and mean d̄ under the weights: d̄ ≤ √(Σ w_q²(d_q − d̄)²)/Σ w_q · √(m/(m − 1)).
        """
        share = weight / weight.sum()
        m = int((weight > 0).sum())
        best = self.values(alpha)
        lost = best - self.start
        lost_after = best[self._query] - self._after
        lost_before = lost_after + self._change
        w = share[self._query]

        def along(first: float, change: Floats) -> Floats:
            return np.concatenate([[first], first + np.cumsum(change)])[self._room]

        mean = along(float(share @ lost), -w * self._change)
        squares = along(float(share**2 @ lost**2), w**2 * (lost_after**2 - lost_before**2))
        cross = along(float(share**2 @ lost), -(w**2) * self._change)
        variance = squares - 2 * mean * cross + mean**2 * float((share**2).sum())
        error = np.sqrt(np.maximum(variance, 0.0) * (m / max(m - 1, 1)))
        inside = np.flatnonzero(mean <= error + 1e-9)
        return Interval(float(self.lo[inside[0]]), float(self.hi[inside[-1]]))


def _functions(
    objective: Objective, counted: npt.NDArray[np.bool_], a: Floats, b: Floats, span: tuple[float, float, bool]
) -> tuple[Floats, Offsets, Floats, Floats]:
    ones = counted.astype(np.float64)
    worth = worth_of(objective.measure.bind(objective.y), objective.y, objective.qptr, ones)
    if worth is None:
        return steps_by_definition(objective, a, b, span)
    sides = without_overflow(a, b)
    made: tuple[Floats, Offsets, Floats, Floats] = kernels.step_functions(
        *sides, objective.qptr, worth, span, objective.tiebreak, objective.n_threads
    )
    return made
