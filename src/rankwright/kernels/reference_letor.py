"""Twins of the LETOR kernels: one line at a time, as the format is explained to people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Marks = npt.NDArray[np.int64]
Values = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int32]
Fault = tuple[int, str, bytes]
Parsed = tuple[
    Fault | None,
    int,
    tuple[int, int],
    tuple[Marks, list[bytes]],
    tuple[bytes, Ids] | None,
    tuple[Ids, Ids, Values],
]

BLANK = b" \t\r"
LONGEST_NAME = 4096
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
NAMED = re.compile(rb"[+-]?(nan|inf|infinity)", re.IGNORECASE)
DOCID = re.compile(rb"docid[ \t\n\r\f]*=[ \t\n\r\f]*([^ \t\n\r\f]+)")


class _Fault(Exception):
    def __init__(self, kind: str, token: bytes) -> None:
        self.kind, self.token = kind, token[:64]


def scan_letor(text: Bytes, chunk_bytes: int, n_threads: int = 1) -> tuple[Marks, int]:
    """Marks (byte, row, line) of every chunk of whole lines and of the end; and the largest id that ends a line."""
    byte = row = line = start = 0
    largest = -1
    marks = [(0, 0, 0)]
    for content in _lines(text.tobytes()):
        if byte - start >= max(chunk_bytes, 1):
            marks.append((byte, row, line))
            start = byte
        if content.strip(BLANK + b"\n")[:1] not in (b"", b"#"):
            row += 1
            last = re.search(rb"[ \t](\d{1,12}):[^:]*$", content.partition(b"#")[0])
            largest = max(largest, int(last[1]) if last else -1)
        byte, line = byte + len(content), line + 1
    if byte:
        marks.append((byte, row, line))
    return np.array(marks, dtype=np.int64), largest


def _lines(text: bytes) -> Iterator[bytes]:
    """Lines with their ends; only a line feed ends one."""
    pieces = text.split(b"\n")
    yield from (piece + b"\n" for piece in pieces[:-1])
    if pieces[-1]:
        yield pieces[-1]


def parse_letor(
    text: Bytes,
    marks: Marks,
    y: Values,
    X: npt.NDArray[np.float32] | None,
    first_id: int,
    max_id: int,
    doc_ids: bool,
    n_threads: int = 1,
) -> Parsed:
    """Reads the rows between `marks`: labels into `y`, features into `X`, or sparse entries when `X` is None."""
    row, largest = 0, -1
    seen = {True: -1, False: -1}
    run_rows: list[int] = []
    run_qids: list[bytes] = []
    names: list[bytes] | None = [] if doc_ids else None
    entries: list[list[tuple[int, np.float32]]] = []
    fault: Fault | None = None
    for line, content in enumerate(_lines(text.tobytes()), start=int(marks[0, 2])):
        if content.strip(BLANK + b"\n")[:1] in (b"", b"#"):
            continue
        body, hash_sign, comment = content.rstrip(b"\n").partition(b"#")
        try:
            label, qid, features = _document(body.replace(b"\t", b" ").replace(b"\r", b" "), first_id, max_id)
            name = _name(comment) if doc_ids and hash_sign else b""
        except _Fault as wrong:
            fault = (line, wrong.kind, wrong.token)
            break
        y[row] = label
        entries.append([(k - first_id, v) for k, v in features])
        largest = max([largest, *(k for k, _ in features)])
        if seen[qid is not None] < 0:
            seen[qid is not None] = line
        if qid is not None and (not run_qids or run_qids[-1] != qid):
            run_rows.append(row)
            run_qids.append(qid)
        if names is not None:
            names.append(name)
        if not name:
            names = None
        if X is not None:
            for column, value in entries[-1]:
                if column < X.shape[1]:
                    X[row, column] = value
        row += 1
    kept = None if names is None else (b"".join(names), np.array([len(n) for n in names], dtype=np.int32))
    runs = (np.array(run_rows, dtype=np.int64), run_qids)
    return fault, largest, (seen[True], seen[False]), runs, kept, _sparse(entries if X is None else [])


def _sparse(entries: list[list[tuple[int, np.float32]]]) -> tuple[Ids, Ids, Values]:
    flat = [entry for row in entries for entry in sorted(row, key=lambda entry: entry[0])]
    return (
        np.array([len(row) for row in entries], dtype=np.int32),
        np.array([column for column, _ in flat], dtype=np.int32),
        np.array([value for _, value in flat], dtype=np.float32),
    )


def _document(body: bytes, first_id: int, max_id: int) -> tuple[np.float32, bytes | None, list[tuple[int, np.float32]]]:
    """Label, qid and features of a line without its comment."""
    tokens = [token for token in body.split(b" ") if token]
    label = nearest_float32(tokens[0])
    if label is None:
        raise _Fault("label-missing" if b":" in tokens[0] else "label-number", tokens[0])
    if not (np.isfinite(label) and label >= 0):
        raise _Fault("label-range", tokens[0])
    rest, qid = tokens[1:], None
    if rest and rest[0].startswith(b"qid:"):
        qid = rest[0][4:]
        if not qid or len(qid) > LONGEST_NAME:
            raise _Fault("qid-long" if qid else "qid-empty", rest[0])
        rest = rest[1:]
    features = [_feature(token, first_id, max_id) for token in rest]
    ids = sorted(k for k, _ in features)
    twice = [a for a, b in pairwise(ids) if a == b]
    if twice:
        raise _Fault("feature-twice", str(twice[0]).encode())
    if qid is not None:
        try:
            qid.decode()
        except UnicodeDecodeError:
            raise _Fault("qid-utf8", tokens[0]) from None
    return label, qid, features


def _feature(token: bytes, first_id: int, max_id: int) -> tuple[int, np.float32]:
    written, colon, number = token.partition(b":")
    if not colon:
        raise _Fault("feature-form", token)
    if written == b"qid":
        raise _Fault("qid-place", token)
    if not (written.isdigit() and written.isascii()):
        raise _Fault("feature-id", token)
    k = int(written.lstrip(b"0")[:20] or b"0")
    if not first_id <= k <= max_id:
        raise _Fault("feature-zero" if k == 0 else "feature-large", token)
    value = nearest_float32(number)
    if value is None:
        raise _Fault("value-number", token)
    if np.isinf(value):
        raise _Fault("value-infinite", token)
    return k, value


def _name(comment: bytes) -> bytes:
    """What a comment calls its document: the word after `docid =`, else all of it."""
    whole = comment.strip(b" \t\n\r\f")
    named = DOCID.match(whole)
    name = named[1] if named else whole
    if len(name) > LONGEST_NAME:
        raise _Fault("comment-long", b"")
    return name


def nearest_float32(token: bytes) -> np.float32 | None:
    """The float32 nearest to a written number, ties to even; infinite on overflow, None when it is no number."""
    if NAMED.fullmatch(token):
        return np.float32(np.nan) if token.lower().endswith(b"nan") else np.float32(token.decode())
    if not NUMBER.fullmatch(token):
        return None
    with np.errstate(over="ignore"):
        double = float(token)
        near = np.float32(double)
        # Rounding twice errs only where the double lies exactly between two float32 values and the number does not.
        other = np.nextafter(near, np.float32(np.inf if double > float(near) else -np.inf))
        if np.isfinite(double) and 2 * Fraction(double) == _exact(near) + _exact(other):
            exact = Decimal(token.decode())
            if exact != Decimal(double):
                return np.float32(max(near, other) if exact > Decimal(double) else min(near, other))
    return near


def _exact(value: np.float32) -> Fraction:
    """A float32 as a fraction; 2^128 stands for infinity, as in rounding."""
    return Fraction(float(value)) if np.isfinite(value) else Fraction(2) ** 128 * int(np.sign(value))


def format_letor(
    y: Values, ptr: Marks, ids: Ids, values: Values, heads: list[bytes], tails: list[bytes], n_threads: int = 1
) -> list[bytes]:
    """Lines of text: label, head, `id:value` entries, tail."""
    lines = []
    for row, (label, head, tail) in enumerate(zip(y, heads, tails, strict=True)):
        part = slice(int(ptr[row]), int(ptr[row + 1]))
        entries = b"".join(b" %d:%s" % (k, _written(v)) for k, v in zip(ids[part], values[part], strict=True))
        lines.append(_written(label) + head + entries + tail + b"\n")
    return lines


def _written(value: Any) -> bytes:
    """The shortest number that reads back as the same float32; of two as near, the one farther from 0."""
    size = abs(value)
    plain = size == 0 or np.isnan(size) or np.float32(1e-5) <= size < np.float32(1e16)
    if plain:
        text = np.format_float_positional(value, unique=True, trim="-")
    else:
        text = np.format_float_scientific(value, unique=True, trim="-", exp_digits=1)
    if np.isfinite(value):
        exact, near = Decimal(float(value)), Decimal(text)
        other = 2 * exact - near
        as_short = other.normalize().as_tuple().exponent == near.normalize().as_tuple().exponent
        if abs(other) > abs(near) and as_short and np.float32(float(other)) == value:
            text = f"{other.normalize():f}" if plain else f"{other.normalize():e}"
    return text.replace("nan", "NaN").replace("e+", "e").encode()
