"""What is written reads back as the same bits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse
from hypothesis import example, given, settings, strategies as st
from hypothesis.extra import numpy as arrays

import rankwright as rw
from rankwright.kernels import reference

_native = pytest.importorskip("rankwright.kernels._native")

float32 = st.floats(width=32, allow_infinity=False)


def text_of(data: rw.Dataset, folder: Path, **options: object) -> bytes:
    rw.write_letor(data, folder / "a.txt", **options)  # type: ignore[arg-type]
    return (folder / "a.txt").read_bytes()


def test_the_text(tmp_path: Path) -> None:
    X = [[0.5, 0, 0], [0, np.nan, 1e-30], [-0.0, 0.1, 16777216]]
    data = rw.Dataset(X, [2, 0, 1.5], qid=["a", "b", "b"], doc_ids=["d 1", "d2", "d3"])
    assert text_of(data, tmp_path) == (
        b"2 qid:a 1:0.5 3:0 # d 1\n0 qid:b 2:NaN 3:1e-30 #docid = d2\n1.5 qid:b 1:-0 2:0.1 3:16777216 #docid = d3\n"
    )
    assert text_of(data, tmp_path, missing=np.nan, comments=False) == (
        b"2 qid:a 1:0.5 2:0 3:0\n0 qid:b 1:0 3:1e-30\n1.5 qid:b 1:-0 2:0.1 3:16777216\n"
    )


@settings(deadline=None)
@given(
    X=arrays.arrays(np.float32, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=float32),
    missing=st.sampled_from([0.0, np.nan]),
)
def test_same_bits(X: npt.NDArray[np.float32], missing: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    X = np.where(np.isnan(X), np.float32(np.nan), X)
    y = np.arange(len(X), dtype=np.float32) / 3
    text = text_of(rw.Dataset(X, y, qid=y), tmp_path_factory.mktemp("same"), missing=missing)
    again = rw.read_letor(text, missing=missing)
    assert again.X.tobytes() == X.tobytes()
    assert again.y.tobytes() == y.tobytes()


@settings(deadline=None)
@example(values=[1048576.25, -1048576.25, 1048576.75, 3.0517578e-05])  # halfway between two shortest numbers
@given(values=st.lists(float32, min_size=1, max_size=30))
def test_the_kernel_writes_what_its_twin_writes(values: list[float]) -> None:
    numbers = np.array(values, dtype=np.float32)
    n = len(numbers)
    ptr = np.array([0, n // 2, n], dtype=np.int64)
    ids = np.arange(1, n + 1, dtype=np.int32) * 100
    arguments = (numbers[:1].repeat(2), ptr, ids, numbers, [b" qid:1", b" qid:x"], [b"", b" # c"])
    assert b"".join(_native.format_letor(*arguments)) == b"".join(reference.format_letor(*arguments))


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.xz", "a.txt.zst", "a.txt.bz2"])
@pytest.mark.parametrize("sparse", [False, True])
def test_every_suffix(tmp_path: Path, name: str, sparse: bool) -> None:
    rng = np.random.default_rng(1)
    X = np.where(rng.random((9000, 7)) < 0.5, 0, rng.normal(size=(9000, 7))).astype(np.float32)
    X[:, -1] = 0
    qid = np.sort(rng.integers(0, 900, 9000))
    data = rw.Dataset(scipy.sparse.csr_matrix(X) if sparse else X, rng.integers(0, 3, 9000), qid=qid)
    path = tmp_path / name
    rw.write_letor(data, path, n_threads=2)
    packed = path.read_bytes()
    again = rw.read_letor(path, sparse=sparse)
    assert (again.X.toarray() if sparse else again.X).tobytes() == X.tobytes()
    assert again.qid.tolist() == qid.tolist()
    rw.write_letor(data, path, n_threads=1)
    assert path.read_bytes() == packed
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_sparse_and_missing(tmp_path: Path) -> None:
    data = rw.Dataset(scipy.sparse.csr_matrix([[1.0, 0.0]]), [1])
    assert text_of(data, tmp_path) == b"1 qid:0 1:1 2:0\n"
    with pytest.raises(rw.InputError, match="missing=0"):
        rw.write_letor(data, tmp_path / "a.txt", missing=np.nan)


@pytest.mark.parametrize(
    "options",
    [
        *({"qid": [q, "b"]} for q in ("", "a b", "a#b", "a\nb", "q" * 5000)),
        *({"doc_ids": [d, "b"]} for d in ("", " a", "a\nb", "a\r", "docid = a b", "d" * 5000)),
    ],
)
def test_ids_that_cannot_be_written_leave_nothing_behind(tmp_path: Path, options: dict[str, object]) -> None:
    data = rw.Dataset([[1.0], [2.0]], [0, 1], **options)
    with pytest.raises(rw.InputError, match="Got"):
        rw.write_letor(data, tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["mq2008/S2.txt.xz", "ohsumed-letor2/S2.txt.xz", "lightgbm-rank/rank.train.xz"])
def test_real_files_survive(shared_data: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    data = rw.read_letor(shared_data(name))
    rw.write_letor(data, tmp_path / "a.txt")
    again = rw.read_letor(tmp_path / "a.txt")
    assert again.X.tobytes() == data.X.tobytes()
    assert again.y.tobytes() == data.y.tobytes()
    assert again.qptr.tolist() == data.qptr.tolist()
    assert (again.doc_ids is None) == (data.doc_ids is None)
    assert data.doc_ids is None or again.doc_ids is None or again.doc_ids.tolist() == data.doc_ids.tolist()
