"""A file is read by its name, else by what it holds."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankwright as rw
from rankwright import Dataset, FormatError, InputError
from rankwright.data.compressed import MAGIC

LETOR = b"# made by hand\n1 qid:7 1:0.5 2:3\n0 qid:7 1:0.25\n"
CSV = b"qid,label,bm25\n7,1,0.5\n7,0,0.25\n"
TSV = CSV.replace(b",", b"\t")


@pytest.mark.parametrize("name", ["a.parquet", "a.PQ", "a.csv", "a.tsv"])
def test_what_is_written_is_read(tmp_path: Path, small: Dataset, same: Any, name: str) -> None:
    rw.write(small, tmp_path / name)
    assert same(rw.read(tmp_path / name), small)


@pytest.mark.parametrize("name", ["a.svm", "a.txt", "a.letor.gz", "a.libsvm", "a.dat", "a.train", "noending"])
def test_letor_by_name_or_content(tmp_path: Path, name: str) -> None:
    pytest.importorskip("rankwright.data.letor")
    (tmp_path / name).write_bytes(gzip.compress(LETOR) if name.endswith(".gz") else LETOR)
    data = rw.read(tmp_path / name)
    assert (data.n_queries, data.n_docs, data.n_features) == (1, 2, 2)
    assert rw.read(tmp_path / name, n_features=5).n_features == 5


@pytest.mark.parametrize("content", [CSV, TSV])
def test_tables_by_content(tmp_path: Path, content: bytes) -> None:
    how = {"separator": "\t"} if content == TSV else {}
    (tmp_path / "a.data").write_bytes(content)
    assert rw.read(tmp_path / "a.data", **how).feature_names == ("bm25",)


def test_compressed_csv_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.tsv.gz").write_bytes(gzip.compress(TSV))
    assert rw.read(tmp_path / "a.tsv.gz").n_docs == 2


def test_parquet_by_content(tmp_path: Path, small: Dataset, same: Any) -> None:
    rw.write(small, tmp_path / "a.parquet")
    (tmp_path / "a.parquet").rename(tmp_path / "data")
    assert same(rw.read(tmp_path / "data"), small)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "It has no line with any"),
        (b"\n# nothing\n", "It has no line with any"),
        (b"hello\n", "It begins with 'hello'. Name it .svm, .parquet or .csv"),
        (b"q1 Q0 d1 1 2.5 bm25\n", "from_runs"),
        (b"q1 0 d1 1\n", "from_runs"),
        (b"\x00\xff\x00", "must be LETOR text, Parquet or CSV"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "a.bin").write_bytes(content)
    with pytest.raises(FormatError, match=message):
        rw.read(tmp_path / "a.bin")


@pytest.mark.parametrize("content", [b"q1 Q0 d1 1 2.5 bm25\n", b"\nq1 0 d1 1\n"])
def test_runs_called_txt_are_told_apart_from_letor(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(FormatError, match=r"It begins with .q1.*from_runs"):
        rw.read(tmp_path / "a.txt")


def test_other_endings_are_not_written(tmp_path: Path, small: Dataset) -> None:
    with pytest.raises(InputError, match=r"must end in one of .svm .*\.csv.*Got 'a.bin'"):
        rw.write(small, tmp_path / "a.bin")
    with pytest.raises(FileNotFoundError):
        rw.read(tmp_path / "absent")


@pytest.mark.parametrize("name", ["a.csv.gz", "a.tsv.xz", "a.csv.zst", "a.tsv.bz2", "a.svm.xz"])
def test_what_is_called_compressed_is(tmp_path: Path, small: Dataset, name: str) -> None:
    rw.write(small, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(MAGIC[Path(name).suffix])
    assert rw.read(tmp_path / name).y.tolist() == small.y.tolist()
    (tmp_path / name).write_bytes(CSV)
    with pytest.raises(FormatError, match="must begin as one"):
        rw.read(tmp_path / name)


def test_parquet_is_not_compressed_again(tmp_path: Path, small: Dataset) -> None:
    with pytest.raises(InputError, match=r"compressed inside. Got 'a.parquet.gz'. Name it 'a.parquet'"):
        rw.write(small, tmp_path / "a.parquet.gz")
    assert list(tmp_path.iterdir()) == []


def test_letor_is_written(tmp_path: Path, same: Any) -> None:
    pytest.importorskip("rankwright.data.letor")
    data = Dataset([[0.5, 3], [0.25, 0]], [1, 0], qid=[7, 7])
    rw.write(data, tmp_path / "a.svm")
    assert same(rw.read(tmp_path / "a.svm"), data)


def test_msn_sample_through_parquet(shared_data: Callable[[str], Path], tmp_path: Path, same: Any) -> None:
    pytest.importorskip("rankwright.data.letor")
    data = rw.read(shared_data("msn-sample/msn1.fold1.train.5k.txt.xz"))
    assert (data.n_queries, data.n_docs, data.n_features) == (43, 5000, 136)
    rw.write(data, tmp_path / "a.parquet")
    assert same(rw.read(tmp_path / "a.parquet"), data)
