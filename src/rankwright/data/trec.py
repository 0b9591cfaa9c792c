"""TREC runs and relevance judgements (qrels), plain or compressed."""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterator, Mapping
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
    queries, _, docs, _, scores, tags = _columns(path, RUN)
    return Run(_by_query(path, queries, docs, _numbers(path, scores, "score")), tags[0] if tags else "")


def read_qrels(path: str | Path) -> dict[str, dict[str, float]]:
    """Relevance judgements: query id → document id → grade, as written; negative grades are kept here.

    Parameters
    ----------
    path : the file, plain or compressed: lines of query, iteration (ignored), document, grade.
    """
    queries, _, docs, grades = _columns(path, QRELS)
    return _by_query(path, queries, docs, _numbers(path, grades, "grade"))


# -- reading ---------------------------------------------------------------------------------------------------------


def _columns(path: str | Path, fields: str) -> list[list[str]]:
    """The file's fields, column by column; blank lines are skipped, and ASCII white space parts the fields."""
    n_fields = fields.count(",") + 1
    content = read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    rows = [row for line in content.split(b"\n") if (row := line.split())]
    if not rows:
        raise FormatError(path, 0, f"each line must hold {fields}. The file has no lines. Check how it was written.")
    if any(len(row) != n_fields for row in rows):
        number, row = next((n, row) for n, row in _numbered(content) if len(row) != n_fields)
        reason = f"each line must hold {n_fields} fields: {fields}. Got {len(row)}. Correct or drop the line."
        raise FormatError(path, number, reason)
    try:
        return [b"\n".join(column).decode().split("\n") for column in zip(*rows, strict=True)]
    except UnicodeDecodeError:
        number = next(n for n, row in _numbered(content) if not _is_text(b" ".join(row)))
        raise FormatError(path, number, "ids must be UTF-8 text. Got other bytes. Convert the file.") from None


def _numbered(content: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """The lines that are not blank, with their numbers: for errors only."""
    return ((n, row) for n, line in enumerate(content.split(b"\n"), 1) if (row := line.split()))


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _line(path: str | Path, row: int) -> int:
    return next(n for k, (n, _) in enumerate(_numbered(read_bytes(path))) if k == row)


def _numbers(path: str | Path, texts: list[str], what: str) -> list[float]:
    for row, text in enumerate(texts):
        if not _is_number(text):
            reason = f"the {what} must be a finite number. Got {text[:40]!r}. Correct or drop the line."
            raise FormatError(path, _line(path, row), reason)
    return [float(text) for text in texts]


def _is_number(text: str) -> bool:
    try:
        return "_" not in text and math.isfinite(float(text))
    except ValueError:
        return False


def _by_query(
    path: str | Path, queries: list[str], docs: list[str], values: list[float]
) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for row, (query, doc, value) in enumerate(zip(queries, docs, values, strict=True)):
        of_query = table.setdefault(query, {})
        if doc in of_query:
            reason = f"a document must be listed once per query. Got {doc!r} again for {query!r}. Drop one."
            raise FormatError(path, _line(path, row), reason)
        of_query[doc] = value
    return table


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
    rows = kernels.order_queries(values, data.qptr, _descending(docs), kernels.default_threads())
    lines = []
    for query, of_query in zip(queries, data, strict=True):
        for rank, row in enumerate(rows[of_query][:depth].tolist(), 1):
            lines.append(f"{query} Q0 {docs[row]} {rank} {values[row]!s} {tag}\n")
    _write(path, lines)


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
    """A key per document that rises where its id, compared byte by byte, falls."""
    order = sorted(range(len(docs)), key=lambda row: docs[row].encode(), reverse=True)
    key = np.empty(len(docs), np.int64)
    key[order] = np.arange(len(docs))
    return key


def _words(values: Any, what: str) -> list[str]:
    texts = [value.decode() if isinstance(value, bytes) else str(value) for value in np.asarray(values).tolist()]
    for text in texts:
        if not text or len(text.encode().split()) != 1 or text.encode().strip() != text.encode():
            raise InputError(f"{what} must be words without white space in a TREC file. Got {text!r}. Rename them.")
    return texts


def _write(path: str | Path, lines: list[str]) -> None:
    content = "".join(lines).encode()
    write_atomically(path, gzip.compress(content, mtime=0) if Path(path).suffix == ".gz" else content)
