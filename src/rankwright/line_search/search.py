"""The exact line search: the α at which a measure of the combined scores is best.

    additive   s = a + αb             −∞ ≤ lo ≤ α ≤ hi ≤ ∞
    convex     s = (1 − α)a + αb      0 ≤ lo ≤ α ≤ hi ≤ 1

The mean of a measure over queries is constant between crossings of documents, so its maximum over all real α is found
by visiting them (Wu, Burges, Svore & Gao 2009, section 4). This is the one implementation: combining two rankers,
the steps of boosting and coordinate ascent all call it.

Departs from the paper: it compares all n² pairs of documents; here only crossings inside the range that can move the
measure are visited (documents that never enter the first k are dropped, documents without gain cross unseen).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Self

import numpy as np

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.kernels.reference_sweep import within
from rankwright.line_search.defined import by_definition
from rankwright.line_search.worths import Worth, worth_of
from rankwright.measures import Measure, ties
from rankwright.measures.base import Floats, Labels, Offsets
from rankwright.measures.values import Judge

Form = Literal["convex", "additive"]

CANDIDATES = 16  # plateaus tried when floats cannot resolve the best one
FEWEST_HELD = 1 << 22  # steps of all queries held at a time, however few documents there are
_AGREES = 1e-12
_PARTS = (0.5, 0.382, 0.618)  # where in a plateau: its middle, unless documents meet exactly there


class Interval(NamedTuple):
    """An open range of α."""

    lo: float
    hi: float


class Curve(NamedTuple):
    """The mean of a measure as a step function: `value[i]` on the open interval ``lo[i] < α < hi[i]``."""

    lo: Floats
    hi: Floats
    value: Floats


@dataclass(frozen=True)
class Found:
    """The result of a line search.

    Parameters
    ----------
    alpha : the midpoint of the best interval; a little beside it if documents meet exactly there.
    interval : the widest of the best plateaus. The value is the same everywhere inside, but for single points where
        documents meet and change nothing by it.
    value : the measure of the combined scores at `alpha`, evaluated afresh.
    curve : the whole step function, if asked for.
    n_steps : how many steps of single queries were visited.
    """

    alpha: float
    interval: Interval
    value: float
    curve: Curve | None
    n_steps: int


@dataclass(frozen=True)
class Objective:
    """What is to be best: the mean of a measure on judged queries. Made once, searched along many lines.

    Parameters
    ----------
    y, qptr : labels and query offsets.
    measure : the measure.
    query_weight : one weight per query; None for equal ones.
    doc_ids : for ties="docid".
    n_threads : the result does not depend on it.
    """

    y: Labels
    qptr: Offsets
    measure: Measure
    query_weight: Floats | None = None
    doc_ids: Labels | None = None
    n_threads: int = 1

    def per_query(self, scores: Floats) -> Floats:
        values: Floats = self.judge.values(scores)[0]
        return values

    def value(self, scores: Floats) -> float:
        """The weighted mean over queries that are not skipped."""
        return weighted_mean(self.per_query(scores), self.query_weight)

    def prepared(self) -> Self:
        """The same, with all that searches need made: before threads search side by side."""
        _ = self.worth, self.tiebreak, self.judge
        return self

    @cached_property
    def judge(self) -> Judge:
        """What the measure says of scores."""
        return Judge([self.measure], self.y, self.qptr, doc_ids=self.doc_ids, n_threads=self.n_threads)

    @property
    def sign(self) -> float:
        return -1.0 if self.measure.lower_is_better else 1.0

    @cached_property
    def weight(self) -> Floats:
        """The weight of every query, 1 for the heaviest, 0 where it is left out of the mean."""
        empty = np.isnan(self.per_query(np.zeros(len(self.y))))
        weight = np.ones(len(self.qptr) - 1) if self.query_weight is None else self.query_weight
        weight = np.where(empty, 0.0, weight)
        if not weight.any():
            raise InputError(
                f"there must be a query that counts for {self.measure}. Got none of {len(weight)}. "
                "Check that labels and query ids belong together."
            )
        return np.asarray(weight / weight.max())

    @cached_property
    def worth(self) -> Worth | None:
        """The measure as the kernel follows it; None when it is known by definition only."""
        return worth_of(self.measure.bind(self.y), self.y, self.qptr, self.weight)

    @cached_property
    def tiebreak(self) -> Offsets | None:
        """A number per document that orders equal lines; None when ties are averaged."""
        if self.measure.ties == "expected":
            return None
        if self.measure.ties == "docid":
            return ties.descending_ids(self.doc_ids, len(self.y))
        if self.measure.ties == "worst":
            return np.unique(self.y, return_inverse=True)[1].astype(np.int64)
        return np.zeros(len(self.y), np.int64)


def combined(a: Floats, b: Floats, alpha: float, form: Form) -> Floats:
    """The scores at α."""
    return (1.0 - alpha) * a + alpha * b if form == "convex" else a + alpha * b


def weighted_mean(per_query: Floats, weight: Floats | None) -> float:
    """The mean of what is not NaN."""
    kept = ~np.isnan(per_query)
    if not kept.any() or (weight is not None and not weight[kept].any()):
        return float("nan")
    if weight is None:
        return float(per_query[kept].mean())
    return float((per_query[kept] * weight[kept]).sum() / weight[kept].sum())


def line_search(
    objective: Objective,
    a: Floats,
    b: Floats,
    *,
    form: Form = "additive",
    lo: float = 0.0,
    hi: float = 1.0,
    curve: bool = False,
) -> Found:
    """The best interval of α, its midpoint and the value there.

    Among plateaus of equal value the widest is taken, then the leftmost. Only open intervals count: at a single point
    where documents meet their ties are averaged, and that may be better still, but no one can stand there.
    An interval narrower than 2⁻⁴⁸ of its ends, or one that the floats inside it do not resolve, gives
    way to the next best; the value returned is always that of the scores at `alpha`.

    Parameters
    ----------
    objective : the judged queries and the measure.
    a, b : float64 scores of all documents, or scores and direction.
    form, lo, hi : what α does and its range, see the module. Where the best interval has no end, `alpha` is beyond its
        other end e by max(1, |e|).
    curve : whether the whole step function is wanted.
    """
    span = (lo, hi, form == "convex")
    total = objective.sign * float(objective.weight.sum())
    if objective.worth is None:
        best, steps, n_steps = by_definition(objective, a, b, span, CANDIDATES, curve)
    else:
        sides = without_overflow(a, b)
        best, steps, n_steps = kernels.line_search(
            *sides,
            objective.qptr,
            objective.worth,
            span,
            objective.tiebreak,
            CANDIDATES,
            curve,
            objective.n_threads,
            max(FEWEST_HELD, 2 * len(a)),
        )
    plateaus = [(Interval(float(lo), float(hi)), float(v / total)) for lo, hi, v in zip(*best, strict=True)]
    alpha, interval, value = _resolved(objective, lambda alpha: combined(a, b, alpha, form), plateaus)
    whole = Curve(steps[0], steps[1], steps[2] / total) if curve else None
    return Found(alpha, interval, value, whole, n_steps)


def best_step(objective: Objective, scores: Floats, direction: Floats, least: float = -np.inf) -> tuple[float, float]:
    """The best δ of all real numbers above `least` for scores + δ · direction, and the value the search finds there.

    For loops that take many steps: the value is exact for real numbers, and is not evaluated again in floats.
    """
    if objective.worth is None:
        found = line_search(objective, scores, direction, lo=least, hi=np.inf)
        return found.alpha, found.value
    best, _, _ = kernels.line_search(
        scores,
        direction,
        objective.qptr,
        objective.worth,
        (least, np.inf, False),
        objective.tiebreak,
        1,
        False,
        objective.n_threads,
    )
    total = objective.sign * float(objective.weight.sum())
    return within(float(best[0][0]), float(best[1][0])), float(best[2][0] / total)


def without_overflow(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The same lines, scaled by a power of two if a difference or a product might overflow."""
    largest = max(abs(float(edge)) for s in (a, b) for edge in (s.max(initial=0.0), s.min(initial=0.0)))
    return (a * 2.0**-520, b * 2.0**-520) if largest > 1e150 else (a, b)


def _resolved(
    objective: Objective, scores: Callable[[float], Floats], plateaus: list[tuple[Interval, float]]
) -> tuple[float, Interval, float]:
    """The first plateau whose value the scores inside it really have; else the best value met on the way."""
    tried: list[tuple[float, Interval, float]] = []
    for interval, claimed in plateaus:
        for part in _PARTS:
            alpha = within(*interval, part)
            value = objective.value(scores(alpha))
            tried.append((alpha, interval, value))
            if abs(value - claimed) <= _AGREES * max(1.0, abs(claimed)):
                return tried[-1]
    best = tried[0]
    for other in tried[1:]:
        if objective.measure.better(other[2], best[2]):
            best = other
    return best
