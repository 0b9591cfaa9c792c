"""Scaling within queries, inside scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline

import rankwright as rw
from rankwright.data.scaling import scale_queries
from rankwright.errors import InputError

X = np.array([[1.0], [10.0], [3.0], [30.0], [2.0], [10.0]])
QID = ["a", "b", "a", "b", "a", "b"]


@pytest.mark.parametrize(
    ("how", "expected"),
    [("minmax", [0, 0, 1, 1, 1 / 2, 0]), ("rank", [0, 1 / 4, 1, 1, 1 / 2, 1 / 4])],
)
def test_rows_of_a_query_need_not_be_together(how: Any, expected: list[float]) -> None:
    assert rw.QueryScaler(how=how).fit_transform(X, qid=QID)[:, 0].tolist() == expected


def test_a_dataset_becomes_one_with_its_names() -> None:
    data = rw.Dataset(X, qid=QID, feature_names=["bm25"])
    made = rw.QueryScaler(how="z").fit_transform(data)
    assert np.array_equal(made.X, scale_queries(data, "z").X)
    assert made.feature_names == ("bm25",)


def test_qid_travels_as_metadata() -> None:
    data = rw.artificial(30, docs_per_query=8, n_features=4, rng=0)
    shuffled = np.random.default_rng(0).permutation(data.n_docs)
    X, y, qid = data.X[shuffled], data.y[shuffled], data.qid[shuffled]
    line = make_pipeline(rw.QueryScaler(), rw.Pointwise())
    by_hand = rw.Pointwise().fit(scale_queries(data))
    with sklearn.config_context(enable_metadata_routing=True):
        fitted = clone(line).fit(X, y, qid=qid)
        assert fitted.predict(X, qid=qid) == pytest.approx(by_hand.predict(scale_queries(data))[shuffled])
        search = GridSearchCV(line, {"queryscaler__how": ["minmax", "rank"]}, cv=GroupKFold(3), error_score="raise")
        assert search.fit(X, y, qid=qid, groups=qid).best_score_ > 0.5


def test_without_queries_it_refuses() -> None:
    with pytest.raises(InputError, match="needs to know the queries"):
        rw.QueryScaler().fit(X)
    with pytest.raises(InputError, match="needs dense features"):
        rw.QueryScaler().fit(sp.csr_matrix(X), qid=QID)
    with pytest.raises(InputError, match="how must be"):
        rw.QueryScaler(how="max").fit(X, qid=QID)  # type: ignore[arg-type]
