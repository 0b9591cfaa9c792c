"""Every kind of input to Dataset is either right or refused with what to do."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

from rankwright import Dataset, InputError


def refused(message: str, *args: object, **kwargs: object) -> None:
    with pytest.raises(InputError, match=message):
        Dataset(*args, **kwargs)


# -- features --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1.0, 2.0], "two dimensions.*reshape"),
        (np.zeros((2, 2, 2)), "two dimensions.*Got 3"),
        (3.0, "two dimensions.*Got 0"),
        ([], "two dimensions"),
        ([[1.0], [2.0, 3.0]], "equal length.*ragged"),
        ([["a"], ["b"]], "real numbers.*Got dtype"),
        ([[1 + 2j], [3]], "real numbers.*[Cc]omplex"),
        (np.array([["2020-01-01"]], "M8[D]"), "real numbers.*datetime64"),
        ([[1.0], [np.inf]], "Got inf at row 1, column 0"),
        ([[1.0], [-1e300]], r"Got -1e\+300 at row 1, column 0"),
        ([[1.0, object()]], "real numbers"),
        (sp.csr_matrix([[1.0, np.inf]]), "Got an infinite number at row 0, column 1"),
        (sp.csr_matrix([[1j]]), "real numbers.*[Cc]omplex"),
    ],
)
def test_features_that_are_refused(X: object, message: str) -> None:
    refused(message, X)


@pytest.mark.parametrize(
    "X",
    [
        [[1, 0], [1, 1]],
        [[True, False], [True, True]],
        np.array([[1, 0], [1, 1]], np.uint8),
        np.array([[1, 0], [1, 1]], object),
        np.asfortranarray([[1.0, 0.0], [1.0, 1.0]]),
        [["1", "0"], ["1", "1"]],
        np.matrix([[1, 0], [1, 1]]),
        sp.coo_matrix([[1, 0], [1, 1]]),
        sp.csr_array(([1, 0.5, 0.5, 1], [0, 0, 0, 1], [0, 1, 4]), shape=(2, 2)),
    ],
)
def test_features_of_any_kind_become_float32(X: object) -> None:
    data = Dataset(X)
    dense = data.X.toarray() if data.is_sparse else data.X
    assert data.X.dtype == np.float32
    assert dense.tolist() == [[1, 0], [1, 1]]
    assert data.is_sparse or data.X.flags.c_contiguous


def test_missing_values_are_nan() -> None:
    masked = np.ma.masked_array([[1.0, 2.0]], mask=[[False, True]])
    for X in ([[1.0, None]], [[1.0, np.nan]], masked):
        assert np.array_equal(Dataset(X).X, [[1.0, np.nan]], equal_nan=True)


def test_an_infinity_is_found_behind_missing_values() -> None:
    X = np.full((300, 3), np.nan)
    X[299, 2] = np.inf
    refused("row 299, column 2", X)


def test_large_finite_values_are_not_infinite() -> None:
    X = np.full((10, 2), 3e38, np.float32)  # their sum overflows
    assert np.array_equal(Dataset(X).X, X)


def test_float32_rows_are_not_copied() -> None:
    X, y = np.ones((6, 2), np.float32), np.zeros(6, np.float32)
    data = Dataset(X, y, qid=[1, 1, 2, 2, 3, 3])
    assert np.shares_memory(data.X, X)
    assert np.shares_memory(data.y, y)


@pytest.mark.parametrize("names", [["a"], ["a", "a"], ["a", "b", "c"]])
def test_feature_names_are_one_per_column_and_different(names: list[str]) -> None:
    refused("2 different names", [[1, 2]], feature_names=names)


# -- labels and weights ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, np.nan], "finite and at least 0. Got nan at row 1"),
        ([-1, 0], r"at least 0. Got -1 at row 0.*Drop unjudged"),
        ([0, np.inf], "Got inf at row 1"),
        ([0, 1e300], r"Got 1e\+300 at row 1"),
        ([0, None], "Got nan at row 1"),
        ([0], "one label per row.*for 2 rows"),
        ([[0, 1], [1, 0]], "one label per row"),
        ([[0], [1, 0]], "ragged"),
        (3, "one label per row"),
        (["good", "bad"], "y must hold real numbers"),
        ([1j, 0], "y must hold real numbers.*complex"),
        (np.array(["2020", "2021"], "M8[Y]"), "y must hold real numbers.*datetime"),
        (np.ma.masked_array([1.0, 2.0], mask=[False, True]), "Got nan at row 1"),
    ],
)
def test_labels_that_are_refused(y: object, message: str) -> None:
    refused(message, [[1.0], [2.0]], y)


@pytest.mark.parametrize("y", [[0, 1], [False, True], [[0], [1]], ["0", "1"], np.array([0, 1], np.int8)])
def test_labels_of_any_kind_become_float32(y: object) -> None:
    data = Dataset([[1.0], [2.0]], y)
    assert data.y.tolist() == [0.0, 1.0]
    assert data.y.dtype == np.float32


def test_labels_left_out_are_zeros() -> None:
    assert Dataset([[1.0], [2.0]]).y.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("weight", [[1], [1, -1], [np.nan, 1], [0, 0], ["a", "b"], [1j, 1], [[1], [1, 2]]])
@pytest.mark.parametrize("which", ["doc_weight", "query_weight"])
def test_weights_that_are_refused(which: str, weight: object) -> None:
    refused(which, [[1.0], [2.0]], [0, 1], qid=[1, 2], **{which: weight})


def test_query_weights_by_id_and_by_group() -> None:
    by_id = Dataset([[1.0], [2.0]], qid=["a", "b"], query_weight={"b": 3.0, "elsewhere": 9.0})
    assert by_id.query_weight is not None
    assert by_id.query_weight.tolist() == [1.0, 3.0]
    by_group = Dataset([[1.0], [2.0]], group=[1, 0, 1], query_weight=[5, 6, 7])
    assert by_group.query_weight is not None
    assert by_group.query_weight.tolist() == [5.0, 7.0]


def test_query_weights_by_ids_of_another_type_are_refused() -> None:
    refused("Use the same type", [[1.0]], qid=[1], query_weight={"1": 2.0})


# -- parts -----------------------------------------------------------------------------------------------------------


def test_queries_in_the_order_given(small: Dataset) -> None:
    part = small.queries([2, 0])
    assert part.query_ids.tolist() == ["c", "b"]
    assert part.doc_ids is not None
    assert part.doc_ids.tolist() == ["d4", "d1", "d3"]
    assert part.query_weight is not None
    assert part.query_weight.tolist() == [1.0, 1.0]
    assert part.caller_rows is None
    assert small.queries([False, True, False]).query_ids.tolist() == ["a"]
    assert small.queries([]).n_docs == 0


@pytest.mark.parametrize("which", [[True, False], [3], [-1], [0.5], ["a"], [[0]], 0])
def test_queries_that_are_not_there(small: Dataset, which: object) -> None:
    with pytest.raises(InputError):
        small.queries(which)  # type: ignore[arg-type]


def test_sparse_rows_follow_their_queries() -> None:
    data = Dataset(sp.csr_matrix([[1.0, 0], [0, 2], [3, 0]]), [0, 1, 2], qid=["a", "b", "a"])
    assert data.X.toarray().tolist() == [[1, 0], [3, 0], [0, 2]]
    assert data.queries([1]).X.toarray().tolist() == [[0, 2]]


def test_a_dataset_cannot_be_changed(small: Dataset) -> None:
    with pytest.raises(AttributeError, match="immutable"):
        small.y = np.zeros(5, np.float32)
    with pytest.raises(ValueError, match="read-only"):
        small.X[0, 0] = 1


def test_a_dataset_survives_copying(small: Dataset, same) -> None:
    assert same(pickle.loads(pickle.dumps(small)), small)
    assert same(copy.deepcopy(small), small)


def test_replacing_checks_the_names(small: Dataset) -> None:
    assert small.replace(feature_names=["a", "b"]).feature_names == ("a", "b")
    assert small.with_features(small.X[:, :1]).feature_names == ("1",)
    with pytest.raises(InputError, match="2 different names"):
        small.replace(feature_names=["a"])
