"""LETOR / SVMlight files: compressed, mapped, beside LightGBM's side files, and real ones."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import rankwright as rw

Data = Callable[[str], Path]

SMALL = b"""2 qid:10 1:0.5 3:-1e-3 #docid = GX008-86 inc = 1 prob = 0.08
0 qid:10 2:7 #docid = GX037-06
1 qid:32 1:1 2:2 3:3 #docid = GX111-11
"""


def _zst(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    packed: bytes = zstandard.ZstdCompressor().compress(data)
    return packed


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress), (".zst", _zst), (".bz2", bz2.compress)]
)
def test_compressed_files(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    path, packed = tmp_path / f"a.txt{suffix}", pack(SMALL * 1) + pack(SMALL.replace(b"qid:10", b"qid:11"))
    path.write_bytes(packed)
    assert rw.read_letor(path).n_docs == 6
    assert rw.read_letor(packed).n_docs == 6
    for cut in range(7, len(packed) - 1, 5):
        if cut == len(pack(SMALL)):
            continue
        path.write_bytes(packed[:cut])
        with pytest.raises(rw.FormatError, match=f"{suffix} file must be whole"):
            rw.read_letor(path)
    path.write_bytes(SMALL)
    with pytest.raises(rw.FormatError, match="must begin as one"):
        rw.read_letor(path)


def test_plain_files_are_mapped_and_empty_ones_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(SMALL)
    assert rw.read_letor(str(path)).X.tobytes() == rw.read_letor(SMALL).X.tobytes()
    path.write_bytes(b"")
    with pytest.raises(rw.FormatError, match=r"a\.txt: a file must hold"):
        rw.read_letor(path)
    with pytest.raises(FileNotFoundError):
        rw.read_letor(tmp_path / "none.txt")


def test_lightgbm_side_files(tmp_path: Path) -> None:
    path = tmp_path / "rank.train"
    path.write_bytes(b"0 1:1\n1 2:1\n2 1:3\n")
    with pytest.raises(rw.FormatError, match="query_file"):
        rw.read_letor(path)
    assert rw.read_letor(path, query_file=False).qptr.tolist() == [0, 3]
    side, weight = tmp_path / "rank.train.query", tmp_path / "rank.train.weight"
    side.write_text("2\n1\n")
    assert rw.read_letor(path).qptr.tolist() == [0, 2, 3]
    weight.write_text("1\n0.5\n2\n")
    assert rw.read_letor(path).doc_weight.tolist() == [1, 0.5, 2]
    (tmp_path / "rank.train.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert rw.read_letor(tmp_path / "rank.train.gz").qptr.tolist() == [0, 2, 3]
    assert rw.read_letor(path.read_bytes(), query_file=side).qptr.tolist() == [0, 2, 3]
    with pytest.raises(rw.InputError, match="without qid"):
        rw.read_letor(SMALL, query_file=side)
    for file, bad, line in [(side, "2\nx\n", 2), (side, "2\n1.5\n", 2), (side, "2\n-1\n", 2), (side, "2\n2\n", 0)]:
        file.write_text(bad)
        with pytest.raises(rw.FormatError) as wrong:
            rw.read_letor(path)
        assert (Path(wrong.value.path), wrong.value.line) == (file, line)
    side.write_text("3\n")
    for bad, line in [("1\nnan\n1\n", 2), ("1\n1\n", 0), ("0\n0\n0\n", 0)]:
        weight.write_text(bad)
        with pytest.raises(rw.FormatError) as wrong:
            rw.read_letor(path)
        assert (Path(wrong.value.path), wrong.value.line) == (weight, line)


@pytest.mark.parametrize(
    "name",
    [
        "mq2008/S1.txt.xz",
        "ohsumed-letor2/S1.txt.xz",
        "msn-sample/msn1.fold1.test.5k.txt.xz",
        "lightgbm-rank/rank.test.xz",
        "news2018/trec_news_2018.train",
    ],
)
def test_real_files_equal_scikit_learns_loader(shared_data: Data, name: str) -> None:
    from sklearn.datasets import load_svmlight_file

    path = shared_data(name)
    raw = lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes()  # noqa: SIM115
    with_qid = b"qid:" in raw
    peer = load_svmlight_file(io.BytesIO(raw), query_id=with_qid)
    data = rw.read_letor(path)
    assert np.array_equal(data.X, peer[0].toarray().astype(np.float32))
    assert np.array_equal(data.y, peer[1].astype(np.float32))
    if with_qid:
        assert np.array_equal(data.qid, peer[2])
    else:
        sizes = path.with_suffix(".query").read_text().split()
        assert data.group_sizes.tolist() == [int(size) for size in sizes]


def test_real_document_ids(shared_data: Data) -> None:
    data = rw.read_letor(shared_data("mq2008/S1.txt.xz"))
    assert data.doc_ids is not None
    assert data.doc_ids[0] == "GX008-86-4444840"
    comment = rw.read_comments(shared_data("mq2008/S1.txt.xz"))[0]
    assert comment == "docid = GX008-86-4444840 inc = 1 prob = 0.086622"
