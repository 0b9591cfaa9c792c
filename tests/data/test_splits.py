"""Queries are divided whole, fairly, and the same way every time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from hypothesis import given, settings, strategies as st
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score

import rankwright as rw
from rankwright import Dataset, InputError, QueryKFold, concat, letor_folds, random_splits
from rankwright.data.splits import TEST, TRAIN, VALID, balanced_roles, k_folds


def queries(*names: str, rows: int = 2) -> Dataset:
    X = np.arange(len(names) * rows, dtype=np.float32).reshape(-1, 1)
    return Dataset(X, np.zeros(len(X)), qid=np.repeat(names, rows))


# -- LETOR -----------------------------------------------------------------------------------------------------------


def test_letor_rotation() -> None:
    folds = letor_folds([queries(f"S{k}") for k in range(1, 6)])
    ids = [[part.query_ids.tolist() for part in fold] for fold in folds]
    assert ids[0] == [["S1", "S2", "S3"], ["S4"], ["S5"]]
    assert ids[1] == [["S2", "S3", "S4"], ["S5"], ["S1"]]
    assert ids[4] == [["S5", "S1", "S2"], ["S3"], ["S4"]]
    with pytest.raises(InputError, match="at least three parts"):
        letor_folds([queries("a"), queries("b")])
    for wrong in (Path("MQ2008"), ["S1.txt", "S2.txt", "S3.txt"], queries("a")):
        with pytest.raises(InputError, match="list of Datasets"):
            letor_folds(wrong)


def test_letor_rotation_of_mq2008(shared_data: Callable[[str], Path]) -> None:
    pytest.importorskip("rankwright.data.letor")
    parts = [rw.read(shared_data(f"mq2008/S{k}.txt.xz")) for k in range(1, 6)]
    folds = letor_folds(parts)
    assert sum(part.n_queries for part in parts) == 784
    for fold in folds:
        assert sum(part.n_queries for part in fold) == 784
        assert sum(part.n_docs for part in fold) == 15_211
        assert len(set(np.concatenate([part.query_ids for part in fold]).tolist())) == 784
    assert concat(parts).n_docs == 15_211


# -- K folds ---------------------------------------------------------------------------------------------------------


@given(
    qid=st.lists(st.sampled_from("abcdefgh"), min_size=8, max_size=60).map(lambda q: [*"abcdefgh", *q]),
    n_splits=st.integers(2, 8),
    rng=st.none() | st.integers(0, 5),
)
def test_every_query_is_in_one_fold(qid: list[str], n_splits: int, rng: int | None) -> None:
    seen: list[int] = []
    counts = []
    for train, test in QueryKFold(n_splits, rng=rng).split(np.zeros((len(qid), 1)), groups=qid):
        assert {qid[i] for i in train}.isdisjoint(qid[i] for i in test)
        assert sorted([*train, *test]) == list(range(len(qid)))
        seen += test.tolist()
        counts.append(len({qid[i] for i in test}))
    assert sorted(seen) == list(range(len(qid)))
    assert max(counts) - min(counts) <= 1


def test_folds_of_a_dataset_are_the_splitters() -> None:
    data = Dataset(np.arange(12).reshape(-1, 1), qid=list("abcdef") * 2)
    by_rows = [sorted({"abcdef"[i % 6] for i in test}) for _, test in QueryKFold(3).split(data)]
    by_data = [sorted(test.query_ids.tolist()) for _, test in k_folds(data, 3)]
    assert by_rows == by_data
    assert all(len(train) + len(test) == 6 for train, test in k_folds(data, 3))


def test_the_seed_decides() -> None:
    X, qid = np.zeros((40, 1)), np.repeat(np.arange(20), 2)

    def tests(rng: int | None) -> list[list[int]]:
        return [test.tolist() for _, test in QueryKFold(4, rng=rng).split(X, groups=qid)]

    assert tests(0) == tests(0) != tests(1)
    assert tests(None)[0] == list(range(10))


@pytest.mark.parametrize("n_splits", [0, 1, 4])
def test_folds_that_are_refused(n_splits: int) -> None:
    with pytest.raises(InputError, match="n_splits must be"):
        QueryKFold(n_splits).split([[0]] * 3, groups=[1, 2, 3])
    with pytest.raises(InputError, match="Pass groups=qid"):
        QueryKFold(2).split([[0]] * 3)
    with pytest.raises(InputError, match="one value per row"):
        QueryKFold(2).split([[0]] * 3, groups=[1, 2])


def test_scikit_learn_takes_it() -> None:
    rng = np.random.default_rng(0)
    X, y, qid = rng.random((60, 3)), rng.integers(0, 3, 60), rng.permutation(np.repeat(np.arange(12), 5))
    values = cross_val_score(Ridge(), X, y, groups=qid, cv=QueryKFold(4))
    assert len(values) == 4
    assert repr(QueryKFold(4)) == "QueryKFold(n_splits=4, rng=0)"
    with sklearn.config_context(enable_metadata_routing=True):
        search = GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=QueryKFold(3)).fit(X, y, groups=qid)
    assert search.n_splits_ == 3


# -- random splits ---------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_query_plays_each_role_equally_often(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 30))
    sizes = [data.draw(st.integers(0, n)) for _ in range(3)]
    while sum(sizes) > n:
        sizes[int(np.argmax(sizes))] -= 1
    trials = data.draw(st.integers(1, 20))
    roles = balanced_roles(n, sizes, trials, rng=data.draw(st.integers(0, 3)))
    assert roles.shape == (trials, n)
    for role, size in zip((TRAIN, VALID, TEST), sizes, strict=True):
        assert ((roles == role).sum(axis=1) == size).all()
        times = (roles == role).sum(axis=0)
        assert times.max() - times.min() <= 1
        if trials * size % n == 0:
            assert (times == trials * size // n).all()


def test_the_svm_map_protocol() -> None:
    roles = balanced_roles(50, (10, 5, 35), 50)
    assert [[int(v) for v in np.unique((roles == role).sum(axis=0))] for role in (TRAIN, VALID, TEST)] == [
        [10],
        [5],
        [35],
    ]
    assert len({trial.tobytes() for trial in roles}) == 50


def test_trials_are_random_not_a_turning_wheel() -> None:
    """Two queries train together about as often as chance has it: 10 · 9 / (50 · 49) of the trials."""
    trials, n = 500, 50
    train = (balanced_roles(n, (10, 5, 35), trials, rng=1) == TRAIN).astype(float)
    together = (train.T @ train)[np.triu_indices(n, 1)] / trials
    chance = 10 / 50 * 9 / 49
    assert abs(together.mean() - chance) < 1e-12
    spread = np.sqrt(chance * (1 - chance) / trials)
    assert together.std() < 1.3 * spread
    assert together.max() < chance + 6 * spread


def test_random_splits_of_data() -> None:
    data = queries(*"abcdefghij")
    folds = list(random_splits(data, (0.6, 0.2, 0.2), n_trials=5, rng=3))
    assert [[part.n_queries for part in fold] for fold in folds] == [[6, 2, 2]] * 5
    tested = [q for fold in folds for q in fold.test.query_ids.tolist()]
    assert sorted(tested) == sorted("abcdefghij")
    again = random_splits(data, (0.6, 0.2, 0.2), n_trials=5, rng=3)
    assert [f.train.query_ids.tolist() for f in again] == [f.train.query_ids.tolist() for f in folds]
    (few,) = random_splits(data, (2, 0, 3))
    assert [part.n_queries for part in few] == [2, 0, 3]
    (thirds,) = random_splits(data, (1 / 3, 1 / 3, 1 / 3))
    assert sum(part.n_queries for part in thirds) == 10


@pytest.mark.parametrize("sizes", [(1, 2), (5, 5, 5), (0.6, 0.6, 0.2), (-1, 1, 1), (np.nan, 1, 1), (1.5, 1, 1)])
def test_sizes_that_are_refused(sizes: Any) -> None:
    with pytest.raises(InputError, match="sizes must be"):
        random_splits(queries(*"abcdefghij"), sizes)


# -- joining ---------------------------------------------------------------------------------------------------------


def test_features_are_matched_by_name() -> None:
    a = Dataset([[1.0, 2.0]], [1], qid=["a"], feature_names=["f", "g"], doc_weight=[3], doc_ids=["d"])
    b = Dataset([[4.0, 3.0], [6.0, 5.0]], [0, 2], qid=["c", "b"], feature_names=["g", "f"], query_weight=[2, 5])
    both = concat([a, b])
    assert both.X.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert both.X.flags.c_contiguous
    assert both.query_ids.tolist() == ["a", "c", "b"]
    assert both.qptr.tolist() == [0, 1, 2, 3]
    assert both.doc_weight is not None
    assert both.doc_weight.tolist() == [3, 1, 1]
    assert both.query_weight is not None
    assert both.query_weight.tolist() == [1, 2, 5]
    assert both.doc_ids is None


def test_scores_come_back_in_the_order_of_the_callers_rows() -> None:
    a, b = queries("a"), Dataset([[1.0], [2.0], [3.0]], [1, 2, 3], qid=["x", "y", "x"], doc_ids=[1, 2, 3])
    both = concat([b, a])
    assert both.to_caller(both.y).tolist() == [1, 2, 3, 0, 0]
    assert concat([b, b], renumber=True).to_caller(concat([b, b], renumber=True).y).tolist() == [1, 2, 3, 1, 2, 3]


def test_ids_of_different_types_stay_different() -> None:
    both = concat([Dataset([[1.0]], qid=[1]), Dataset([[1.0]], qid=["1"])])
    assert both.query_ids.tolist() == [1, "1"]


def test_sparse_parts() -> None:
    a = Dataset(sp.csr_matrix([[1.0, 0]]), qid=[1])
    b = Dataset(sp.csr_matrix([[0.0, 5]]), qid=[2]).replace(feature_names=("2", "1"))
    both = concat([a, b])
    assert both.is_sparse
    assert both.X.toarray().tolist() == [[1, 0], [5, 0]]
    with pytest.raises(InputError, match="all dense or all sparse"):
        concat([a, Dataset([[1.0, 2.0]], qid=[2])])


def test_parts_that_are_refused() -> None:
    with pytest.raises(InputError, match="Got none"):
        concat([])
    with pytest.raises(InputError, match=r"Got 'a' in two.*renumber=True"):
        concat([queries("a"), queries("a")])
    with pytest.raises(InputError, match="Got 1 that only some have: 2"):
        concat([queries("a"), Dataset([[1.0, 2.0]], qid=["b"])])
    assert concat([queries("a"), queries("a")], renumber=True).query_ids.tolist() == [0, 1]
    assert concat([queries("a")]).n_queries == 1
