"""Parquet and CSV files come back as they were, whichever library reads them."""

from __future__ import annotations

import gzip
import lzma
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import zstandard
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra import numpy as hnp

from rankwright import Dataset, FormatError, InputError
from rankwright.data.table_files import read_csv, read_parquet, write_csv, write_parquet


@pytest.fixture(params=["pyarrow", "polars"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Only one of the two is installed."""
    if request.param == "polars":
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    return str(request.param)


KINDS = {
    "ints": [10002, 7, 7],
    "texts": ["b", "a", "a"],
    "floats": [1.5, 0.5, 0.5],
    "wide": ["é" * 50, "日本", "日本"],
}


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("kind", KINDS)
def test_parquet_comes_back_equal(tmp_path: Path, same: Any, kind: str) -> None:
    data = Dataset([[1.0], [2.0], [np.nan]], [0, 1, 2], qid=KINDS[kind], doc_ids=KINDS[kind][::-1])
    write_parquet(data, tmp_path / "a.parquet")
    assert same(read_parquet(tmp_path / "a.parquet"), data)


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(("write", "read"), [(write_parquet, read_parquet), (write_csv, read_csv)])
def test_ids_names_weights_and_order_come_back(
    tmp_path: Path, small: Dataset, same: Any, write: Any, read: Any
) -> None:
    for data in (small, small.queries([2, 0])):
        write(data, tmp_path / "a")
        assert same(read(tmp_path / "a"), data)
        assert [p.name for p in tmp_path.iterdir()] == ["a"]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    X=hnp.arrays(
        np.float32,
        st.tuples(st.integers(1, 6), st.integers(1, 3)),
        elements=st.floats(width=32, allow_infinity=False, allow_nan=True),
    )
)
def test_every_float32_comes_back(tmp_path: Path, same: Any, library: str, X: Any) -> None:
    data = Dataset(X)
    for write, read in ((write_parquet, read_parquet), (write_csv, read_csv)):
        write(data, tmp_path / "a")
        assert same(read(tmp_path / "a"), data)


@pytest.mark.usefixtures("library")
def test_sparse_features_are_written_with_their_zeros(tmp_path: Path) -> None:
    write_parquet(Dataset(sp.csr_matrix([[0.0, 2], [3, 0]]), [0, 1]), tmp_path / "a.parquet")
    assert read_parquet(tmp_path / "a.parquet").X.tolist() == [[0, 2], [3, 0]]


@pytest.mark.usefixtures("library")
def test_a_file_written_by_pandas(tmp_path: Path) -> None:
    frame = pd.DataFrame({"query": ["a", "b"], "grade": [1, 0], "bm25": [2.0, None]}, index=[5, 9])
    frame.to_csv(tmp_path / "a.csv")
    data = read_csv(tmp_path / "a.csv", label="grade", qid="query")
    assert data.feature_names == ("bm25",)
    assert np.array_equal(data.X, [[2], [np.nan]], equal_nan=True)


@pytest.mark.usefixtures("library")
def test_csv_ids_are_kept_as_written(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("qid,label,doc_id,f\n007,0,1,5\n7,1,2,\n7,1,12345678901234567890,NA\n")
    data = read_csv(path)
    assert data.query_ids.tolist() == ["007", "7"]
    assert data.doc_ids is not None
    assert data.doc_ids.tolist() == ["1", "2", "12345678901234567890"]
    assert np.array_equal(data.X, [[5], [np.nan], [np.nan]], equal_nan=True)
    path.write_text("qid,label,f\n12,0,5\n-7,1,6\n")
    assert read_csv(path).query_ids.tolist() == [12, -7]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, zstandard.compress])
def test_compressed_tab_separated(tmp_path: Path, compress: Any) -> None:
    text = b"qid\tlabel\tf\tgood\na b\t1\t2\ttrue\n"
    path = tmp_path / "a.tsv.any"
    path.write_bytes(compress(text))
    data = read_csv(path)
    assert data.query_ids.tolist() == ["a b"]
    assert data.X.tolist() == [[2, 1]]
    path.write_bytes(compress(text)[:-5])
    with pytest.raises(FormatError, match="file must be whole"):
        read_csv(path)


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must begin with column names. It is empty"),
        ("qid,label,f\n", "a.csv:2: a CSV file must have rows"),
        ("qid,label,f\n1,0,2\n1,0,2,3\n", "a.csv:3: a row must have as many cells as there are column names, 3. Got 4"),
        ("qid,label,f\n1,0,2\n\n1,0\n", "a.csv:4: a row must have as many cells .* Got 2"),
        ('qid,label,f\n"1",0,2\n1,0,2,3\n', "a.csv: rows must have as many cells"),
        ("qid,lable,f\n1,0,2\n", "a.csv: the label column must be one of .*Did you mean 'lable'"),
        ("qid,label,f\n1,0,2\n1,-1,2\n", "a.csv:3: labels must be .* at least 0. Got -1"),
        ("qid,label,f\n1,,2\n", "a.csv:2: labels must be finite"),
        ("qid,label,f\n1,1,2\n1,1,-inf\n", "a.csv:3: X must hold finite .* Got -inf"),
        ("qid,label,f\n1,1,2\n,1,3\n", "a.csv:3: qid must not be missing"),
        ('qid,label,f\n"1\n",1,2\n1,-1,2\n', "a.csv: labels must be"),  # a cell of two lines: nobody knows the line
        ("qid,label,f\n1,0,x\n", "a column of numbers to rank by"),
    ],
)
def test_csv_files_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_csv(tmp_path / "a.csv")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("content", [b"", b"PAR1", b"not parquet"])
def test_parquet_files_that_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.parquet").write_bytes(content)
    with pytest.raises(FormatError, match=r"a.parquet: a Parquet file must be whole"):
        read_parquet(tmp_path / "a.parquet")


@pytest.mark.usefixtures("library")
def test_a_truncated_parquet_file(tmp_path: Path, small: Dataset) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(small, path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(FormatError, match="must be whole"):
        read_parquet(path)


@pytest.mark.parametrize("read", [read_parquet, read_csv])
def test_a_file_that_is_not_there(tmp_path: Path, read: Any) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "absent")


def test_nothing_is_left_of_a_failed_write(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write_parquet(Dataset([[1.0]], feature_names=["qid"]), tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


def test_neither_library_is_installed(tmp_path: Path, small: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyarrow", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=r"pip install 'rankwright\[frames\]'"):
        write_parquet(small, tmp_path / "a.parquet")
