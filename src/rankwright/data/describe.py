"""What is in a data set, and what in it may be a mistake."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rankwright.data.dataset import Dataset
from rankwright.data.inspection import Columns, duplicate_documents, duplicate_ids

MOST_LABELS = 20  # more different labels than this are not grades to be counted one by one


@dataclass(frozen=True)
class Description:
    """Counts; documents and queries are those of the data, features are named.

    Attributes
    ----------
    n_queries, n_docs, n_features, sparse : sizes.
    docs_per_query : the least, the median and the most documents of a query.
    labels : label → number of documents; None when there are more than 20 labels.
    label_range : the least and the largest label; None without documents.
    queries_without_relevant : queries whose labels are all 0: they teach nothing, and count 0 in most measures.
    queries_with_one_label : queries in which no document is better than another.
    missing : missing values, NaN.
    features_with_missing : feature name → its missing values.
    constant_features : features with one value everywhere.
    constant_within_queries : the other features with one value within each query: no ranking can use them alone.
    duplicate_documents : documents whose features equal those of an earlier one of the same query.
    conflicting_duplicates : those of them with another label than the one before.
    duplicate_doc_ids : documents whose id an earlier one of the same query has.
    doc_ids, doc_weights, query_weights : whether the data have them.
    """

    n_queries: int
    n_docs: int
    n_features: int
    sparse: bool
    docs_per_query: tuple[int, float, int]
    labels: dict[float, int] | None
    label_range: tuple[float, float] | None
    queries_without_relevant: int
    queries_with_one_label: int
    missing: int
    features_with_missing: dict[str, int]
    constant_features: tuple[str, ...]
    constant_within_queries: tuple[str, ...]
    duplicate_documents: int
    conflicting_duplicates: int
    duplicate_doc_ids: int
    doc_ids: bool
    doc_weights: bool
    query_weights: bool

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        plain = asdict(self)
        plain["docs_per_query"] = dict(zip(("min", "median", "max"), self.docs_per_query, strict=True))
        if self.labels is not None:
            plain["labels"] = {f"{label:g}": count for label, count in self.labels.items()}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}

    def __str__(self) -> str:
        least, median, most = self.docs_per_query
        cells = max(self.n_docs * self.n_features, 1)
        lines = [
            ("queries", f"{self.n_queries:,}"),
            ("documents", f"{self.n_docs:,} ({least:,} to {most:,} per query, median {median:,g})"),
            ("features", f"{self.n_features:,} {'sparse' if self.sparse else 'dense'}"),
            ("labels", self._label_line()),
            ("without relevant", f"{_share(self.queries_without_relevant, self.n_queries)} queries"),
            ("with one label", f"{_share(self.queries_with_one_label, self.n_queries)} queries"),
            ("missing values", f"{_share(self.missing, cells)} in {len(self.features_with_missing):,} features"),
            ("constant features", _names(self.constant_features)),
            ("constant in queries", _names(self.constant_within_queries)),
            ("duplicates", f"{_share(self.duplicate_documents, self.n_docs)} documents within their query"),
            ("  other label", f"{self.conflicting_duplicates:,}"),
            ("duplicate ids", f"{self.duplicate_doc_ids:,}" if self.doc_ids else "no document ids"),
            ("weights", ", ".join(self._weights()) or "none"),
        ]
        return "\n".join(f"{name:<20} {value}" for name, value in lines)

    __repr__ = __str__

    def _label_line(self) -> str:
        if self.labels is not None:
            return (
                "  ".join(f"{label:g}: {_share(count, self.n_docs)}" for label, count in self.labels.items()) or "none"
            )
        low, high = self.label_range or (0.0, 0.0)
        return f"more than {MOST_LABELS} different, {low:g} to {high:g}"

    def _weights(self) -> list[str]:
        return [what for what, has in (("documents", self.doc_weights), ("queries", self.query_weights)) if has]


def describe(data: Dataset) -> Description:
    """Counts what is in the data: sizes, labels, missing values, useless features, duplicates.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.describe(rw.Dataset([[1, 5], [2, 5], [1, 6]], [0, 1, 0], qid=["a", "a", "b"])).constant_within_queries
    ('2',)
    """
    values, counts = np.unique(data.y, return_counts=True)
    sizes = data.group_sizes
    some = data.n_docs > 0
    highest = np.maximum.reduceat(data.y, data.qptr[:-1]) if some else data.y
    lowest = np.minimum.reduceat(data.y, data.qptr[:-1]) if some else data.y
    columns = Columns(data)
    twins, conflicts = duplicate_documents(data)
    return Description(
        n_queries=data.n_queries,
        n_docs=data.n_docs,
        n_features=data.n_features,
        sparse=data.is_sparse,
        docs_per_query=(int(sizes.min()), float(np.median(sizes)), int(sizes.max())) if some else (0, 0.0, 0),
        labels=dict(zip(values.tolist(), counts.tolist(), strict=True)) if len(values) <= MOST_LABELS else None,
        label_range=(float(values[0]), float(values[-1])) if some else None,
        queries_without_relevant=int((highest == 0).sum()),
        queries_with_one_label=int((highest == lowest).sum()),
        missing=int(columns.missing.sum()),
        features_with_missing={data.feature_names[k]: int(columns.missing[k]) for k in np.flatnonzero(columns.missing)},
        constant_features=columns.named(columns.constant),
        constant_within_queries=columns.named(columns.constant_within & ~columns.constant),
        duplicate_documents=twins,
        conflicting_duplicates=conflicts,
        duplicate_doc_ids=duplicate_ids(data),
        doc_ids=data.doc_ids is not None,
        doc_weights=data.doc_weight is not None,
        query_weights=data.query_weight is not None,
    )


def _share(count: int, total: int) -> str:
    return f"{count:,} ({count / total:.1%})" if count and total else f"{count:,}"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join([*names[:10], f"and {len(names) - 10:,} more"] if len(names) > 10 else names) or "none"
