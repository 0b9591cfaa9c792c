"""Values of many measures at once: each query is ranked once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data.checked import are_labels
from rankwright.errors import InputError
from rankwright.measures import ties as tied
from rankwright.measures.base import EMPTY_VALUE, Floats, Labels, Measure, Offsets


def measure_all(
    measures: Sequence[Measure],
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    qptr: npt.ArrayLike | None = None,
    *,
    doc_ids: npt.ArrayLike | None = None,
    n_threads: int | None = None,
) -> Floats:
    """Values of several measures, measures × queries; NaN where a query is skipped.

    Parameters
    ----------
    measures : the measures, as :func:`rankwright.measure` makes them.
    labels, scores : one per document, documents of a query together.
    qptr : offsets, queries + 1; query q is rows ``qptr[q]:qptr[q + 1]``. None: all rows are one query.
    doc_ids : one id per document; needed by ``ties=docid`` only.
    n_threads : threads to use; None for all. The values do not depend on it.
    """
    return Judge(measures, labels, qptr, doc_ids=doc_ids, n_threads=n_threads).values(scores)


class Judge:
    """Measures of one list of scores after another, of the same documents: the labels are checked once.

    Parameters
    ----------
    measures, labels, qptr, doc_ids, n_threads : as `measure_all` takes them.
    """

    def __init__(
        self,
        measures: Sequence[Measure],
        labels: npt.ArrayLike,
        qptr: npt.ArrayLike | None = None,
        *,
        doc_ids: npt.ArrayLike | None = None,
        n_threads: int | None = None,
    ) -> None:
        self.y, self.qptr = _checked(labels, qptr)
        largest = float(self.y.max(initial=0.0))
        for m in measures:
            m.check_labels(self.y, largest)
        self.tiebreak = tied.descending_ids(doc_ids, len(self.y)) if any(m.ties == "docid" for m in measures) else None
        self.bound = [m.bind(self.y) for m in measures]
        self.specs = [m.kernel_spec() for m in self.bound]
        self.n_threads = kernels.default_threads() if n_threads is None else n_threads

    def values(self, scores: npt.ArrayLike) -> Floats:
        """Values of the measures, measures × queries; NaN where a query is skipped."""
        s = _scores(scores, len(self.y))
        single = [m.scores == "single" for m in self.bound]
        if not any(single):
            out = self._values(range(len(single)), s)
        else:
            out = np.empty((len(single), len(self.qptr) - 1))
            for rounded, how in ((False, s), (True, _in_single_precision(s))):
                rows = [row for row, is_single in enumerate(single) if is_single == rounded]
                out[rows] = self._values(rows, how)
        _refuse_empty(self.bound, out)
        return out

    def _values(self, rows: Sequence[int], s: Floats) -> Floats:
        """Values of some of the measures."""
        specs = {at: spec for at, row in enumerate(rows) if (spec := self.specs[row]) is not None}
        known: Floats = kernels.measure_queries(
            list(specs.values()), s, self.y, self.qptr, self.tiebreak, self.n_threads
        )
        if len(specs) == len(rows):
            return known
        out = np.empty((len(rows), len(self.qptr) - 1))
        out[list(specs)] = known
        for at, row in enumerate(rows):
            if at not in specs:
                out[at] = _by_definition(self.bound[row], self.y, s, self.qptr, self.tiebreak)
        return out


def measure_columns(
    measure: Measure,
    labels: Labels,
    X: npt.NDArray[np.float32],
    qptr: Offsets,
    *,
    both: bool = False,
    doc_ids: npt.ArrayLike | None = None,
    n_threads: int | None = None,
) -> Floats:
    """What every feature is worth as a score: values, features × queries; NaN where a query is skipped.

    Parameters
    ----------
    measure : the measure.
    labels, X, qptr, doc_ids : as a Dataset holds them; a missing feature counts as 0.
    both : also what every feature with its sign turned is worth: features first, then those.
    n_threads : threads to use; None for all. The values do not depend on it.
    """
    spec = measure.bind(labels).kernel_spec()
    if spec is None:
        columns = np.nan_to_num(X.T.astype(np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf)
        scores = [*columns, *(-columns if both else ())]
        of_scores = [measure.per_query(labels, s, qptr, doc_ids=doc_ids, n_threads=n_threads) for s in scores]
        return np.array(of_scores).reshape(len(scores), len(qptr) - 1)
    measure.check_labels(labels, float(labels.max(initial=0.0)))
    tiebreak = tied.descending_ids(doc_ids, len(labels)) if measure.ties == "docid" else None
    threads = kernels.default_threads() if n_threads is None else n_threads
    values: Floats = kernels.measure_columns(spec, X, labels, qptr, both, tiebreak, threads)
    _refuse_empty([measure] * len(values), values)
    return values


def _in_single_precision(scores: Floats) -> Floats:
    with np.errstate(over="ignore"):  # beyond its range a score becomes infinite, and still ranks first or last
        return scores.astype(np.float32).astype(np.float64)


def _checked(labels: npt.ArrayLike, qptr: npt.ArrayLike | None) -> tuple[npt.NDArray[np.float32], Offsets]:
    y = _numbers(labels, "labels", np.float32)
    if y.ndim != 1:
        raise InputError(f"labels must be one per document. Got an array of shape {y.shape}. Pass a list of them.")
    if not are_labels(y):
        wrong = int((~(np.isfinite(y) & (y >= 0))).argmax())
        raise InputError(f"labels must be finite and at least 0. Got {y[wrong]} at row {wrong}. Fill or drop it.")
    ends = np.array([0, len(y)], np.int64) if qptr is None else np.ascontiguousarray(qptr, dtype=np.int64)
    if ends.ndim != 1 or len(ends) < 1 or ends[0] != 0 or ends[-1] != len(y) or (np.diff(ends) < 0).any():
        raise InputError(f"qptr must rise from 0 to the number of rows, {len(y)}. Got {ends}.")
    return y, ends


def _scores(scores: npt.ArrayLike, n_docs: int) -> Floats:
    s: Floats = _numbers(scores, "scores", np.float64)
    if s.shape != (n_docs,):
        raise InputError(f"there must be one score per label. Got {s.shape} scores for {(n_docs,)} labels.")
    if np.isnan(s.min(initial=0.0)):
        raise InputError(f"scores must be numbers. Got NaN at row {int(np.isnan(s).argmax())}. Fill or drop it.")
    return s


def _numbers(values: npt.ArrayLike, what: str, dtype: type[np.floating[Any]]) -> npt.NDArray[Any]:
    try:
        return np.ascontiguousarray(values, dtype=dtype)
    except (TypeError, ValueError) as reason:
        raise InputError(f"{what} must be numbers, one per document. Got {reason}. Convert them first.") from reason


def _by_definition(m: Measure, y: Labels, s: Floats, qptr: Offsets, tiebreak: Offsets | None) -> Floats:
    """The path of a measure known only by `of_ranking`: each query's tie groups averaged as the policy says."""
    rows = kernels.order_queries(s, qptr, tiebreak if m.ties == "docid" else None)
    out = np.empty(len(qptr) - 1)
    for q in range(len(out)):
        ranked = rows[qptr[q] : qptr[q + 1]]
        labels = y[ranked]
        out[q] = EMPTY_VALUE[m.empty] if m.is_empty(labels) else tied.value(m.of_ranking, labels, s[ranked], m.ties)
    return out


def _refuse_empty(measures: Sequence[Measure], values: Floats) -> None:
    for m, row in zip(measures, values, strict=True):
        if m.empty == "error" and np.isnan(row).any():
            raise InputError(
                f"every query must have something to find for {m}. Query number {int(np.isnan(row).argmax())} has "
                "nothing. Drop such queries, or use empty='skip', 'zero' or 'one'."
            )
