"""What an evaluation needs of data: labels by query, and nothing of the features.

Arrays in hand become this without a feature matrix being built; a Dataset becomes it without a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset
from rankwright.data.checked import Floats, as_labels
from rankwright.data.dataset import weights_of_queries
from rankwright.data.grouping import group_rows
from rankwright.errors import InputError

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Judged:
    """Judged documents, rows of a query together.

    Parameters
    ----------
    y : labels.
    qptr : query q is rows ``qptr[q]:qptr[q + 1]``.
    query_ids : one per query.
    query_weight : one per query, or None.
    doc_ids : one per row, or None.
    caller_rows : for each row here, its row in the caller's arrays; None when the order is the caller's own.
    data : the Dataset it came from, which a ranker needs to predict; None where there are labels only.
    """

    y: npt.NDArray[np.float32]
    qptr: npt.NDArray[np.int64]
    query_ids: Array
    query_weight: Floats | None = None
    doc_ids: Array | None = None
    caller_rows: npt.NDArray[np.int64] | None = None
    data: Dataset | None = None

    @classmethod
    def of(
        cls, data: Any, *, qid: Any = None, group: Any = None, doc_ids: Any = None, query_weight: Any = None
    ) -> Self:
        """From a Dataset, ``(X, y, qid)``, ``(y, qid)``, or labels with `qid` or `group` beside them."""
        beside = {"qid": qid, "group": group, "doc_ids": doc_ids, "query_weight": query_weight}
        given = [name for name, value in beside.items() if value is not None]
        if isinstance(data, tuple) and len(data) == 3 and np.ndim(data[0]) == 2:
            data = Dataset(data[0], data[1], qid=data[2])
        if isinstance(data, Dataset):
            if given:
                raise InputError(f"a Dataset brings its own {given[0]}. Got another beside it. Pass the Dataset alone.")
            return cls(data.y, data.qptr, data.query_ids, data.query_weight, data.doc_ids, data.caller_rows, data)
        if isinstance(data, tuple) and len(data) == 2 and np.ndim(data[0]) > 0:
            if qid is not None or group is not None:
                raise InputError("(y, qid) brings its own qid. Got another beside it. Pass the labels alone with qid=.")
            return cls._of_labels(data[0], data[1], None, doc_ids, query_weight)
        if np.ndim(data) == 0:
            raise InputError(f"data must be a Dataset, (y, qid), or labels with qid=. Got {data!r:.60}.")
        return cls._of_labels(data, qid, group, doc_ids, query_weight)

    @classmethod
    def _of_labels(cls, y: Any, qid: Any, group: Any, doc_ids: Any, query_weight: Any) -> Self:
        y = np.asarray(y)
        labels = as_labels(y, len(y))
        qptr, ids, rows = group_rows(len(labels), qid=qid, group=group)
        docs = None if doc_ids is None else np.asarray(doc_ids)
        if docs is not None and len(docs) != len(labels):
            raise InputError(f"doc_ids must be one per row. Got {len(docs)} for {len(labels)} rows.")
        if rows is not None:
            labels, docs = labels[rows], None if docs is None else docs[rows]
        return cls(labels, qptr, ids, weights_of_queries(query_weight, ids, group), docs, rows)

    @classmethod
    def pooled(cls, parts: Sequence[Self]) -> Self:
        """The queries of all parts, one after the other; without their features."""
        if len(parts) == 1:
            return parts[0]
        sizes = np.concatenate([np.diff(part.qptr) for part in parts])
        weighted = any(part.query_weight is not None for part in parts)
        return cls(
            np.concatenate([part.y for part in parts]),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.concatenate([part.query_ids for part in parts]),
            np.concatenate([part.weights for part in parts]) if weighted else None,
        )

    @property
    def n_queries(self) -> int:
        return len(self.qptr) - 1

    @property
    def n_docs(self) -> int:
        return len(self.y)

    @property
    def weights(self) -> Floats:
        """One weight per query; ones when none were given."""
        return np.ones(self.n_queries) if self.query_weight is None else self.query_weight

    def scores_of(self, system: Any) -> Array:
        """The scores of a ranker or of an array in the caller's order, in this order of the rows."""
        if isinstance(system, dict):
            raise InputError("evaluate takes one ranker or one array of scores. Got a dict. Use compare for several.")
        if isinstance(system, type):
            raise InputError(f"a ranker must be fitted. Got the class {system.__name__}. Pass what its fit returns.")
        if hasattr(system, "predict"):
            return self._predicted(system)
        scores = np.asarray(system)
        if scores.ndim == 2 and scores.shape[1] == 1:
            scores = scores[:, 0]
        if scores.dtype.kind not in "fiub":
            try:
                scores = scores.astype(np.float64)
            except (TypeError, ValueError):
                raise InputError(
                    f"scores must be a fitted ranker or an array of numbers. Got {system!r:.60}. Pass one score a row."
                ) from None
        if scores.shape != (self.n_docs,):
            raise InputError(
                f"there must be one score per document. Got shape {scores.shape} for {self.n_docs} documents. "
                "Pass scores for the same rows as the data."
            )
        if self.caller_rows is None:
            return scores
        return np.asarray(refuse_nan(scores)[self.caller_rows])  # here, where rows have the caller's numbers

    def _predicted(self, ranker: Any) -> Array:
        from rankwright.rankers import Ranker

        if self.data is None:
            raise InputError("a ranker needs features to predict. Got labels only. Pass a Dataset, or its scores.")
        if isinstance(ranker, Ranker):
            return self.data.from_caller(ranker.predict(self.data))
        return np.asarray(ranker.predict(self.data.X), dtype=np.float64).reshape(self.n_docs)


def refuse_nan(scores: Array) -> Array:
    """The scores, when all are numbers."""
    if np.isnan(scores).any():
        row = int(np.isnan(scores).argmax())
        raise InputError(f"scores must be numbers. Got NaN at row {row}. Fill or drop it.")
    return scores
