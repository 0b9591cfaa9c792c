"""Why documents stand where they do: what each feature contributes to scores, and to places in a list."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.evaluation.table import Table
from rankwright.rankers import Ranker, conventions as door

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Explanation:
    """What the features contribute to the scores of some documents, in lists.

    Attributes
    ----------
    contributions : documents × features: they and the document's `rest` add up to its score.
    rest : what no feature contributes: the mean score of the training documents, for trees.
    scores : one per document.
    feature_names : of the columns.
    """

    contributions: Floats
    rest: Floats
    scores: Floats
    feature_names: tuple[str, ...]
    _X: Any = field(repr=False)
    _lists: tuple[npt.NDArray[np.int64], ...] = field(repr=False)

    def document(self, row: int, top: int | None = 10) -> Table:
        """Which features moved a document up or down in its list.

        `moved` is the feature's contribution less its mean over the list: what it sets the document apart by. The sum
        over all features is the document's score less the mean score of the list. `places` is how many places the
        document would fall if the feature contributed to it no more than that mean; negative: how many it would rise.

        Parameters
        ----------
        row : the document, as the caller's rows are numbered.
        top : features to show, those that moved it most first; None: all.
        """
        mates = self._mates(row)
        moved = self.contributions[row] - self.contributions[mates].mean(axis=0)
        order = np.argsort(-np.abs(moved), kind="stable")[:top]
        place = _place(self.scores[mates], self.scores[row], row, mates)
        without = [_place(self.scores[mates], self.scores[row] - moved[k], row, mates) for k in order]
        return self._table(order, row, moved=moved[order], places=np.array(without, dtype=np.int64) - place)

    def pair(self, row: int, other: int, top: int | None = 10) -> Table:
        """Which features put a document above another: the differences of their contributions, the largest first.

        Parameters
        ----------
        row, other : the two documents, as the caller's rows are numbered.
        top : features to show; None: all.
        """
        self._mates(row), self._mates(other)
        differs = self.contributions[row] - self.contributions[other]
        order = np.argsort(-np.abs(differs), kind="stable")[:top]
        return self._table(order, row, other=self._values(other)[order], difference=differs[order])

    def _table(self, order: npt.NDArray[np.int64], row: int, **more: Any) -> Table:
        names = [self.feature_names[k] for k in order]
        return Table({"feature": names, "value": self._values(row)[order], **more})

    def _values(self, row: int) -> npt.NDArray[np.float32]:
        values = self._X[row] if isinstance(self._X, np.ndarray) else self._X[[row]].toarray()[0]
        return np.asarray(values)

    def _mates(self, row: int) -> npt.NDArray[np.int64]:
        """The documents of its list, itself among them."""
        if isinstance(row, bool) or not isinstance(row, (int, np.integer)) or not 0 <= row < len(self.scores):
            raise InputError(
                f"row must be in 0..{len(self.scores) - 1}. Got {row!r}. Pass a row of the data explained."
            )
        return next(rows for rows in self._lists if row in rows)


def _place(scores: Floats, score: float, row: int, mates: npt.NDArray[np.int64]) -> int:
    """The place, counted from 0, of a document with some score among the others of its list; ties as rows stand."""
    others = mates != row
    ahead = (scores > score) | ((scores == score) & (mates < row))
    return int((ahead & others).sum())


def explain(ranker: Ranker, X: Any, *, qid: Any = None, group: Any = None) -> Explanation:
    """Why a fitted ranker puts documents where it does.

    For trees a feature's contribution is its Shapley value: the mean, over all orders of the features, of what it adds
    to the score when its value becomes known, where unknown features go every way in the shares in which training
    documents went. For linear models it is weight · value.

    Parameters
    ----------
    ranker : a fitted ranker of trees (LambdaMART, LambdaSMART, MART) or of a linear model.
    X : a Dataset, or documents × features.
    qid : one query id per document, when X is not a Dataset; all documents are one list when it is left out.
    group : instead of `qid`, the number of rows of each query.

    Examples
    --------
    >>> import rankwright as rw
    >>> data = rw.artificial(40, n_features=4)
    >>> told = rw.explain(rw.LambdaMART(n_trees=10).fit(data), data)
    >>> bool(abs(told.contributions.sum(axis=1) + told.rest - told.scores).max() < 1e-9)
    True
    """
    data: Dataset = door.as_dataset(X, None, qid, group)
    scores = ranker.predict(data)
    parts = ranker.model_.contributions(data.X)
    if parts is None:
        raise InputError(
            f"there must be contributions of features to explain. {type(ranker).__name__}'s model has none. "
            "Explain a ranker of trees or of a linear model."
        )
    parts = np.asarray(data.to_caller(parts))
    rows = np.arange(data.n_docs) if data.caller_rows is None else np.asarray(data.caller_rows)
    lists = tuple(np.sort(rows[of_query]) for of_query in data)
    values = data.X if data.caller_rows is None else data.X[np.argsort(rows)]
    return Explanation(parts[:, :-1], parts[:, -1], scores, tuple(data.feature_names), values, lists)
