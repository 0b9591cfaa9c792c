"""Whatever bytes come in, a Dataset or a FormatError comes out, and the twin says the same."""

from __future__ import annotations

import gzip
import lzma
import random

import numpy as np
import pytest

import rankwright as rw
from rankwright import kernels
from rankwright.data import letor, letor_rows
from rankwright.kernels import reference

SEEDS = [
    b"2 qid:10 1:0.5 3:-1e-3 #docid = GX008-86 inc = 1\n0 qid:10 2:7.25 #docid = GX037-06\n1 qid:32 1:1 2:2 # x\n",
    b"1 qid:a 1:12.950828 2:0 3:0.50000 4:-3.5 5:16777217\r\n0 qid:b 5:1 1:nan\n\n# c\n3 qid:a 1:.5 2:1.\n",
    b"0 1:1 2:0.142857\n1 2:3 40:1e30\n2 1:7.038531e-26 3:1.000000059604644775390626\n",
    b"0 qid:1 0:3 7:4\n1 qid:2 3:12345678901234567890 1:0.1\n",
]
PIECES = [
    *(bytes([b]) for b in b"0123456789:.-+eE# \t\r\n\x00\xff,_x"),
    *(b"qid:", b"qid:7 ", b"nan", b"inf", b"1e39", b" 1:1", b" 3:", b"#docid = ", b"\n1 qid:1 2:3", b"4000000000:1"),
    *(b"9" * 25, b"0.", b"1e-46", b"-0", b" 5000:1", b"\xc3\xa9", b"\n\n", b"\xef\xbb\xbf", b"3.4028236e38"),
]


def mutated(rng: random.Random) -> bytes:
    text = bytearray(rng.choice(SEEDS))
    for _ in range(rng.choice([0, 1, 1, 2, 3, 6])):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.randrange(6))
        what = rng.randrange(4)
        if what == 0:
            text[at:at] = rng.choice(PIECES)
        elif what == 1:
            text[at:end] = rng.choice(PIECES)
        elif what == 2:
            del text[at:end]
        else:
            text[at:at] = text[at : at + rng.randrange(60)]
    return bytes(text)


def outcome(text: bytes, options: dict[str, object]) -> tuple[object, ...]:
    """Everything a reader can see of the result, or of the error."""
    try:
        data = rw.read_letor(text, **options)  # type: ignore[arg-type]
    except rw.FormatError as wrong:
        return (str(wrong),)
    X = data.X.toarray() if data.is_sparse else data.X
    names = None if data.doc_ids is None else data.doc_ids.tolist()
    order = None if data.caller_rows is None else data.caller_rows.tolist()
    found = X.tobytes(), X.shape, data.y.tobytes(), data.qptr.tolist(), data.query_ids.tolist()
    return *found, names, order, data.is_sparse


def options_of(rng: random.Random) -> dict[str, object]:
    sparse = rng.choice([False, True, "auto"])
    return {
        "sparse": sparse,
        "missing": 0.0 if sparse is True else rng.choice([0.0, np.nan]),
        "zero_based": rng.random() < 0.3,
        "n_features": rng.choice([None, None, 5, 60]),
        "doc_ids": rng.random() < 0.7,
        "query_file": rng.choice([None, False]),
        "n_threads": rng.choice([1, 2]),
    }


def use_twins(patch: pytest.MonkeyPatch) -> None:
    for name in ("scan_letor", "parse_letor"):
        patch.setattr(kernels, name, getattr(reference, name))


@pytest.mark.parametrize("seed", range(8))
def test_mutated_text_is_read_or_refused_as_the_twin_does(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    read = 0
    for k in range(400):
        text, options = mutated(rng), options_of(rng)
        with monkeypatch.context() as patch:
            patch.setattr(letor, "MAX_ID", 5000)
            patch.setattr(letor_rows, "WINDOW", rng.choice([1 << 24, 60]))
            patch.setattr(letor_rows, "CHUNK", rng.choice([1 << 18, 17]))
            native = outcome(text, options)
            use_twins(patch)
            assert outcome(text, options) == native, (seed, k, text, options)
        read += len(native) > 1
    assert 40 < read < 400


def test_random_bytes_are_refused() -> None:
    rng = random.Random(11)
    for _ in range(300):
        text = rng.randbytes(rng.randrange(1, 200))
        assert len(outcome(b"1 " + text, {})) == 1


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, None], ids=["gz", "xz", "zst"])
def test_damaged_compression_is_read_or_refused(pack: object) -> None:
    if pack is None:
        pack = pytest.importorskip("zstandard").ZstdCompressor(write_checksum=True).compress
    assert callable(pack)
    rng = random.Random(13)
    whole = outcome(SEEDS[0], {})
    packed = pack(SEEDS[0])
    for _ in range(300):
        damaged = bytearray(packed)
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        if rng.random() < 0.5:
            del damaged[rng.randrange(len(damaged)) :]
        result = outcome(bytes(damaged), {})
        assert len(result) == 1 or result == whole
