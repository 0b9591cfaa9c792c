"""From query ids of any kind, in any order, to row offsets."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError

Offsets = npt.NDArray[np.int64]


def rows_of_groups(qptr: Offsets) -> Offsets:
    """The query number of every row."""
    return np.repeat(np.arange(len(qptr) - 1), np.diff(qptr))


def group_rows(n_docs: int, *, qid: Any = None, group: Any = None) -> tuple[Offsets, npt.NDArray[Any], Offsets | None]:
    """Offsets, one id per query in order of first appearance, and the stable row order (None: already grouped)."""
    if qid is not None and group is not None:
        raise InputError("pass qid or group, not both. Got both. qid is one id per row, group one size per query.")
    if group is not None:
        return (*_from_sizes(group, n_docs), None)
    if qid is None:
        qid = np.zeros(n_docs, dtype=np.int64)
    return _from_ids(_as_ids(qid), n_docs)


def _from_sizes(group: Any, n_docs: int) -> tuple[Offsets, npt.NDArray[Any]]:
    sizes = np.asarray(group)
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or (sizes < 0).any():
        raise InputError(
            "group must be the number of rows of each query. Got others. Pass whole numbers ≥ 0, or use qid."
        )
    if sizes.sum() != n_docs:
        raise InputError(
            f"group sizes must add up to the number of rows. Got {sizes.sum()} for {n_docs} rows. "
            "Pass one size per query, or use qid."
        )
    sizes = sizes[sizes > 0].astype(np.int64)
    qptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return qptr, np.arange(len(sizes), dtype=np.int64)


def _as_ids(qid: Any) -> npt.NDArray[Any]:
    ids = np.asarray(qid)
    if ids.ndim == 2 and ids.shape[1] == 1:
        ids = ids[:, 0]
    if ids.ndim != 1:
        raise InputError(f"qid must be one value per row. Got an array of shape {ids.shape}. Pass a 1-d array.")
    if ids.dtype.kind == "f":
        if np.isnan(ids).any():
            raise InputError(f"qid must not be missing. Got NaN at row {int(np.isnan(ids).argmax())}. Fill or drop it.")
    elif ids.dtype.kind == "O":
        missing = [i for i, value in enumerate(ids.tolist()) if value is None or value != value]
        if missing:
            raise InputError(f"qid must not be missing. Got {ids[missing[0]]!r} at row {missing[0]}. Fill or drop it.")
    return ids


def _from_ids(ids: npt.NDArray[Any], n_docs: int) -> tuple[Offsets, npt.NDArray[Any], Offsets | None]:
    if len(ids) != n_docs:
        raise InputError(
            f"qid must be one value per row. Got {len(ids)} values for {n_docs} rows. "
            "Pass qid with the same length as X, or a Dataset."
        )
    starts = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]])) if n_docs else np.empty(0, np.int64)
    runs = ids[starts]
    if ids.dtype.kind != "O" and (runs[1:] > runs[:-1]).all():  # sorted: nothing can return
        return np.append(starts, n_docs).astype(np.int64), runs, None
    # A dictionary, not np.unique: objects need not be comparable, and first appearance decides the order.
    number: dict[Any, int] = {}
    query_of_run = np.fromiter((number.setdefault(q, len(number)) for q in runs.tolist()), np.int64, len(runs))
    if len(number) == len(runs):
        return np.append(starts, n_docs).astype(np.int64), runs, None
    lengths = np.diff(np.append(starts, n_docs))
    query_of_row = np.repeat(query_of_run, lengths)
    rows = np.argsort(query_of_row, kind="stable")
    qptr = np.concatenate([[0], np.cumsum(np.bincount(query_of_row))]).astype(np.int64)
    return qptr, ids[rows[qptr[:-1]]], rows
