"""How good one ranking is: per-query values first, their means second."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from rankwright.data.checked import Floats
from rankwright.errors import InputError, unknown
from rankwright.evaluation.judged import Judged
from rankwright.evaluation.table import Table, aligned, plain, shown
from rankwright.measures import Measure, MeasureLike, measure, measure_all, preset as measures_preset

Measures = MeasureLike | Iterable[MeasureLike]


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """The values of some measures, query by query.

    Parameters
    ----------
    measures : what was measured.
    values : measures × queries; NaN where a measure skips a query.
    judged : the queries.
    preset : whose conventions the measures were given, or None.
    """

    measures: tuple[Measure, ...]
    values: Floats
    judged: Judged
    preset: str | None = None

    @cached_property
    def means(self) -> dict[str, float]:
        """The mean over queries that are not skipped, weighted by the data's query weights; by printed measure."""
        return {str(m): weighted_mean(row, self.judged.query_weight) for m, row in self._rows()}

    @cached_property
    def per_query(self) -> Table:
        """A column "qid" and one per measure, one row per query."""
        return Table({"qid": self.judged.query_ids, **{str(m): row for m, row in self._rows()}})

    @property
    def n_queries(self) -> int:
        return self.judged.n_queries

    @cached_property
    def n_skipped(self) -> dict[str, int]:
        """How many queries each measure left out of its mean."""
        return {str(m): int(np.isnan(row).sum()) for m, row in self._rows()}

    @cached_property
    def n_empty(self) -> dict[str, int]:
        """How many queries had nothing to find, so that the measure's `empty` policy decided their value."""
        return {str(m): self._count_empty(m.bind(self.judged.y), row) for m, row in self._rows()}

    def _count_empty(self, m: Measure, row: Floats) -> int:
        value = {"zero": 0.0, "one": 1.0}.get(m.empty, np.nan)
        # Only queries with the value of an empty one can be empty: the rest need not be looked at.
        candidates = np.flatnonzero(np.isnan(row) if np.isnan(value) else row == value).tolist()
        y, qptr = self.judged.y, self.judged.qptr
        return sum(m.is_empty(y[qptr[q] : qptr[q + 1]]) for q in candidates)

    def _rows(self) -> list[tuple[Measure, Floats]]:
        return list(zip(self.measures, self.values, strict=True))

    def row(self, spec: MeasureLike) -> int:
        """The number of a measure among `measures`, in any spelling, with or without the preset."""
        printed = [str(m) for m in self.measures]
        if str(spec) in printed:
            return printed.index(str(spec))
        asked = with_preset(spec, self.preset)
        if asked in self.measures:
            return self.measures.index(asked)
        raise unknown("measure", str(asked), printed)

    def __getitem__(self, spec: MeasureLike) -> float:
        """The mean of a measure, in any spelling."""
        return self.means[str(self.measures[self.row(spec)])]

    @classmethod
    def pooled(cls, parts: Sequence[Self]) -> Self:
        """The queries of several evaluations (folds) together."""
        if any(part.measures != parts[0].measures for part in parts):
            raise InputError("evaluations to be pooled must be of the same measures. Got others. Evaluate them alike.")
        values = np.concatenate([part.values for part in parts], axis=1)
        return cls(parts[0].measures, values, Judged.pooled([part.judged for part in parts]), parts[0].preset)

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Plain JSON values; NaN is None."""
        values: dict[str, Any] = {
            "n_queries": self.n_queries,
            "n_documents": self.judged.n_docs,
            "weighted": self.judged.query_weight is not None,
            "means": {name: plain(value) for name, value in self.means.items()},
            "n_empty": self.n_empty,
            "n_skipped": self.n_skipped,
        }
        return {**values, "per_query": self.per_query.to_dict()} if per_query else values

    def __repr__(self) -> str:
        weighted = ", means weighted by query" if self.judged.query_weight is not None else ""
        title = f"Evaluation of {self.n_queries} queries, {self.judged.n_docs} documents{weighted}"
        counts = [[str(count[name]) for name in self.means] for count in (self.n_empty, self.n_skipped)]
        rows = list(zip(self.means, map(shown, self.means.values()), *counts, strict=True))
        return f"{title}\n{aligned(['measure', 'mean', 'nothing to find', 'skipped'], rows, [False, True, True, True])}"


def evaluate(
    ranker_or_scores: Any,
    data: Any,
    measures: Measures = "nDCG@10",
    *,
    qid: Any = None,
    group: Any = None,
    doc_ids: Any = None,
    query_weight: Any = None,
    preset: str | None = None,
    n_threads: int | None = None,
) -> Evaluation:
    """Measures a ranking of judged documents.

    Parameters
    ----------
    ranker_or_scores : a fitted ranker (anything with ``predict``), or one score per row in the caller's order.
    data : a Dataset; or ``(X, y, qid)``; or, for scores in hand, ``(y, qid)`` or labels with `qid` or `group`.
    measures : one or several, such as ``["nDCG@10", "AP"]``.
    qid : one query id per row, in any order, when `data` is labels; all rows are one query without it.
    group : instead of `qid`, the number of rows of each query.
    doc_ids : one id per row, when `data` is labels; needed by ``ties=docid`` only.
    query_weight : one weight per query in order of first appearance, or a dict by query id, when `data` is labels.
    preset : the conventions of another tool, such as ``"trec"`` or ``"lightgbm"``, given to every measure.
    n_threads : threads to use; None for all. The values do not depend on it.

    Returns
    -------
    Evaluation : `means`, `per_query`, `n_queries`, `n_empty`, `n_skipped`.

    Notes
    -----
    Query weights of the data enter the means: Σ w_q E_q / Σ w_q over the queries that are not skipped.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.evaluate([0.9, 0.2, 0.4], [0, 1, 0], ["nDCG@10", "AP"], qid=[7, 7, 8]).means["AP"]
    0.25
    """
    chosen = chosen_measures(measures, preset)
    judged = judged_documents(data, qid=qid, group=group, doc_ids=doc_ids, query_weight=query_weight)
    return evaluated(ranker_or_scores, judged, chosen, preset=preset, n_threads=n_threads)


def evaluated(
    system: Any,
    judged: Judged,
    measures: tuple[Measure, ...],
    *,
    bound: tuple[Measure, ...] | None = None,
    preset: str | None = None,
    n_threads: int | None = None,
) -> Evaluation:
    """The evaluation of one system; `bound` are the measures bound to more data than this (all folds)."""
    scores = judged.scores_of(system)
    values = measure_all(
        list(bound or measures), judged.y, scores, judged.qptr, doc_ids=judged.doc_ids, n_threads=n_threads
    )
    return Evaluation(measures, values, judged, preset)


def judged_documents(data: Any, **beside: Any) -> Judged:
    """Data that can be evaluated: at least one document."""
    judged = Judged.of(data, **beside)
    if judged.n_docs == 0:
        raise InputError("there must be documents to evaluate. Got 0 rows. Pass judged queries.")
    return judged


def chosen_measures(measures: Measures, preset: str | None = None) -> tuple[Measure, ...]:
    """The measures asked for, each once."""
    asked = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    if not asked:
        raise InputError("there must be a measure to evaluate by. Got none. Pass one, such as nDCG@10.")
    return tuple(dict.fromkeys(with_preset(spec, preset) for spec in asked))


def with_preset(spec: MeasureLike, preset: str | None) -> Measure:
    """The measure, under another tool's conventions if one is named."""
    return measure(spec) if preset is None else measures_preset(preset, spec)


def weighted_mean(values: Floats, weights: Floats | None) -> float:
    """Σ w_q E_q / Σ w_q over the queries that are not NaN; NaN when none is left."""
    if weights is None and not np.isnan(mean := values.mean() if len(values) else np.nan):
        return float(mean)  # none is NaN, as most often
    kept = ~np.isnan(values)
    if weights is None:
        return float(values[kept].mean()) if kept.any() else float("nan")
    total = float(weights[kept].sum())
    return float(values[kept] @ weights[kept]) / total if total > 0 else float("nan")
