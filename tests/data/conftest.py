"""What the tests of data share."""

from __future__ import annotations

import numpy as np
import pytest

from rankwright import Dataset


class Same:
    """Whether two Datasets hold the same, ids compared as values."""

    def __call__(self, a: Dataset, b: Dataset) -> bool:
        dense = [d.X.toarray() if d.is_sparse else d.X for d in (a, b)]
        return (
            np.array_equal(*dense, equal_nan=True)
            and a.X.dtype == b.X.dtype == np.float32
            and a.feature_names == b.feature_names
            and all(_equal(getattr(a, name), getattr(b, name)) for name in self.parts)
        )

    parts = ("y", "qptr", "query_ids", "doc_ids", "doc_weight", "query_weight", "caller_rows")


def _equal(a: object, b: object) -> bool:
    if a is None or b is None:
        return a is b
    return np.asarray(a).tolist() == np.asarray(b).tolist()


@pytest.fixture
def same() -> Same:
    return Same()


@pytest.fixture
def small() -> Dataset:
    """Three queries out of order, a missing value, text ids, weights."""
    return Dataset(
        [[0.5, 1], [np.nan, 2], [0.25, 3], [1e-7, 4], [3e38, 5]],
        [0, 2, 1, 0, 1],
        qid=["b", "a", "b", "c", "a"],
        doc_ids=["d1", "d2", "d3", "d4", "d5"],
        feature_names=["bm25", "clicks, 7 days"],
        doc_weight=[1, 2, 3, 4, 0.1],
        query_weight={"a": 2.5},
    )
