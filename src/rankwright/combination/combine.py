"""The exact optimum of combining two rankers (Wu, Burges, Svore & Gao 2009, section 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.data.checked import as_labels, as_weights
from rankwright.data.grouping import group_rows
from rankwright.errors import InputError, unknown
from rankwright.line_search import Curve, Form, Interval, Objective, combined, line_search
from rankwright.measures import Measure, MeasureLike, measure
from rankwright.measures.base import Floats

if TYPE_CHECKING:
    from rankwright.combination.certainty import Certainty

DEFAULT_RANGE = {"convex": (0.0, 1.0), "additive": (0.0, 100.0)}


@dataclass(frozen=True)
class Sides:
    """The rankers' scores on judged queries, checked and grouped."""

    objective: Objective
    a: Floats
    b: Floats
    form: Form
    lo: float
    hi: float


@dataclass(frozen=True, eq=False, repr=False)
class Combination:
    """The best combination of two rankers, on the queries it was searched on.

    Parameters
    ----------
    alpha : the weight, the midpoint of `interval`.
    interval : the open range of α with the best value; the widest if there are several.
    value : the measure of the combined scores at `alpha`.
    value_a, value_b : the measure of each ranker alone.
    measure, form, lo, hi : what was asked for.
    curve : the measure as a step function of α, if asked for: arrays `lo`, `hi`, `value`.
    n_queries, n_steps : queries that count, and the steps of single queries that were visited.
    """

    alpha: float
    interval: Interval
    value: float
    value_a: float
    value_b: float
    measure: Measure
    form: Form
    lo: float
    hi: float
    curve: Curve | None
    n_queries: int
    n_steps: int
    sides: Sides = field(repr=False)

    def scores(self, a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
        """The combined scores of other documents."""
        return combined(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64), self.alpha, self.form)

    def value_at(self, alpha: float) -> float:
        """The measure of the combined scores at any α."""
        return self.sides.objective.value(combined(self.sides.a, self.sides.b, alpha, self.form))

    def certainty(self, *, n_resamples: int = 1000, n_folds: int = 5, rng: int = 0) -> Certainty:
        """How sure α is; see :func:`rankwright.combination.certainty.certainty_of`."""
        from rankwright.combination.certainty import certainty_of

        return certainty_of(self.sides, self.alpha, n_resamples=n_resamples, n_folds=n_folds, rng=rng)

    def __repr__(self) -> str:
        formula = "(1 − α)·a + α·b" if self.form == "convex" else "a + α·b"
        queries = "1 query" if self.n_queries == 1 else f"{self.n_queries} queries"
        lines = [
            f"{self.measure} of {formula} over {queries}, {self.lo:g} ≤ α ≤ {self.hi:g}",
            f"  best       {self.value:.6f}   α = {self.alpha:.6g}   anywhere in ({self.interval.lo:.6g}, "
            f"{self.interval.hi:.6g})",
            f"  a alone    {self.value_a:.6f}",
            f"  b alone    {self.value_b:.6f}",
        ]
        if self.n_steps == 0:
            lines.append("  α moves nothing: no documents whose order matters change places inside the range")
        return "\n".join(lines)


def optimal_combination(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    labels: Any,
    *,
    qid: Any = None,
    group: Any = None,
    measure: MeasureLike = "nDCG@10",
    form: Form = "convex",
    lo: float | None = None,
    hi: float | None = None,
    curve: bool = False,
    query_weight: Any = None,
    doc_ids: Any = None,
    n_threads: int | None = None,
) -> Combination:
    """The α that is best for the mean of a measure over queries, exactly.

    The mean is a step function of α; every step is visited, so no value of α in the range is better than the one
    returned, however fine a grid. Equal scores count as the measure says (by default their average over all orders).

    Parameters
    ----------
    a, b : scores of two rankers, one per document, finite.
    labels : one label per document; or a Dataset, whose rows a and b score.
    qid : one query id per document, in any order; all documents are one query when left out.
    group : instead of `qid`, the number of rows of each query.
    measure : what is to be best, any measure. One known only by its definition is evaluated on every plateau of every
        query, which is slow.
    form : ``convex``: (1 − α)a + αb; ``additive``: a + αb.
    lo, hi : the range of α: within 0..1 for convex (the default); any for additive (by default 0..100), infinite ends
        allowed.
    curve : whether the whole step function is wanted.
    query_weight : one weight per query in order of first appearance, or a dict by query id.
    doc_ids : one id per document, for measures with ties="docid".
    n_threads : None for all cores; the result does not depend on it.

    Notes
    -----
    The optimum is taken over open intervals; at the single points where documents meet, and at `lo` and `hi`, ties may
    be worth more or less. Of equal intervals the widest is returned. Identical rankers give the whole range.
    The value is that of the training queries and so optimistic: see :meth:`Combination.certainty`.

    Examples
    --------
    >>> import rankwright as rw
    >>> best = rw.optimal_combination([3, 2, 1], [1, 2, 4], [0, 1, 1], measure="AP")
    >>> print(best.interval.lo, best.interval.hi, best.value)
    0.5 1.0 1.0
    """
    sides = checked_sides(
        a, b, labels, qid, group, measure, form, lo, hi, query_weight=query_weight, doc_ids=doc_ids, n_threads=n_threads
    )
    objective = sides.objective
    found = line_search(objective, sides.a, sides.b, form=form, lo=sides.lo, hi=sides.hi, curve=curve)
    return Combination(
        alpha=found.alpha,
        interval=found.interval,
        value=found.value,
        value_a=objective.value(sides.a),
        value_b=objective.value(sides.b),
        measure=objective.measure,
        form=form,
        lo=sides.lo,
        hi=sides.hi,
        curve=found.curve,
        n_queries=int((objective.weight > 0).sum()),
        n_steps=found.n_steps,
        sides=sides,
    )


def checked_sides(
    a: Any, b: Any, labels: Any, qid: Any, group: Any, m: MeasureLike, form: Any, lo: Any, hi: Any, **rest: Any
) -> Sides:
    """Everything a user passed, checked, and grouped by query."""
    if form not in get_args(Form):
        raise unknown("form", form, get_args(Form))
    first, last = DEFAULT_RANGE[form]
    low, high = _end("lo", lo, first), _end("hi", hi, last)
    if not low < high:
        raise InputError(f"lo must be less than hi. Got lo={low:g}, hi={high:g}. Pass lo < hi.")
    if form == "convex" and not (low >= 0.0 and high <= 1.0):
        raise InputError(
            f"α must be within 0..1 for form='convex'. Got lo={low:g}, hi={high:g}. Use form='additive' for more."
        )
    objective, columns = judged_columns([a, b], labels, qid, group, m, names=("a", "b"), **rest)
    return Sides(objective, columns[0], columns[1], form, low, high)


def _end(name: str, value: Any, default: float) -> float:
    try:
        return default if value is None else float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a number. Got {value!r:.60}. The default is {default:g}.") from None


def judged_columns(
    columns: list[Any],
    labels: Any,
    qid: Any,
    group: Any,
    m: MeasureLike,
    *,
    names: tuple[str, ...],
    query_weight: Any = None,
    doc_ids: Any = None,
    n_threads: int | None = None,
) -> tuple[Objective, list[Floats]]:
    """The objective, and the rankers' scores in the order of its documents."""
    if isinstance(labels, Dataset):
        if not (qid is None and group is None and query_weight is None and doc_ids is None):
            raise InputError(
                "labels is a Dataset and knows its queries. Got qid, group, weights or ids too. Drop them."
            )
        y, qptr, rows = labels.y, labels.qptr, labels.caller_rows
        weight, ids = labels.query_weight, labels.doc_ids
    else:
        n = np.size(labels)
        y = as_labels(labels, n)
        qptr, query_ids, rows = group_rows(n, qid=qid, group=group)
        if isinstance(query_weight, dict):
            query_weight = [query_weight.get(q, 1.0) for q in query_ids.tolist()]
        weight = as_weights(query_weight, len(query_ids), "query_weight")
        ids = None if doc_ids is None else np.asarray(doc_ids)
        if rows is not None:
            y, ids = y[rows], None if ids is None else ids[rows]
    if len(qptr) < 2:
        raise InputError("there must be judged queries to combine on. Got none. Pass labels with their queries.")
    scores = [_as_scores(column, len(y), name) for column, name in zip(columns, names, strict=True)]
    if rows is not None:
        scores = [column[rows] for column in scores]
    threads = kernels.default_threads() if n_threads is None else n_threads
    return Objective(y, qptr, measure(m), weight, ids, threads), scores


def _as_scores(values: Any, n_docs: int, name: str) -> Floats:
    try:
        scores = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must hold numbers. Got {values!r:.60}. Pass one score per document.") from None
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.shape != (n_docs,):
        raise InputError(
            f"{name} must be one score per document. Got shape {scores.shape} for {n_docs} labels. "
            "Documents that one ranker did not return need a score too, such as its lowest."
        )
    if not np.isfinite(scores).all():
        row = int(np.argmin(np.isfinite(scores)))
        raise InputError(
            f"{name} must be finite. Got {scores[row]} at row {row}. "
            "Give documents that the ranker did not return its lowest score, or drop them."
        )
    return scores
