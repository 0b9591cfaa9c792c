"""One type for data: judged lists of documents, query by query.

Whatever a user holds becomes a Dataset at the door; below ``data/`` nobody sees qids, group sizes or frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from rankwright.data.checked import Floats, as_features, as_labels, as_names, as_weights
from rankwright.data.frames import as_table
from rankwright.data.grouping import as_ids, as_sizes, group_rows, rows_of_groups
from rankwright.errors import InputError

Array = npt.NDArray[Any]


class Dataset:
    """Queries, their documents' features, and the judgements. Immutable.

    Parameters
    ----------
    X : documents × features: anything NumPy reads, a frame, or a scipy sparse matrix; NaN is a missing value.
        A column of the frame that is also passed as `y`, `qid`, `doc_ids` or `doc_weight` is not a feature.
    y : one label per document, larger is more relevant; zeros when left out (data to rank, not to learn from).
    qid : one query id per row, of any type and in any order; rows of a query need not be together.
    group : instead of `qid`, the number of rows of each query, in order. With neither, all rows are one query.
    doc_ids : one id per row.
    feature_names : one name per column; by default the frame's names, else "1", "2", ...
    doc_weight : one weight per row.
    query_weight : one weight per query, in order of first appearance (of `group`); or a dict from query id to weight,
        1 for queries that are not in it.

    Attributes
    ----------
    X : float32, rows of one query together: a C-contiguous array, or a CSR matrix (absent entries are 0).
    y : float32 labels, at least 0.
    qptr : int64 offsets, queries + 1; query q is rows ``qptr[q]:qptr[q + 1]``.
    query_ids : one id per query, as the user wrote them.
    doc_ids, doc_weight, query_weight : as passed, in this row order; None when not given.
    caller_rows : for each row here, its row in the caller's arrays; None when the order is the caller's own.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.Dataset([[0.1], [0.9], [0.4]], [0, 1, 0], qid=["b", "a", "b"])
    Dataset(2 queries, 3 documents, 1 dense features)
    """

    X: Any
    y: npt.NDArray[np.float32]
    qptr: npt.NDArray[np.int64]
    query_ids: Array
    doc_ids: Array | None
    feature_names: tuple[str, ...]
    doc_weight: Floats | None
    query_weight: Floats | None
    caller_rows: npt.NDArray[np.int64] | None

    def __init__(
        self,
        X: Any,
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        doc_ids: Any = None,
        feature_names: Sequence[str] | None = None,
        doc_weight: Any = None,
        query_weight: Any = None,
    ) -> None:
        table = None if hasattr(X, "tocsr") else as_table(X)
        if table is not None:
            columns = table.without([y, qid, doc_ids, doc_weight])
            X = table.features(columns)
            feature_names = columns if feature_names is None else feature_names
        features = as_features(X, feature_names)
        n_docs, n_features = features.shape
        names = as_names(feature_names, n_features)
        labels = np.zeros(n_docs, np.float32) if y is None else as_labels(y, n_docs)
        qptr, query_ids, rows = group_rows(n_docs, qid=qid, group=group)
        ids = None if doc_ids is None else as_ids(doc_ids, "doc_ids")
        if ids is not None and len(ids) != n_docs:
            raise InputError(f"doc_ids must be one per row. Got {len(ids)} for {n_docs} rows. Pass one each.")
        weight = as_weights(doc_weight, n_docs, "doc_weight")

        def regrouped(values: Any) -> Any:
            return values if values is None or rows is None else values[rows]

        self._set(
            X=regrouped(features),
            y=regrouped(labels),
            qptr=qptr,
            query_ids=query_ids,
            doc_ids=regrouped(ids),
            feature_names=names,
            doc_weight=regrouped(weight),
            query_weight=weights_of_queries(query_weight, query_ids, group),
            caller_rows=rows,
        )

    @classmethod
    def grouped(cls, X: Any, y: Any, qptr: Any, query_ids: Any, **rest: Any) -> Self:
        """A Dataset from parts that are already checked and grouped: the readers' door."""
        fields = {"doc_ids": None, "doc_weight": None, "query_weight": None, "caller_rows": None, **rest}
        fields["feature_names"] = as_names(fields.get("feature_names"), X.shape[1])
        made = cls.__new__(cls)
        made._set(X=X, y=y, qptr=qptr, query_ids=query_ids, **fields)
        return made

    def replace(self, **changes: Any) -> Self:
        """The same data with some attributes changed."""
        fields = {name: getattr(self, name) for name in Dataset.__annotations__}
        return type(self).grouped(**{**fields, **changes})

    def _set(self, **fields: Any) -> None:
        for name, value in fields.items():
            if isinstance(value, np.ndarray):
                value = value.view()
                value.flags.writeable = False
            self.__dict__[name] = value

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Dataset is immutable. Got an assignment to {name}. Use .replace({name}=...).")

    # -- sizes -----------------------------------------------------------------------------------------------------

    @property
    def n_queries(self) -> int:
        return len(self.qptr) - 1

    @property
    def n_docs(self) -> int:
        return len(self.y)

    @property
    def n_features(self) -> int:
        return int(self.X.shape[1])

    def __len__(self) -> int:
        return self.n_queries

    @property
    def is_sparse(self) -> bool:
        return not isinstance(self.X, np.ndarray)

    @cached_property
    def group_sizes(self) -> npt.NDArray[np.int64]:
        return np.diff(self.qptr)

    @cached_property
    def query_of_row(self) -> npt.NDArray[np.int64]:
        """The query number of every row."""
        return rows_of_groups(self.qptr)

    @property
    def qid(self) -> Array:
        """The query id of every row, in the caller's order."""
        return self.to_caller(self.query_ids[self.query_of_row])

    def column(self, k: int, missing: float = 0.0) -> Floats:
        """Feature k of every document as float64, a missing value counting `missing`."""
        if self.is_sparse:
            out: Floats = self._by_column[:, [k]].toarray()[:, 0].astype(np.float64)
        else:
            out = self.X[:, k].astype(np.float64)
        return np.nan_to_num(out, copy=False, nan=missing)

    @cached_property
    def _by_column(self) -> Any:
        return self.X.tocsc()

    # -- the caller's order ----------------------------------------------------------------------------------------

    def to_caller(self, per_row: Array) -> Array:
        """Values computed here, one per row, put back into the order the caller's rows came in."""
        if self.caller_rows is None:
            return per_row
        out = np.empty_like(per_row)
        out[self.caller_rows] = per_row
        return out

    def from_caller(self, per_row: npt.ArrayLike) -> Array:
        """The caller's values, one per row, in this Dataset's order."""
        values = np.asarray(per_row)
        if values.shape[:1] != (self.n_docs,):
            raise InputError(
                f"there must be one value per document. Got {values.shape[0] if values.ndim else 'a single value'} for "
                f"{self.n_docs} documents. Pass values for the same rows as the data."
            )
        return values if self.caller_rows is None else values[self.caller_rows]

    # -- parts -----------------------------------------------------------------------------------------------------

    def queries(self, which: npt.ArrayLike) -> Dataset:
        """The data of some queries, in the order given: numbers, or a mask over queries."""
        chosen = self._query_numbers(which)
        sizes = self.group_sizes[chosen]
        qptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        rows = np.repeat(self.qptr[chosen] - qptr[:-1], sizes) + np.arange(qptr[-1])
        return self.replace(
            X=self.X[rows],
            y=self.y[rows],
            qptr=qptr,
            query_ids=self.query_ids[chosen],
            doc_ids=None if self.doc_ids is None else self.doc_ids[rows],
            doc_weight=None if self.doc_weight is None else self.doc_weight[rows],
            query_weight=None if self.query_weight is None else self.query_weight[chosen],
            caller_rows=None,
        )

    def _query_numbers(self, which: npt.ArrayLike) -> npt.NDArray[np.int64]:
        chosen = np.asarray(which)
        if chosen.dtype == bool and chosen.shape == (self.n_queries,):
            return np.flatnonzero(chosen)
        if chosen.shape == (0,):
            return np.zeros(0, np.int64)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise InputError(
                f"queries are chosen by their numbers, or a mask over all {self.n_queries}. "
                f"Got {chosen.dtype} of shape {chosen.shape}. Pass a 1-d array of either."
            )
        if chosen.min() < 0 or chosen.max() >= self.n_queries:
            raise InputError(
                f"query numbers must be in 0..{self.n_queries - 1}. Got {chosen.min()}..{chosen.max()}. "
                "They count queries, not rows or query ids."
            )
        return chosen.astype(np.int64)

    def with_features(self, X: Any, names: Sequence[str] | None = None) -> Dataset:
        """The same judged documents with other features (rows in this Dataset's order)."""
        return self.replace(X=X, feature_names=names)

    def to_frame(self, library: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """A frame of these data, rows in the caller's order; see :func:`rankwright.data.tables.to_frame`."""
        from rankwright.data.tables import to_frame

        return to_frame(self, library)

    def __iter__(self) -> Iterator[slice]:
        """The rows of each query, as slices."""
        return (slice(int(a), int(b)) for a, b in zip(self.qptr[:-1], self.qptr[1:], strict=True))

    def __repr__(self) -> str:
        kind = "sparse" if self.is_sparse else "dense"
        return f"Dataset({self.n_queries} queries, {self.n_docs} documents, {self.n_features} {kind} features)"


def weights_of_queries(weights: Any, query_ids: Array, group: Any) -> Floats | None:
    """One weight per query, from one per query or per group, or from a dict by query id."""
    if isinstance(weights, dict):
        ids = query_ids.tolist()
        if weights and not any(q in weights for q in ids):
            raise InputError(
                f"query_weight must be a dict by query id. Got keys like {next(iter(weights))!r}, for ids like "
                f"{ids[:1]}. Use the same type for both."
            )
        weights = [weights.get(q, 1.0) for q in ids]
    elif weights is not None and group is not None:
        weights = np.asarray(weights)
        sizes = as_sizes(group)
        weights = weights[sizes > 0] if weights.shape == sizes.shape else weights
    return as_weights(weights, len(query_ids), "query_weight")
