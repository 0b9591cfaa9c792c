"""Explanations: contributions add up, and say what moved a document in its list."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import rankwright as rw
from rankwright.errors import InputError


@pytest.fixture(scope="module")
def data() -> rw.Dataset:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4)).astype(np.float32)
    return rw.Dataset(X, np.digitize(X[:, 1] - 0.5 * X[:, 2], [0, 1]), group=np.full(20, 10))


def test_contributions_add_up(data) -> None:
    ranker = rw.LambdaMART(n_trees=20, min_docs=5).fit(data)
    told = rw.explain(ranker, data)
    np.testing.assert_allclose(told.contributions.sum(axis=1) + told.rest, ranker.predict(data), atol=1e-10)
    assert np.abs(told.contributions).mean(axis=0).argmax() == 1


def test_what_moved_a_document(data) -> None:
    linear = rw.CoordinateAscent(n_restarts=1).fit(data)
    told = rw.explain(linear, data)
    row, mates = 13, np.arange(10, 20)
    table = told.document(row, top=None)
    assert table["moved"].sum() == pytest.approx(told.scores[row] - told.scores[mates].mean())
    by_name = dict(zip(table["feature"].tolist(), table.rows(), strict=True))
    w = linear.model_.weights
    for k, name in enumerate(data.feature_names):
        moved = w[k] * (data.X[row, k] - data.X[mates, k].mean(dtype=np.float64))
        assert by_name[name]["moved"] == pytest.approx(moved, abs=1e-6)
        assert by_name[name]["value"] == data.X[row, k]
        place = (told.scores[mates] > told.scores[row]).sum()
        others = mates[mates != row]
        assert by_name[name]["places"] == (told.scores[others] > told.scores[row] - moved).sum() - place
    assert (np.diff(np.abs(table["moved"])) <= 0).all()
    assert told.document(row, top=2).n_rows == 2


def test_why_one_stands_above_another(data) -> None:
    told = rw.explain(rw.MART(n_trees=10, min_docs=5).fit(data), data)
    table = told.pair(3, 5, top=None)
    assert table["difference"].sum() == pytest.approx(told.scores[3] - told.scores[5])


def test_rows_are_the_callers(data) -> None:
    rng = np.random.default_rng(1)
    mixed = rng.permutation(data.n_docs)
    ranker = rw.CoordinateAscent(n_restarts=1).fit(data)  # no ties
    here = rw.explain(ranker, data)
    there = rw.explain(ranker, np.asarray(data.X)[mixed], qid=np.asarray(data.qid)[mixed])
    np.testing.assert_allclose(there.contributions, here.contributions[mixed])
    for row in (0, 77):
        one, other = there.document(row), here.document(int(mixed[row]))
        for column in ("feature", "value", "places"):
            assert one[column].tolist() == other[column].tolist()
        np.testing.assert_allclose(one["moved"], other["moved"], atol=1e-12)
    sparse = rw.explain(ranker, sp.csr_matrix(data.X), qid=data.qid)
    assert sparse.document(5)["value"].tolist() == here.document(5)["value"].tolist()


def test_what_cannot_be_explained(data) -> None:
    with pytest.raises(InputError, match="McRank's model has none"):
        rw.explain(rw.McRank(n_trees=1).fit(data), data)
    told = rw.explain(rw.MART(n_trees=1).fit(data), data)
    for row in (-1, 200, True, 1.5):
        with pytest.raises(InputError, match="row must be in"):
            told.document(row)
