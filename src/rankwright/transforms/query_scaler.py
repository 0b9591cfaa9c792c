"""Scaling within queries, as a transformer."""

from __future__ import annotations

from typing import Any, Literal

from rankwright.data import Dataset
from rankwright.data.scaling import scale_queries
from rankwright.transforms.base import Transformer


class QueryScaler(Transformer):
    """Scales every feature within each query, which makes the scores of different queries comparable.

    Parameters
    ----------
    how : ``"minmax"``: (x − min)/(max − min), from 0 to 1. ``"z"``: (x − mean)/standard deviation. ``"rank"``: the
        percentile, which is the share of the query's other documents below x, ties counting one half.

    Examples
    --------
    >>> import rankwright as rw
    >>> X, qid = [[1.0], [3.0], [10.0], [20.0], [30.0]], ["a", "a", "b", "b", "b"]
    >>> rw.QueryScaler().fit_transform(X, qid=qid)[:, 0].tolist()
    [0.0, 1.0, 0.0, 0.5, 1.0]
    """

    needs_qid = True

    how: Literal["minmax", "z", "rank"] = "minmax"

    def learn(self, data: Dataset) -> None:
        """There is nothing to learn: a query is scaled by its own documents."""

    def made(self, data: Dataset) -> Any:
        return scale_queries(data, self.how).X

    def names_out(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return names
