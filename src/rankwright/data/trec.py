"""TREC runs and relevance judgements (qrels), plain or compressed."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data.compressed import compressing, read_bytes
from rankwright.data.dataset import Array, Dataset
from rankwright.errors import FormatError, InputError
from rankwright.files import atomic

Scores = Mapping[str, Mapping[str, float]]
RUN = "query, Q0, document, rank, score, tag"
QRELS = "query, iteration, document, grade"
A_WORD = re.compile(r"[^ \t\n\v\f\r\ud800-\udfff]+")


class Run(dict[str, dict[str, float]]):
    """The scores of one system: query id → document id → score, with the run's `tag`."""

    def __init__(self, scores: Scores = {}, tag: str = "") -> None:  # noqa: B006 (read only)
        super().__init__((query, dict(docs)) for query, docs in scores.items())
        self.tag = tag


def read_run(path: str | Path) -> Run:
    """A TREC run: lines of query, Q0, document, rank, score, tag. As in trec_eval, only scores order documents.

    Parameters
    ----------
    path : the file, plain or compressed. The `tag` of the result is that of its first line.
    """
    scores, tag = _by_query(path, RUN, 4, "score")
    return Run(scores, tag)


def read_qrels(path: str | Path) -> dict[str, dict[str, float]]:
    """Relevance judgements: query id → document id → grade, as written; negative grades are kept here.

    Parameters
    ----------
    path : the file, plain or compressed: lines of query, iteration (ignored), document, grade.
    """
    return _by_query(path, QRELS, 3, "grade")[0]


def _by_query(path: str | Path, fields: str, at: int, what: str) -> tuple[dict[str, dict[str, float]], str]:
    """Query → document → the number in field `at`; and the last field of the first line.

    Blank lines are skipped, and ASCII white space parts the fields. One line at a time: lists of all the fields
    would take longer to make than to read.
    """
    n_fields = fields.count(",") + 1
    table: dict[str, dict[str, float]] = {}
    last, of_query, tag = b"", dict[str, float](), ""
    for number, line in enumerate(io.BytesIO(read_bytes(path).removeprefix(b"\xef\xbb\xbf")), 1):
        row = line.split()
        if not row:
            continue
        if len(row) != n_fields:
            reason = f"each line must hold {n_fields} fields: {fields}. Got {len(row)}. Correct or drop the line."
            raise FormatError(path, number, reason)
        try:
            if row[0] != last:
                last, of_query = row[0], table.setdefault(row[0].decode(), {})
            doc = row[2].decode()
            tag = tag or row[-1].decode()
        except UnicodeDecodeError:
            raise FormatError(path, number, "ids must be UTF-8 text. Got other bytes. Convert the file.") from None
        if doc in of_query:
            reason = f"a document must be listed once per query. Got {doc!r} again for {last.decode()!r}. Drop one."
            raise FormatError(path, number, reason)
        of_query[doc] = value = _number(row[at])
        if not math.isfinite(value):
            got = repr(row[at][:40].decode(errors="replace"))
            raise FormatError(path, number, f"the {what} must be a finite number. Got {got}. Correct or drop the line.")
    if not table:
        reason = f"each line must hold {fields}. The file has no lines. Check how it was written."
        raise FormatError(path, 0, reason)
    return table, tag


def _number(field: bytes) -> float:
    """NaN for what is not a number; Python would read 1_000 as one."""
    try:
        return float(field) if b"_" not in field else math.nan
    except ValueError:
        return math.nan


# -- writing ---------------------------------------------------------------------------------------------------------


def write_run(
    data: Dataset, scores: npt.ArrayLike, path: str | Path, tag: str = "rankwright", *, depth: int | None = None
) -> None:
    """Writes a ranking as a TREC run, best first, whole or not at all; compressed if its name ends so.

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
    """Writes the labels as TREC qrels, whole or not at all; compressed if its name ends so.

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
    with atomic(path) as file, compressing(Path(path), file) as out:
        out.write("".join(lines).encode())
