"""Queries by id or by size: of every type, in any order, or refused with what to do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from rankwright import Dataset, InputError


def refused(message: str, *args: object, **kwargs: object) -> None:
    with pytest.raises(InputError, match=message):
        Dataset(*args, **kwargs)


@pytest.mark.parametrize(
    ("qid", "message"),
    [
        ([1, 2], "one value per row. Got 2 values for 3 rows"),
        ([1, 2, 3, 4], "Got 4 values for 3 rows"),
        (7, "one value per row"),
        (np.ones((3, 2)), r"shape \(3, 2\)"),
        ([[1], [2, 3], [4]], "ragged"),
        ([1, np.nan, 2], "not be missing. Got nan at row 1"),
        (["a", np.nan, "b"], "not be missing. Got nan at row 1"),
        (["a", None, "b"], "not be missing. Got None at row 1"),
        (np.array(["2020", "NaT", "2021"], "M8[Y]"), "not be missing. Got NaT at row 1"),
        (np.ma.masked_array([1, 2, 3], mask=[0, 0, 1]), "not be missing.*at row 2"),
        ([1j, 2, 3], "numbers, text or dates. Got dtype complex128"),
        (np.zeros(3, [("a", int)]), "numbers, text or dates"),
        (np.array([{}, {}, {}], object), "cannot be hashed"),
    ],
)
def test_query_ids_that_are_refused(qid: object, message: str) -> None:
    refused(message, [[1.0], [2.0], [3.0]], qid=qid)


@pytest.mark.parametrize(
    ("group", "message"),
    [
        ([1, 1], "add up to the number of rows. Got 2 for 3 rows"),
        ([-1, 4], "whole numbers of at least 0"),
        ([1.5, 1.5], "whole numbers"),
        ([True, True, True], "whole numbers"),
        (["1", "2"], "whole numbers"),
        ([[1], [2]], "whole numbers"),
        ([[1], [1, 1]], "whole numbers"),
        (3, "whole numbers"),
        ([], "Got 0 for 3 rows"),
    ],
)
def test_group_sizes_that_are_refused(group: object, message: str) -> None:
    refused(message, [[1.0], [2.0], [3.0]], group=group)


def test_qid_and_group_together_are_refused() -> None:
    refused("not both", [[1.0]], qid=[1], group=[1])


@pytest.mark.parametrize(
    "qid",
    [
        [7, 7, 3, 7],
        ["b", "b", "a", "b"],
        [b"b", b"b", b"a", b"b"],
        [1.5, 1.5, 0.5, 1.5],
        [True, True, False, True],
        np.array(["2021", "2021", "2020", "2021"], "M8[D]"),
        np.array([2**64 - 1, 2**64 - 1, 0, 2**64 - 1], np.uint64),
        [[7], [7], [3], [7]],
        ["1", "1", 1, "1"],
        [2**60, 2**60, 2**60 + 1, 2**60],
        [2**63, 2**63, -1, 2**63],
        [2**63, 2**63, 1.5, 2**63],
    ],
)
def test_query_ids_of_any_kind_in_any_order(qid: list[object]) -> None:
    data = Dataset([[0.0], [1.0], [2.0], [3.0]], [0, 1, 2, 3], qid=qid)
    assert data.qptr.tolist() == [0, 3, 4]
    assert data.X[:, 0].tolist() == [0, 1, 3, 2]
    assert data.y.tolist() == [0, 1, 3, 2]
    assert data.qid.tolist() == np.asarray(qid, dtype=data.query_ids.dtype).ravel().tolist()
    assert data.to_caller(data.y).tolist() == [0, 1, 2, 3]


def test_numbers_and_texts_are_different_ids() -> None:
    data = Dataset([[0.0], [1.0], [2.0]], qid=[1, "1", 1])
    assert data.query_ids.tolist() == [1, "1"]


def test_empty_groups_keep_their_number() -> None:
    data = Dataset([[0.0], [1.0]], group=[0, 1, 0, 1])
    assert data.query_ids.tolist() == [1, 3]
    assert data.qptr.tolist() == [0, 1, 2]


def test_without_queries_all_rows_are_one() -> None:
    assert Dataset([[0.0], [1.0]]).qptr.tolist() == [0, 2]


@pytest.mark.parametrize("how", [{}, {"qid": []}, {"group": []}, {"qid": np.array([], int)}])
def test_no_rows_are_no_queries(how: dict[str, object]) -> None:
    data = Dataset(np.empty((0, 3)), [], **how)
    assert (data.n_queries, data.n_docs, data.n_features) == (0, 0, 3)
    assert data.qptr.tolist() == [0]
    assert data.qid.tolist() == []


def test_one_document() -> None:
    data = Dataset([[1.0]], [1], qid=["only"])
    assert (data.n_queries, data.n_docs) == (1, 1)


@pytest.mark.parametrize(("ids", "message"), [(["a"], "Got 1 for 2"), (["a", None], "doc_ids must not be missing")])
def test_document_ids_that_are_refused(ids: list[object], message: str) -> None:
    refused(message, [[1.0], [2.0]], doc_ids=ids)


@given(st.lists(st.one_of(st.integers(-3, 3), st.sampled_from("abc"), st.sampled_from(["1", "2"])), max_size=40))
def test_grouping_is_stable_and_loses_nothing(qid: list[object]) -> None:
    X = np.arange(len(qid), dtype=np.float32).reshape(-1, 1)
    data = Dataset(X, qid=qid)
    assert data.query_ids.tolist() == list(dict.fromkeys(qid))
    assert data.qid.tolist() == qid
    for rows, query in zip(data, data.query_ids.tolist(), strict=True):
        assert data.X[rows, 0].tolist() == [i for i, q in enumerate(qid) if q == query]
    assert data.from_caller(X[:, 0]).tolist() == data.X[:, 0].tolist()
