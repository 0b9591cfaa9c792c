"""The rows of LETOR text: scanned for their number and width, then read window by window into arrays."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data.letor_faults import fault, qid_mismatch
from rankwright.data.letor_text import Text
from rankwright.errors import FormatError

WINDOW = 1 << 24  # bytes mapped at a time; memory in use is the arrays and about one window
CHUNK = 1 << 18  # bytes a thread takes at a time
SMALL = 1 << 28  # bytes: a dense array up to this size is never too large
SPARSE_BELOW = 0.05

Marks = npt.NDArray[np.int64]


@dataclass
class Rules:
    """What a file may hold, and how it is wanted."""

    missing: float
    first_id: int
    max_id: int
    width: int | None
    doc_ids: bool
    n_threads: int


@dataclass
class Rows:
    """What the windows of a file add up to."""

    n_docs: int
    X: npt.NDArray[np.float32] | None
    largest_id: int = -1
    with_qid: int = -1
    without_qid: int = -1
    run_rows: list[int] = field(default_factory=list)
    run_qids: list[bytes] = field(default_factory=list)
    names: list[tuple[bytes, npt.NDArray[np.int32]]] | None = None

    def __post_init__(self) -> None:
        self.y = np.empty(self.n_docs, dtype=np.float32)


def read_rows(text: Text, rules: Rules, sparse: bool | Literal["auto"]) -> tuple[Rows, Any]:
    """The rows of a text, and its features as an array or a CSR matrix."""
    layout, widest = _scan(text, rules)
    n_docs = int(layout[-1][-1, 1]) if layout else 0
    if n_docs == 0:
        reason = "a file must hold at least one document. This holds none. Check that it is the right file."
        raise FormatError(text.name, 0, reason)
    while True:
        width = rules.width or max(widest - rules.first_id + 1, 0)
        if widest > rules.max_id:
            width = 0  # reading will find the fault: no array need be made for it
        if sparse is True or (sparse == "auto" and _too_empty(text, layout[0], n_docs, width, rules)):
            return _parse_sparse(text, layout, n_docs, rules)
        X = _dense(text.name, n_docs, width, rules)
        rows = _parse(text, layout, Rows(n_docs, X), rules)
        if rows.largest_id - rules.first_id < width:
            break
        # Ids out of order hid a larger one inside a line: the array was too narrow.
        widest = rows.largest_id
    if X.shape[1] == 0:
        raise FormatError(text.name, 0, "some document must have a feature. None has. Check that it is the right file.")
    return rows, X


def _scan(text: Text, rules: Rules) -> tuple[list[Marks], int]:
    """Where the chunks of each window begin (byte, row, line of the file), and the largest id that ends a line."""
    layout: list[Marks] = []
    at, widest = np.zeros(3, dtype=np.int64), -1
    for start, end in text.windows(max(WINDOW, 8 * CHUNK * rules.n_threads)):
        marks, largest = kernels.scan_letor(text.bytes[start:end], CHUNK, rules.n_threads)
        layout.append(marks + at)
        at, widest = layout[-1][-1], max(widest, largest)
    return layout, widest


def _too_empty(text: Text, first: Marks, n_docs: int, width: int, rules: Rules) -> bool:
    """Whether a dense array would be large and nearly all of it left out."""
    if 4 * n_docs * width <= SMALL:
        return False
    written = int(np.count_nonzero(text.bytes[: first[-1, 0]] == ord(":")))
    full = written / max(1, int(first[-1, 1]) * width)
    if full < SPARSE_BELOW and math.isnan(rules.missing):
        raise FormatError(
            text.name,
            0,
            f"a dense array should be at least {SPARSE_BELOW:.0%} full, or small. {n_docs} rows × {width} features "
            f"are {full:.2%} full. Pass missing=0 for a sparse matrix, or sparse=False.",
        )
    return bool(full < SPARSE_BELOW)


def _dense(name: str, n_docs: int, width: int, rules: Rules) -> npt.NDArray[np.float32]:
    """The array to fill, or an error that says how large it would be."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        if 4 * n_docs * width > memory:
            raise MemoryError
        return np.zeros((n_docs, width), dtype=np.float32)
    except (MemoryError, ValueError):
        raise FormatError(
            name,
            0,
            f"a dense array must fit in memory. {n_docs} rows × {width} features need {4e-9 * n_docs * width:,.0f} GB. "
            "Pass sparse=True, or renumber the features.",
        ) from None


def _parse(text: Text, layout: list[Marks], rows: Rows, rules: Rules) -> Rows:
    """Fills the arrays window by window."""
    rows.names = [] if rules.doc_ids else None
    for marks in layout:
        read_window(text, marks, rows, rules)
    return rows


def _parse_sparse(text: Text, layout: list[Marks], n_docs: int, rules: Rules) -> tuple[Rows, Any]:
    """The same into a CSR matrix; every entry has a colon, so colons say how many there can be."""
    from scipy.sparse import csr_matrix

    most = sum(np.count_nonzero(text.bytes[m[0, 0] : m[-1, 0]] == ord(":")) for m in layout)
    indices, values = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.float32)
    indptr = np.zeros(n_docs + 1, dtype=np.int64)
    rows = Rows(n_docs, None, names=[] if rules.doc_ids else None)
    end = 0
    for marks in layout:
        counts, ids, numbers = read_window(text, marks, rows, rules)
        indices[end : end + len(ids)], values[end : end + len(ids)] = ids, numbers
        indptr[marks[0, 1] + 1 : marks[-1, 1] + 1] = end + np.cumsum(counts, dtype=np.int64)
        end += len(ids)
    width = rules.width or rows.largest_id - rules.first_id + 1
    if width <= 0:
        raise FormatError(text.name, 0, "some document must have a feature. None has. Check that it is the right file.")
    return rows, csr_matrix((values[:end], indices[:end], indptr), shape=(n_docs, width), copy=False)


def read_window(text: Text, marks: Marks, rows: Rows, rules: Rules) -> Any:
    """Reads one window into its rows; sparse entries are returned."""
    start, end = int(marks[0, 0]), int(marks[-1, 0])
    here = slice(int(marks[0, 1]), int(marks[-1, 1]))
    X = None if rows.X is None else rows.X[here]
    if X is not None and math.isnan(rules.missing):
        X.fill(np.nan)
    wrong, largest, (with_qid, without_qid), (run_rows, run_qids), names, entries = kernels.parse_letor(
        text.bytes[start:end], marks, rows.y[here], X, rules.first_id, rules.max_id, rules.doc_ids, rules.n_threads
    )
    rows.with_qid = with_qid if rows.with_qid < 0 else rows.with_qid
    rows.without_qid = without_qid if rows.without_qid < 0 else rows.without_qid
    both = rows.with_qid >= 0 and rows.without_qid >= 0
    if wrong is not None and not (both and max(rows.with_qid, rows.without_qid) < wrong[0]):
        raise fault(text.name, *wrong, first_id=rules.first_id, max_id=rules.max_id)
    if both:
        raise qid_mismatch(text.name, rows.with_qid, rows.without_qid)
    rows.largest_id = max(rows.largest_id, largest)
    rows.run_rows += (run_rows + here.start).tolist()
    rows.run_qids += run_qids
    if rows.names is not None:
        rows.names = None if names is None else [*rows.names, names]
    text.release(start, end)
    return entries
