"""TREC runs and relevance judgements (qrels), plain or compressed."""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data.compressed import read_bytes
from rankwright.data.dataset import Array, Dataset
from rankwright.errors import FormatError, InputError
from rankwright.files import write_atomically

Scores = Mapping[str, Mapping[str, float]]
RUN = "query, Q0, document, rank, score, tag"
QRELS = "query, iteration, document, grade"
A_WORD = re.compile(r"[^ \t\n\v\f\r\ud800-\udfff]+")


class Run(dict[str, dict[str, float]]):
    """The scores of one system: query id → document id → score, with the run's `tag`."""

    def __init__(self, scores: Scores = {}, tag: str = "") -> None:  # noqa: B006 (read only)
        super().__init__({query: dict(docs) for query, docs in scores.items()})
        self.tag = tag


def read_run(path: str | Path) -> Run:
    """A TREC run: lines of query, Q0, document, rank, score, tag. As in trec_eval, only scores order documents.

    Parameters
    ----------
    path : the file, plain or compressed. The `tag` of the result is that of its first line.
    """
    lines = Lines(path, RUN)
    return Run(lines.by_query(lines.numbers(4, "score")), lines.texts(5, 1)[0])


def read_qrels(path: str | Path) -> dict[str, dict[str, float]]:
    """Relevance judgements: query id → document id → grade, as written; negative grades are kept here.

    Parameters
    ----------
    path : the file, plain or compressed: lines of query, iteration (ignored), document, grade.
    """
    lines = Lines(path, QRELS)
    return lines.by_query(lines.numbers(3, "grade"))


class Lines:
    """The fields of a file, all lines alike; blank lines are skipped, and ASCII white space parts the fields."""

    def __init__(self, path: str | Path, fields: str) -> None:
        self.path = path
        self.n_fields = fields.count(",") + 1
        content = read_bytes(path).removeprefix(b"\xef\xbb\xbf")
        counts = _fields_per_line(content)
        self.numbers_of_lines = np.flatnonzero(counts) + 1
        if len(self.numbers_of_lines) == 0:
            reason = f"each line must hold {fields}. The file has no lines. Check how it was written."
            raise FormatError(path, 0, reason)
        wrong = (counts != self.n_fields) & (counts != 0)
        if wrong.any():
            line = int(wrong.argmax())
            reason = (
                f"each line must hold {self.n_fields} fields: {fields}. Got {counts[line]}. Correct or drop the line."
            )
            raise FormatError(path, line + 1, reason)
        self.fields = content.split()

    def wrong(self, row: int, reason: str) -> FormatError:
        return FormatError(self.path, int(self.numbers_of_lines[row]), reason)

    def texts(self, column: int, n: int | None = None) -> list[str]:
        """The column as text; its first `n` lines."""
        fields = self.fields[column :: self.n_fields][:n]
        try:
            return b"\n".join(fields).decode().split("\n")
        except UnicodeDecodeError as wrong:
            row = wrong.object[: wrong.start].count(b"\n")
            raise self.wrong(row, "ids must be UTF-8 text. Got other bytes. Convert the file.") from None

    def numbers(self, column: int, what: str) -> list[float]:
        """The column as finite numbers."""
        fields = self.fields[column :: self.n_fields]
        try:
            values = list(map(float, fields))
            sound = bool(np.isfinite(values).all()) and b"_" not in b"".join(fields)
        except ValueError:
            sound = False
        if not sound:
            row = next(row for row, field in enumerate(fields) if not _is_number(field))
            got = repr(fields[row][:40].decode(errors="replace"))
            raise self.wrong(row, f"the {what} must be a finite number. Got {got}. Correct or drop the line.")
        return values

    def by_query(self, values: list[float]) -> dict[str, dict[str, float]]:
        """Query → document → value; both name a document once per query."""
        table: dict[str, dict[str, float]] = {}
        queries, docs = self.texts(0), self.texts(2)
        for query, doc, value in zip(queries, docs, values, strict=True):
            table.setdefault(query, {})[doc] = value
        if sum(map(len, table.values())) < len(docs):
            row = _first_repeated(list(zip(queries, docs, strict=True)))
            got = f"{docs[row]!r} again for {queries[row]!r}"
            raise self.wrong(row, f"a document must be listed once per query. Got {got}. Drop one.")
        return table


def _fields_per_line(content: bytes) -> npt.NDArray[np.int64]:
    byte = np.frombuffer(content, np.uint8)
    space = (byte == 32) | ((byte >= 9) & (byte <= 13))
    begins = ~space
    begins[1:] &= space[:-1]
    ends = np.append(np.flatnonzero(byte == 10), len(byte))
    return np.diff(np.searchsorted(np.flatnonzero(begins), ends), prepend=0)


def _first_repeated(pairs: list[tuple[str, str]]) -> int:
    first = dict(zip(reversed(pairs), range(len(pairs) - 1, -1, -1), strict=True))
    return next(row for row, pair in enumerate(pairs) if first[pair] != row)


def _is_number(field: bytes) -> bool:
    try:
        return b"_" not in field and math.isfinite(float(field))
    except ValueError:
        return False


# -- writing ---------------------------------------------------------------------------------------------------------


def write_run(
    data: Dataset, scores: npt.ArrayLike, path: str | Path, tag: str = "rankwright", *, depth: int | None = None
) -> None:
    """Writes a ranking as a TREC run, best first, whole or not at all; gzip where the name ends in .gz.

    Equal scores are listed by descending document id, which is the order trec_eval gives them. A document without
    an id is called by its query and place in it: "321.1" is the first document of query 321.

    Parameters
    ----------
    data : the documents that were scored.
    scores : one per document, in the order of the caller's rows, as `predict` returns them.
    path : the file to write.
    tag : the name of the run.
    depth : the number of documents to list per query; None for all.
    """
    values = np.asarray(data.from_caller(scores), dtype=np.float64)
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(f"scores must be finite. Got {values[row]} for document number {row}. Replace it.")
    queries, docs = _words(data.query_ids, "query ids"), _words(doc_names(data), "document ids")
    (tag,) = _words([tag], "the tag")
    rows = kernels.order_queries(values, data.qptr, _descending(docs), kernels.default_threads()).tolist()
    printed = [repr(value) for value in values.tolist()]
    _write(
        path,
        [
            f"{query} Q0 {docs[row]} {rank} {printed[row]} {tag}\n"
            for query, of_query in zip(queries, data, strict=True)
            for rank, row in enumerate(rows[of_query][:depth], 1)
        ],
    )


def write_qrels(data: Dataset, path: str | Path) -> None:
    """Writes the labels as TREC qrels, whole or not at all; gzip where the name ends in .gz.

    Parameters
    ----------
    data : judged documents; those without ids are called as in :func:`write_run`.
    path : the file to write.
    """
    queries, docs = _words(data.query_ids, "query ids"), _words(doc_names(data), "document ids")
    numbers = data.query_of_row.tolist()
    rows = zip(numbers, docs, data.y.tolist(), strict=True)
    _write(path, [f"{queries[q]} 0 {doc} {grade:.9g}\n" for q, doc, grade in rows])


def doc_names(data: Dataset) -> Array:
    """Document ids; where there are none, "query.place" with places from 1."""
    if data.doc_ids is not None:
        return data.doc_ids
    place = np.arange(data.n_docs) - data.qptr[:-1][data.query_of_row] + 1
    queries = data.query_ids.astype(str).tolist()
    names = [f"{queries[q]}.{n}" for q, n in zip(data.query_of_row.tolist(), place.tolist(), strict=True)]
    return np.array(names, dtype=object)


def _descending(docs: list[str]) -> npt.NDArray[np.int64]:
    """A key per document that rises where its id falls; texts compare as their UTF-8 bytes do."""
    order = sorted(range(len(docs)), key=docs.__getitem__, reverse=True)
    key = np.empty(len(docs), np.int64)
    key[order] = np.arange(len(docs))
    return key


def _words(values: Any, what: str) -> list[str]:
    texts = [value.decode() if isinstance(value, bytes) else str(value) for value in np.asarray(values).tolist()]
    for text in texts:
        if not A_WORD.fullmatch(text):
            raise InputError(f"{what} must be words without white space in a TREC file. Got {text!r}. Rename them.")
    return texts


def _write(path: str | Path, lines: list[str]) -> None:
    content = "".join(lines).encode()
    write_atomically(path, gzip.compress(content, mtime=0) if Path(path).suffix == ".gz" else content)
