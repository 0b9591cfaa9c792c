"""K-fold by query as scikit-learn's tools take it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import GroupKFold

from rankwright.data.dataset import Dataset
from rankwright.data.grouping import group_rows, rows_of_groups
from rankwright.data.splits import fold_of_query
from rankwright.errors import InputError

Rows = npt.NDArray[np.int64]


class QueryKFold(GroupKFold):  # type: ignore[misc]
    """Folds of whole queries, equally many in each up to one, shuffled by a seed.

    Works wherever scikit-learn takes ``cv=``, with ``groups=qid`` beside the data.

    Parameters
    ----------
    n_splits : the number of folds.
    rng : the seed of the shuffle; None keeps the queries in order.

    Examples
    --------
    >>> import rankwright as rw
    >>> for train, test in rw.QueryKFold(2, rng=None).split([[0], [1], [2], [3]], groups=["a", "b", "b", "a"]):
    ...     print(train, test)
    [1 2] [0 3]
    [0 3] [1 2]
    """

    def __init__(self, n_splits: int = 5, *, rng: int | None = 0) -> None:
        self.n_splits = n_splits
        self.rng = rng

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Rows, Rows]]:
        """Rows to learn from and rows to be judged by, fold by fold.

        Parameters
        ----------
        X : documents × features, or a Dataset (its rows as the caller numbers them).
        y : ignored.
        groups : one query id per row, of any type and in any order.
        """
        if isinstance(X, Dataset) and groups is None:
            groups = X.qid
        if groups is None:
            raise InputError("QueryKFold must know the query of every row. Got no groups. Pass groups=qid.")
        n_docs = X.n_docs if isinstance(X, Dataset) else X.shape[0] if hasattr(X, "shape") else len(X)
        qptr, _, rows = group_rows(n_docs, qid=groups)
        fold_of_row = fold_of_query(len(qptr) - 1, self.n_splits, self.rng)[rows_of_groups(qptr)]
        if rows is not None:
            fold_of_row = fold_of_row[np.argsort(rows)]
        return ((np.flatnonzero(fold_of_row != k), np.flatnonzero(fold_of_row == k)) for k in range(self.n_splits))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of folds."""
        return self.n_splits
