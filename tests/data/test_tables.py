"""Frames by column name, of every library, and the errors that say which column is wrong."""

from __future__ import annotations

import datetime
import decimal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rankwright import Dataset, InputError
from rankwright.data.tables import from_frame, to_columns, to_frame

Frame = Callable[[dict[str, Any]], Any]
LIBRARIES: dict[str, Frame] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy polars": lambda columns: pl.DataFrame(columns).lazy(),
    "arrow": pa.table,
    "arrow batch": pa.RecordBatch.from_pydict,
    "dict": dict,
}
COLUMNS: dict[str, Any] = {
    "qid": ["b", "a", "b"],
    "bm25": [0.5, 1.5, 2.5],
    "label": [0, 1, 2],
    "title": ["x", "y", "z"],
    "clicked": [True, False, True],
    "length": [10, 20, 30],
}


@pytest.fixture(params=LIBRARIES)
def frame(request: pytest.FixtureRequest) -> Frame:
    return LIBRARIES[request.param]


def test_all_other_number_columns_are_features(frame: Frame) -> None:
    data = from_frame(frame(COLUMNS))
    assert data.feature_names == ("bm25", "clicked", "length")
    assert data.X.tolist() == [[0.5, 1, 10], [2.5, 1, 30], [1.5, 0, 20]]
    assert data.X.flags.c_contiguous
    assert data.y.tolist() == [0, 2, 1]
    assert data.query_ids.tolist() == ["b", "a"]


def test_features_by_name_and_in_order(frame: Frame) -> None:
    data = from_frame(frame(COLUMNS), features=["length", "bm25"])
    assert data.feature_names == ("length", "bm25")
    assert data.X.tolist() == [[10, 0.5], [30, 2.5], [20, 1.5]]


def test_every_role_has_a_column(frame: Frame) -> None:
    columns = {"q": [1, 2, 1], "y": [0, 1, 0], "d": ["p", "q", "r"], "w": [1, 2, 3], "v": [5.0, 6, 5], "f": [1, 2, 3]}
    data = from_frame(frame(columns), label="y", qid="q", doc_id="d", doc_weight="w", query_weight="v")
    assert data.feature_names == ("f",)
    assert data.doc_ids is not None
    assert data.doc_ids.tolist() == ["p", "r", "q"]
    assert data.doc_weight is not None
    assert data.doc_weight.tolist() == [1, 3, 2]
    assert data.query_weight is not None
    assert data.query_weight.tolist() == [5, 6]


def test_standard_names_are_roles_unless_asked_for(frame: Frame) -> None:
    columns = {
        "qid": [1, 1],
        "label": [0, 1],
        "docid": [8, 9],
        "doc_weight": [1, 2],
        "query_weight": [3, 3],
        "f": [1, 2],
    }
    data = from_frame(frame(columns))
    assert data.feature_names == ("f",)
    assert data.doc_ids is not None
    assert data.doc_ids.tolist() == [8, 9]
    assert from_frame(frame(columns), features=["f", "docid"]).doc_ids is None


def test_group_sizes_instead_of_qid(frame: Frame) -> None:
    data = from_frame(frame(COLUMNS), group=[1, 2])
    assert data.qptr.tolist() == [0, 1, 3]
    assert "qid" not in data.feature_names


def test_no_labels_and_no_queries(frame: Frame) -> None:
    data = from_frame(frame({"bm25": [1.0, 2.0]}), label=None, qid=None)
    assert data.y.tolist() == [0, 0]
    assert data.n_queries == 1


def test_no_rows(frame: Frame) -> None:
    empty = {"qid": np.array([], int), "label": np.array([], int), "bm25": np.array([], float)}
    assert from_frame(frame(empty)).n_docs == 0


# -- what is wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"label": "lable"}, "label column must be one of bm25, clicked.*Got 'lable'. Did you mean 'label'"),
        ({"qid": "quid"}, "qid column.*Did you mean 'qid'"),
        ({"doc_id": "doc"}, "doc_id column must be one of"),
        ({"features": ["bm52"]}, "feature column.*Did you mean 'bm25'"),
        ({"features": ["bm25", "title"]}, r"hold numbers or booleans. Got 'title' \("),
        ({"features": ["bm25", "label"]}, "must not be the label column too"),
        ({"features": ["bm25", "bm25"]}, "2 different names"),
        ({"label": "title"}, "y must hold real numbers"),
        ({"query_weight": "length"}, "one value per query. Got several for query 'b'"),
        ({"group": [1, 1]}, "add up"),
    ],
)
def test_columns_that_are_refused(frame: Frame, how: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_frame(frame(COLUMNS), **how)


def test_no_number_column(frame: Frame) -> None:
    with pytest.raises(InputError, match="a column of numbers to rank by"):
        from_frame(frame({"qid": [1], "label": [1], "title": ["x"]}))


def test_infinities_name_their_column(frame: Frame) -> None:
    with pytest.raises(InputError, match="Got inf at row 1, column bm25"):
        from_frame(frame({"qid": [1, 1], "label": [0, 1], "bm25": [1.0, np.inf]}))


@pytest.mark.parametrize("name", ["pandas", "polars", "arrow"])
def test_missing_query_ids_and_labels(name: str) -> None:
    make = LIBRARIES[name]
    with pytest.raises(InputError, match=r"qid must not be missing.*row 1"):
        from_frame(make({"qid": ["a", None], "label": [0, 1], "f": [1, 2]}))
    with pytest.raises(InputError, match=r"labels must be finite.*row 1"):
        from_frame(make({"qid": ["a", "b"], "label": [0, None], "f": [1, 2]}))


def test_not_a_frame() -> None:
    with pytest.raises(InputError, match=r"Got list. Pass arrays to Dataset"):
        from_frame([[1, 2]])
    with pytest.raises(InputError, match=r"Got shape \(1, 2\) for 'f'"):
        from_frame({"qid": [1], "label": [1], "f": [[1, 2]]})
    with pytest.raises(InputError, match="equal lengths"):
        from_frame({"qid": [1], "label": [1], "f": [1, 2]})


def test_the_same_name_twice() -> None:
    with pytest.raises(InputError, match="Got 'f' twice"):
        from_frame(pd.DataFrame([[1, 2, 3, 4]], columns=["qid", "label", "f", "f"]))


# -- kinds of columns ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, None, 3], dtype="Int64"),
        pd.Series([1, None, 3], dtype="float32[pyarrow]"),
        pd.Series([1, None, 3], dtype="int64[pyarrow]"),
        pd.Series([1, None, 3], dtype=object),
        pd.Series(pd.arrays.SparseArray([1, np.nan, 3])),
        pl.Series("f", [1, None, 3], dtype=pl.UInt8),
        pl.Series("f", [decimal.Decimal(1), None, decimal.Decimal(3)]),
        pa.chunked_array([[1, None], [3]]),
        pa.chunked_array([pa.array([decimal.Decimal(1), None, decimal.Decimal(3)])]),
        np.array([1, None, 3], dtype=object),
    ],
    ids=lambda c: f"{type(c).__module__.partition('.')[0]} {getattr(c, 'dtype', getattr(c, 'type', ''))}",
)
def test_nullable_numbers(column: Any) -> None:
    library = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
    data = from_frame(library.get(type(column).__module__.partition(".")[0], dict)({"f": column}), label=None, qid=None)
    assert np.array_equal(data.X, [[1], [np.nan], [3]], equal_nan=True)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"f": pd.array([True, None], dtype="boolean")}),
        pl.DataFrame({"f": [True, None]}),
        pa.table({"f": [True, None]}),
    ],
    ids=["pandas", "polars", "arrow"],
)
def test_nullable_booleans(frame: Any) -> None:
    assert np.array_equal(from_frame(frame, label=None, qid=None).X, [[1], [np.nan]], equal_nan=True)


@pytest.mark.parametrize("library", ["polars", "arrow"])
def test_a_column_of_nulls_only(library: str) -> None:
    data = from_frame(LIBRARIES[library]({"f": [None, None]}), label=None, qid=None)
    assert np.isnan(data.X).all()


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"f": pd.Categorical(["u", "v"])}),
        pd.DataFrame({"f": pd.Categorical([1, 2])}),
        pd.DataFrame({"f": ["u", "v"]}),
        pd.DataFrame({"f": pd.to_datetime(["2020-01-01", "2021-01-01"])}),
        pd.DataFrame({"f": [1j, 2]}),
        pd.DataFrame({"f": [1, "v"]}),
        pl.DataFrame({"f": pl.Series(["u", "v"], dtype=pl.Categorical)}),
        pl.DataFrame({"f": [datetime.date(2020, 1, 1)] * 2}),
        pl.DataFrame({"f": [[1], [2]]}),
        pa.table({"f": pa.array(["u", "v"]).dictionary_encode()}),
        {"f": np.array(["u", "v"])},
    ],
    ids=str,
)
def test_columns_that_are_not_numbers_are_refused_by_name(frame: Any) -> None:
    with pytest.raises(InputError, match=r"must hold numbers or booleans. Got 'f' \("):
        Dataset(frame, [0, 1])
    with pytest.raises(InputError, match=r"must hold numbers or booleans. Got 'f' \("):
        from_frame(frame, label=None, qid=None, features=["f"])


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["a", "b"]), pl.String])
def test_query_ids_of_categories(dtype: Any) -> None:
    frame = pl.DataFrame({"qid": pl.Series(["b", "a", "b"], dtype=dtype), "f": [1, 2, 3]})
    assert from_frame(frame, label=None).query_ids.tolist() == ["b", "a"]
    pandas = pd.DataFrame({"qid": pd.Categorical(["b", "a", "b"]), "f": [1, 2, 3]})
    assert from_frame(pandas, label=None).query_ids.tolist() == ["b", "a"]


def test_a_row_index_written_by_pandas_is_not_a_feature() -> None:
    frame = pd.DataFrame({"Unnamed: 0": [0, 1], "f": [1, 2], "__index_level_0__": [0, 1]})
    assert from_frame(frame, label=None, qid=None).feature_names == ("f",)


# -- Dataset(frame, ...) ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_columns_passed_beside_the_frame_are_not_features(make: Any) -> None:
    frame = make({"qid": ["b", "a", "b"], "f": [1.0, np.nan, 3], "label": [0, 1, 2], "g": [4, 5, 6]})
    data = Dataset(frame, frame["label"], qid=frame["qid"])
    assert data.feature_names == ("f", "g")
    assert data.y.tolist() == [0, 2, 1]
    assert np.array_equal(data.X, [[1, 4], [3, 6], [np.nan, 5]], equal_nan=True)


def test_a_column_of_the_same_name_but_other_values_is_a_feature() -> None:
    frame = pd.DataFrame({"score": [1.0, 2.0], "f": [3.0, 4.0]})
    assert Dataset(frame, pd.Series([0, 1], name="score")).feature_names == ("score", "f")


def test_feature_names_may_be_given_to_a_frame() -> None:
    assert Dataset(pd.DataFrame([[1, 2]]), feature_names=["a", "b"]).feature_names == ("a", "b")
    assert Dataset(pd.DataFrame([[1, 2]])).feature_names == ("0", "1")


def test_many_rows_are_copied_right() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((9000, 7), dtype=np.float32)
    data = Dataset(pd.DataFrame(X))
    assert np.array_equal(data.X, X)


# -- and back --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_frame_makes_the_same_dataset_again(small: Dataset, same: Any, library: Any) -> None:
    frame = small.to_frame(library)
    assert type(frame).__module__.startswith(library)
    assert same(from_frame(frame), small)
    assert to_columns(small)["doc_id"].tolist() == ["d1", "d2", "d3", "d4", "d5"]


def test_names_that_would_be_mistaken_are_refused() -> None:
    with pytest.raises(InputError, match="Got 'label'"):
        to_frame(Dataset([[1.0]], feature_names=["label"]))
    with pytest.raises(InputError, match=r"one type. Got int, str"):
        to_frame(Dataset([[1.0], [2.0]], qid=[1, "1"]), "polars")
    with pytest.raises(InputError, match="pandas, polars or pyarrow"):
        to_frame(Dataset([[1.0]]), "dask")  # type: ignore[arg-type]


def test_no_library_is_imported_for_arrays() -> None:
    code = (
        "import sys, rankwright as rw; rw.Dataset([[1.0]], [1], qid=['a']);"
        "rw.from_frame({'qid': [1], 'label': [1], 'f': [2]});"
        "print([m for m in ('pandas', 'polars', 'pyarrow', 'scipy', 'sklearn') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
