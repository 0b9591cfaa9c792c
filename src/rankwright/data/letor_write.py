"""Writing LETOR / SVMlight files."""

from __future__ import annotations

import math
import re
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data.compressed import compressing
from rankwright.data.dataset import Dataset
from rankwright.data.letor_faults import LONGEST_NAME
from rankwright.errors import InputError
from rankwright.files import atomic

ROWS = 4096
BREAKS = frozenset(" \t\r\n#")
NAMED = re.compile(r"docid\s*=")


def write_letor(
    data: Dataset,
    path: str | PathLike[str],
    *,
    comments: bool = True,
    missing: float = 0.0,
    n_threads: int | None = None,
) -> None:
    """Writes a Dataset so that `read_letor` gives back the same bits; compressed if its name ends so.

    Parameters
    ----------
    data : what to write, in its own row order.
    path : the file (.gz, .xz, .zst, .bz2: compressed); it appears, or replaces an older one, when it is whole.
    comments : write document ids as ``#docid = ...`` (as ``# ...`` where they contain blanks).
    missing : the value that is left out: 0 (NaN is written as ``NaN``), or NaN (zeros are written). Read the file with
        the same `missing`.
    n_threads : threads to use; None for all.

    Notes
    -----
    Numbers are the shortest that read back as the same float32. The last feature is written in the first line, so that
    the number of columns survives. The format has no place for weights and feature names: they are left out. Ids that
    look like whole numbers are read back as numbers.
    """
    if not (missing == 0 or math.isnan(missing)):
        raise InputError(f"missing must be 0 or NaN. Got {missing}. Choose which of the two is left out.")
    heads = [_head(qid) for qid in data.query_ids.tolist()]
    tails = None if data.doc_ids is None or not comments else data.doc_ids
    target = Path(path)
    with atomic(target) as file, compressing(target, file) as out:
        for start in range(0, data.n_docs, ROWS):
            rows = slice(start, min(start + ROWS, data.n_docs))
            ptr, ids, values = _entries(data, rows, missing)
            lines = kernels.format_letor(
                data.y[rows],
                ptr,
                ids,
                values,
                [heads[q] for q in data.query_of_row[rows].tolist()],
                [b""] * (rows.stop - start) if tails is None else [_tail(doc) for doc in tails[rows].tolist()],
                n_threads or kernels.default_threads(),
            )
            for block in lines:
                out.write(block)


def _head(qid: Any) -> bytes:
    text = str(qid)
    if not text or BREAKS & set(text) or len(text.encode()) > LONGEST_NAME:
        raise InputError(
            f"a query id in a LETOR file must be 1 to {LONGEST_NAME} bytes without blanks or #. Got {text[:40]!r}. "
            "Rename the queries."
        )
    return f" qid:{text}".encode()


def _tail(doc: Any) -> bytes:
    text = str(doc)
    if not text or text != text.strip() or "\n" in text or NAMED.match(text) or len(text.encode()) > LONGEST_NAME:
        raise InputError(
            f"a document id in a LETOR file must be 1 to {LONGEST_NAME} bytes on one line, without blanks around it. "
            f"Got {text[:40]!r}. Pass comments=False to leave ids out."
        )
    one_word = len(text.split()) == 1
    return f" #docid = {text}".encode() if one_word else f" # {text}".encode()


def _entries(
    data: Dataset, rows: slice, missing: float
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """The entries that are written, as row offsets, feature ids and values."""
    X = data.X[rows]
    if data.is_sparse:
        if math.isnan(missing):
            raise InputError("absent entries of sparse features are 0. Got missing=NaN. Use missing=0.")
        X.sort_indices()
        ptr, columns, values = X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data
        if rows.start == 0 and columns[: ptr[1]].max(initial=-1) < data.n_features - 1:
            ptr[1:] += 1
            columns = np.insert(columns, ptr[1] - 1, data.n_features - 1)
            values = np.insert(values, ptr[1] - 1, 0)
    else:
        # The bits, not the value: -0 is not 0.
        written = ~np.isnan(X) if math.isnan(missing) else X.view(np.uint32) != 0
        if rows.start == 0:
            written[0, -1] = True
        ptr = np.append(0, np.cumsum(np.count_nonzero(written, axis=1))).astype(np.int64)
        columns, values = np.nonzero(written)[1].astype(np.int32), X[written]
    return ptr, columns + np.int32(1), np.ascontiguousarray(values, dtype=np.float32)
