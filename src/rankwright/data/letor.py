"""LETOR / SVMlight files: ``label qid:id feature:value ... # comment``, one judged document a line."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data.dataset import Dataset
from rankwright.data.grouping import group_rows
from rankwright.data.letor_faults import MAX_ID
from rankwright.data.letor_names import document_ids, query_numbers
from rankwright.data.letor_rows import WINDOW, Rows, Rules, read_rows
from rankwright.data.letor_text import Source, Text
from rankwright.data.side_files import beside, doc_weights, group_sizes
from rankwright.errors import FormatError, InputError

QueryFile = str | os.PathLike[str] | Literal[False] | None


def read_letor(
    source: Source,
    *,
    missing: float = 0.0,
    n_features: int | None = None,
    zero_based: bool = False,
    sparse: bool | Literal["auto"] = "auto",
    query_file: QueryFile = None,
    doc_ids: bool = True,
    feature_names: Sequence[str] | None = None,
    n_threads: int | None = None,
) -> Dataset:
    """Reads a LETOR / SVMlight file: plain, .gz, .xz, .zst or .bz2.

    Lines of one query need not be together; features of one line need not be in order. Blank lines and lines that
    hold only a comment are passed over. ``nan`` is a missing value wherever it is written.

    Parameters
    ----------
    source : a path, or the bytes of a file.
    missing : what a feature that a line leaves out is: 0, or NaN.
    n_features : the number of columns; by default the largest feature id. A larger id is an error then.
    zero_based : feature ids count from 0, as some LightGBM and XGBoost files do. Without it an id of 0 is an error,
        never a guess: a file whose feature 0 happens to be absent could not be told apart.
    sparse : read into a CSR matrix (absent entries are 0). "auto" does so when a dense array would be larger than
        256 MB and less than 5% of it written, as the first 16 MB of text show.
    query_file : LightGBM's side file with the number of rows of each query, for data without ``qid:``; by default
        NAME.query beside the file. False takes all rows as one query.
    doc_ids : keep each document's id: what follows ``docid =`` in its comment, else the whole comment; None when
        some document has neither. `read_comments` gives the comments as written.
    feature_names : one name per column; by default the feature ids.
    n_threads : threads to read with; every core by default. The result is the same for any number.

    Returns
    -------
    A Dataset. Query ids are int64 when all are whole numbers without leading zeros, text otherwise. NAME.weight beside
    data without ``qid:`` becomes `doc_weight`. Document ids are text.

    Notes
    -----
    Numbers become the nearest float32, ties to even. One that is too large for a float32, an infinite one, a repeated
    feature, and a line with a qid where others have none are FormatErrors that name file and line. Feature ids go up
    to 4,194,304, query and document ids to 4,096 bytes. Plain files are mapped: beside the arrays returned, about
    16 MB are in use; compressed ones are held decompressed while they are read. Queries whose rows are scattered are
    copied together once.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.read_letor(b"2 qid:7 1:0.5 3:1 #docid = a\\n0 qid:7 2:0.25 #docid = b\\n").X.tolist()
    [[0.5, 0.0, 1.0], [0.0, 0.25, 0.0]]
    """
    names = None if feature_names is None else tuple(feature_names)
    rules = _rules(missing, n_features, zero_based, names, doc_ids, n_threads)
    if sparse not in (True, False, "auto") or (sparse is True and math.isnan(missing)):
        raise InputError(
            f"sparse must be True, False or 'auto', and absent entries of a sparse matrix are 0. Got {sparse!r} with "
            f"missing={missing}. Pass sparse=False, or missing=0."
        )
    text = Text.of(source)
    rows, X = read_rows(text, rules, sparse)
    width = X.shape[1]
    fields: dict[str, Any] = {"doc_ids": document_ids(rows.names, rows.n_docs)}
    qptr, query_ids, order = _queries(text.name, rows, query_file, source, fields)
    if order is not None:
        X, rows.y = X[order], rows.y[order]
        fields = {name: None if value is None else value[order] for name, value in fields.items()}
    fields["feature_names"] = names or tuple(str(k) for k in range(rules.first_id, rules.first_id + width))
    return Dataset.grouped(X, rows.y, qptr, query_ids, caller_rows=order, **fields)


def read_comments(source: Source) -> list[str]:
    """The comment of each document of a LETOR file, in the file's order, without ``#``; "" where there is none."""
    text, comments = Text.of(source), []
    for start, end in text.windows(WINDOW):
        for line in text.bytes[start:end].tobytes().split(b"\n"):
            body, _, comment = line.partition(b"#")
            if body.strip(b" \t\r"):
                comments.append(comment.strip(b" \t\r").decode("utf-8", "replace"))
    return comments


def _rules(
    missing: float,
    n_features: int | None,
    zero_based: bool,
    names: tuple[str, ...] | None,
    doc_ids: bool,
    n_threads: int | None,
) -> Rules:
    if not (missing == 0 or math.isnan(missing)):
        raise InputError(f"missing must be 0 or NaN. Got {missing}. Replace other values after reading.")
    width = len(names) if n_features is None and names is not None else n_features
    if width is not None and not 1 <= width <= MAX_ID:
        raise InputError(f"n_features must be in 1..{MAX_ID}. Got {width}. Leave it out to take the largest id.")
    if names is not None and (len(names) != width or len(set(names)) != width):
        raise InputError(f"feature_names must be {width} different names. Got {len(names)}. Pass one per column.")
    first = 0 if zero_based else 1
    largest = MAX_ID if width is None else first + width - 1
    return Rules(missing, first, largest, width, doc_ids, n_threads or kernels.default_threads())


def _queries(
    name: str, rows: Rows, query_file: QueryFile, source: Source, fields: dict[str, Any]
) -> tuple[Any, Any, npt.NDArray[np.int64] | None]:
    """Offsets, query ids and row order, from qids or from LightGBM's side files."""
    if rows.with_qid >= 0:
        if query_file:
            raise InputError(f"query_file is for data without qid:. {name} has qids. Leave query_file out.")
        numbers, ids = query_numbers(rows.run_rows, rows.run_qids, rows.n_docs)
        qptr, which, order = group_rows(rows.n_docs, qid=numbers)
        return qptr, ids[which], order
    if query_file is False:
        return group_rows(rows.n_docs)
    path = None if isinstance(source, (bytes, bytearray, memoryview)) else Path(source)
    side = Path(query_file) if query_file is not None else path and beside(path, ".query")
    if side is None:
        reason = "queries must be told apart by qid: or by a .query file. There is neither. "
        raise FormatError(name, 0, reason + "Add qid:, pass query_file, or query_file=False for one query.")
    weights = path and beside(path, ".weight")
    fields["doc_weight"] = doc_weights(weights, rows.n_docs) if weights else None
    return group_rows(rows.n_docs, group=group_sizes(side, rows.n_docs))
