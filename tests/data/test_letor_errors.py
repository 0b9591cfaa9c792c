"""LETOR / SVMlight text that is refused: the line is named, what is wrong with it, and what to do."""

from __future__ import annotations

import numpy as np
import pytest

import rankwright as rw

SMALL = b"""2 qid:10 1:0.5 3:-1e-3 #docid = GX008-86 inc = 1 prob = 0.08
0 qid:10 2:7 #docid = GX037-06
1 qid:32 1:1 2:2 3:3 #docid = GX111-11
"""


def read(text: bytes, **options: object) -> rw.Dataset:
    return rw.read_letor(text, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"qid:1 1:2", "label"),
        (b"1:2 2:3", "label"),
        (b"x qid:1 1:2", "label must be a number"),
        (b"nan qid:1 1:2", "at least 0"),
        (b"-1 qid:1 1:2", "at least 0"),
        (b"inf qid:1 1:2", "finite"),
        (b"1e39 qid:1 1:2", "finite"),
        (b"1,2 qid:1 1:2", "label must be a number"),
        (b"\x00 qid:1 1:2", "label must be a number"),
        (b"1 qid: 1:2", "without a blank"),
        (b"1 qid:1 qid:1 1:2", "must follow the label"),
        (b"1 1:2 qid:1", "must follow the label"),
        (b"1 qid:\xff 1:2", "UTF-8"),
        (b"1 qid:" + b"7" * 5000 + b" 1:2", "at most 4096 bytes"),
        (b"1 1:2", "every line must have a qid"),
        (b"1 qid:1 1:2 2", "id:value"),
        (b"1 qid:1 1:2 -3:4", "whole number"),
        (b"1 qid:1 1:2 a:4", "whole number"),
        (b"1 qid:1 :4", "whole number"),
        (b"1 qid:1 0:4", "start at 1"),
        (b"1 qid:1 4000000000:1", "at most 4194304"),
        (b"1 qid:1 99999999999999999999:1", "at most 4194304"),
        (b"1 qid:1 1:2 2:3 1:4", "Feature 1 stands twice"),
        (b"1 qid:1 1:2 1:2", "Feature 1 stands twice"),
        (b"1 qid:1 1:", "value must be a number"),
        (b"1 qid:1 1: 2", "value must be a number"),
        (b"1 qid:1 1:2:3", "value must be a number"),
        (b"1 qid:1 1:2\x00", "value must be a number"),
        (b"1 qid:1 1:0x1p3", "value must be a number"),
        (b"1 qid:1 1:1_0", "value must be a number"),
        (b"1 qid:1 1:inf", "finite in float32"),
        (b"1 qid:1 1:-3.5e38", "finite in float32"),
        (b"1 qid:1 1:1 # " + b"x" * 5000, "doc_ids=False"),
    ],
)
@pytest.mark.parametrize("sparse", [False, True])
def test_a_bad_line_is_named(line: bytes, reason: str, sparse: bool) -> None:
    text = b"# first\n1 qid:1 1:1\n" + line + b"\n0 qid:1 1:2\n"
    with pytest.raises(rw.FormatError, match=reason) as wrong:
        read(text, sparse=sparse)
    assert wrong.value.line == 3
    assert len(str(wrong.value)) < 250


def test_the_first_bad_line_is_the_one_named() -> None:
    with pytest.raises(rw.FormatError, match="qid") as wrong:
        read(b"1 1:1\n1 1:1\n1 qid:2 1:1\nx\n")
    assert wrong.value.line == 3
    with pytest.raises(rw.FormatError, match="label") as wrong:
        read(b"1 1:1\nx 1:1\n1 qid:2 1:1\n")
    assert wrong.value.line == 2


@pytest.mark.parametrize("text", [b"", b"\n\n", b"# only\n# comments", b"1 qid:1\n", b"1 qid:1 # a\n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("sparse", [False, True, "auto"])
def test_nothing_to_read(text: bytes, sparse: bool | str) -> None:
    with pytest.raises(rw.FormatError, match="Check that it is the right file"):
        read(text, sparse=sparse)


def test_an_array_larger_than_memory_is_refused() -> None:
    def wide(largest: int) -> bytes:
        return b"".join(b"1 qid:1 %d:1\n" % (largest if k == 3 else 1) for k in range(20_000))

    with pytest.raises(rw.FormatError, match=r"336 GB.*sparse=True"):
        read(wide(2**22), sparse=False)
    assert read(wide(50_000)).is_sparse


def test_a_very_long_line() -> None:
    many = " ".join(f"{k}:1" for k in range(1, 300_001))
    assert read(f"1 qid:1 {many}\n0 qid:1 1:2\n".encode()).X.shape == (2, 300_000)
    for line in (
        b"x" * 10**7,
        b"1 qid:1 1:" + b"1" * 10**7,
        b"1 qid:1 # " + b"y" * 10**7,
        b"1 " + b"1" * 10**7 + b":1",
    ):
        with pytest.raises(rw.FormatError) as wrong:
            read(b"1 qid:1 1:1\n" + line + b"\n")
        assert wrong.value.line == 2
        assert len(str(wrong.value)) < 250
    assert read(b"1 qid:1 1:0." + b"3" * 10**6).X[0, 0] == np.float32(1 / 3)


@pytest.mark.parametrize("options", [{"missing": 1.0}, {"n_features": 0}, {"sparse": "yes"}, {"feature_names": "aa"}])
def test_wrong_options(options: dict[str, object]) -> None:
    with pytest.raises(rw.InputError, match="Got"):
        read(SMALL, **options)
