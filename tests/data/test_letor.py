"""LETOR / SVMlight text: what is read."""

from __future__ import annotations

import numpy as np
import pytest

import rankwright as rw
from rankwright.data import letor_rows

SMALL = b"""2 qid:10 1:0.5 3:-1e-3 #docid = GX008-86 inc = 1 prob = 0.08
0 qid:10 2:7 #docid = GX037-06
1 qid:32 1:1 2:2 3:3 #docid = GX111-11
"""


def read(text: bytes, **options: object) -> rw.Dataset:
    return rw.read_letor(text, **options)  # type: ignore[arg-type]


def test_a_small_file() -> None:
    data = read(SMALL)
    assert data.X.dtype == np.float32
    assert data.X.tolist() == [[0.5, 0, np.float32(-1e-3)], [0, 7, 0], [1, 2, 3]]
    assert data.y.tolist() == [2, 0, 1]
    assert data.qptr.tolist() == [0, 2, 3]
    assert data.query_ids.tolist() == [10, 32]
    assert data.doc_ids is not None
    assert data.doc_ids.tolist() == ["GX008-86", "GX037-06", "GX111-11"]
    assert data.feature_names == ("1", "2", "3")


def test_absent_features_are_zero_or_missing() -> None:
    assert read(SMALL).X[1].tolist() == [0, 7, 0]
    assert np.isnan(read(SMALL, missing=np.nan).X[1]).tolist() == [True, False, True]


def test_nan_is_missing_wherever_it_is_written() -> None:
    assert np.isnan(read(b"1 qid:1 1:nan 2:NaN 3:-NAN 4:1\n").X[0]).tolist() == [True, True, True, False]


def test_document_ids_are_the_word_after_docid_or_the_whole_comment() -> None:
    assert read(b"1 qid:1 1:1 # 321.1 \n0 qid:1 1:2 #docid=a b\n").doc_ids.tolist() == ["321.1", "a"]
    assert read(b"1 qid:1 1:1 # x\n0 qid:1 1:2\n").doc_ids is None
    assert read(SMALL, doc_ids=False).doc_ids is None


def test_one_long_document_id_does_not_widen_the_others() -> None:
    lines = [f"1 qid:1 1:1 #{'x' * 3000 if k == 7 else k}" for k in range(50)]
    ids = read("\n".join(lines).encode()).doc_ids
    assert ids is not None
    assert ids.dtype == object
    assert (ids[7], ids[8]) == ("x" * 3000, "8")


def test_comments_that_are_not_utf8_are_read_with_replacements() -> None:
    text = b"1 qid:1 1:1 # caf\xe9\n0 qid:1 1:2 # \xe6\x97\xa5\n"
    assert read(text).doc_ids.tolist() == ["caf\ufffd", "日"]
    assert rw.read_comments(text) == ["caf\ufffd", "日"]


def test_comments_as_written() -> None:
    text = b"# a header\n1 qid:1 1:1 #docid = x inc = 1\n\n0 qid:1 1:2\n"
    assert rw.read_comments(text) == ["docid = x inc = 1", ""]


@pytest.mark.parametrize(
    ("qids", "read_as"),
    [
        (["7", "3"], [7, 3]),
        (["-7", "0"], [-7, 0]),
        (["7", "07"], ["7", "07"]),
        (["q1", "2"], ["q1", "2"]),
        (["9" * 19, "1"], ["9" * 19, "1"]),
        (["ä", "b"], ["ä", "b"]),
    ],
)
def test_query_ids_are_numbers_only_if_nothing_is_lost(qids: list[str], read_as: list[object]) -> None:
    text = "".join(f"1 qid:{q} 1:1\n" for q in qids)
    assert read(text.encode()).query_ids.tolist() == read_as


def test_scattered_queries_are_brought_together() -> None:
    data = read(b"0 qid:b 1:1 # r0\n1 qid:a 1:2 # r1\n2 qid:b 1:3 # r2\n")
    assert data.query_ids.tolist() == ["b", "a"]
    assert data.X[:, 0].tolist() == [1, 3, 2]
    assert data.y.tolist() == [0, 2, 1]
    assert data.doc_ids.tolist() == ["r0", "r2", "r1"]
    assert data.to_caller(data.X[:, 0]).tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "text",
    [
        SMALL.replace(b"\n", b"\r\n"),
        SMALL.rstrip(b"\n"),
        SMALL.replace(b" ", b"\t"),
        SMALL.replace(b" ", b"  ").replace(b"\n", b" \n"),
        b"\xef\xbb\xbf" + SMALL,
        b"# header\n\n   \n" + SMALL + b"\n# end",
        SMALL.replace(b"1:1 2:2 3:3", b"3:3 1:1 2:2"),
        SMALL.replace(b" #docid", b"#docid"),
        SMALL.replace(b"2 qid", b"+2.0 qid"),
        SMALL.replace(b"1:0.5", b"01:.5"),
    ],
    ids=["crlf", "no-end", "tabs", "blanks", "bom", "comments", "unsorted", "tight-comment", "label", "forms"],
)
def test_the_same_rows_written_in_other_ways(text: bytes) -> None:
    expected, data = read(SMALL), read(text)
    assert data.X.tobytes() == expected.X.tobytes()
    assert data.y.tolist() == expected.y.tolist()
    assert data.query_ids.tolist() == expected.query_ids.tolist()


def test_a_larger_id_hidden_inside_a_line_widens_the_array() -> None:
    assert read(b"1 qid:1 9:4 2:1\n0 qid:1 3:2\n", missing=np.nan).X.shape == (2, 9)


def test_number_of_features() -> None:
    assert read(SMALL, n_features=5).X.shape == (3, 5)
    assert read(SMALL, feature_names=["a", "b", "c", "d"]).feature_names == ("a", "b", "c", "d")
    with pytest.raises(rw.FormatError, match=r"<bytes>:1: feature ids must be at most 2.*'3:-1e-3'"):
        read(SMALL, n_features=2)


def test_ids_from_zero_are_said_not_guessed() -> None:
    text = b"1 qid:1 0:4 2:1\n"
    with pytest.raises(rw.FormatError, match="zero_based=True"):
        read(text)
    data = read(text, zero_based=True)
    assert data.X.tolist() == [[4, 0, 1]]
    assert data.feature_names == ("0", "1", "2")


def test_sparse() -> None:
    data = read(SMALL, sparse=True)
    assert data.is_sparse
    assert data.X.toarray().tobytes() == read(SMALL).X.tobytes()
    unsorted = read(b"1 qid:1 3:3 1:1\n", sparse=True).X
    assert (unsorted.indices.tolist(), unsorted.data.tolist()) == ([0, 2], [1, 3])
    with pytest.raises(rw.InputError, match="missing=nan"):
        read(SMALL, sparse=True, missing=np.nan)


def test_wide_and_empty_data_becomes_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = b"".join(b"1 qid:1 %d:1\n" % k for k in range(1, 400))
    assert not read(wide).is_sparse
    monkeypatch.setattr(letor_rows, "SMALL", 4 * 399 * 399 - 1)
    assert read(wide).is_sparse
    assert not read(wide, sparse=False).is_sparse
    with pytest.raises(rw.FormatError, match=r"0\.50% full"):
        read(wide, missing=np.nan)


def test_windows_and_threads_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    lines = [
        f"{rng.integers(3)} qid:{k // 7} "
        + " ".join(f"{j}:{v:.{j}g}" for j, v in enumerate(rng.normal(size=12), start=1))
        + f" # doc{k}"
        for k in range(300)
    ]
    text = "\n".join(lines).encode()
    whole = read(text, n_threads=1)
    monkeypatch.setattr(letor_rows, "WINDOW", 1000)
    monkeypatch.setattr(letor_rows, "CHUNK", 70)
    for n_threads in (1, 2, 3):
        parts = read(text, n_threads=n_threads)
        assert parts.X.tobytes() == whole.X.tobytes()
        assert parts.doc_ids.tolist() == whole.doc_ids.tolist()
        assert parts.qptr.tolist() == whole.qptr.tolist()
        assert (read(text, n_threads=n_threads, sparse=True).X != read(text, sparse=True).X).nnz == 0
    with pytest.raises(rw.FormatError) as wrong:
        read(text.replace(b"qid:20 ", b"qid:20 x ").replace(b"qid:30 ", b"qid:30 y "))
    assert wrong.value.line == 20 * 7 + 1


# -- numbers -----------------------------------------------------------------------------------------------------------


def test_numbers_are_rounded_once() -> None:
    # 1 + 2^-24 lies halfway between two float32 values; a little more rounds up, though its float64 lies halfway.
    halfway = "1.000000059604644775390625"
    values = [halfway, halfway + "1", halfway[:-1] + "4", "16777217", "16777219", "7.038531e-26", "8388608.5"]
    # The sixth is 0x15ae43fd, and 0x15ae43fe when rounded twice: 7.038531e-26 is nearly halfway.
    expected = [1, 1 + 2**-23, 1, 2**24, 2**24 + 4, np.uint32(0x15AE43FD).view(np.float32), 2**23]
    row = read(" ".join(["1 qid:1", *(f"{k}:{v}" for k, v in enumerate(values, start=1))]).encode()).X[0]
    assert row.tolist() == [np.float32(v) for v in expected]


def test_numbers_equal_the_twins() -> None:
    from rankwright.kernels.reference_letor import nearest_float32

    rng = np.random.default_rng(5)
    bits = rng.integers(0, 2**32, 2000, dtype=np.uint32).view(np.float32)
    written = [repr(float(v)) for v in bits[np.isfinite(bits)]]
    # Points near the middle between neighbours, written with few digits and with many.
    middles = [(float(v) + float(np.nextafter(v, np.float32(9)))) / 2 for v in rng.random(500, dtype=np.float32)]
    written += [f"{m:.{d}f}" for m in middles for d in (6, 9, 12, 17, 30)]
    written += [f"{v:.{d}f}" for v in rng.normal(0, 1000, 500) for d in range(9)]
    for some in (written[k : k + 50] for k in range(0, len(written), 50)):
        text = "1 qid:1 " + " ".join(f"{k}:{v}" for k, v in enumerate(some, start=1))
        twins = np.array([nearest_float32(v.encode()) for v in some], dtype=np.float32)
        assert read(text.encode()).X[0].tobytes() == twins.tobytes()
