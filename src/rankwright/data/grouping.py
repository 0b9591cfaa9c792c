"""From query ids of any kind, in any order, to row offsets."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.data.checked import is_masked
from rankwright.errors import InputError

Array = npt.NDArray[Any]
Offsets = npt.NDArray[np.int64]


def rows_of_groups(qptr: Offsets) -> Offsets:
    """The query number of every row."""
    return np.repeat(np.arange(len(qptr) - 1), np.diff(qptr))


def group_rows(n_docs: int, *, qid: Any = None, group: Any = None) -> tuple[Offsets, Array, Offsets | None]:
    """Offsets, one id per query in order of first appearance, and the stable row order (None: already grouped)."""
    if qid is not None and group is not None:
        raise InputError("pass qid or group, not both. Got both. qid is one id per row, group one size per query.")
    if group is not None:
        return (*_from_sizes(as_sizes(group), n_docs), None)
    if qid is None:
        qid = np.zeros(n_docs, dtype=np.int64)
    ids = as_ids(qid, "qid")
    if len(ids) != n_docs:
        raise InputError(
            f"qid must be one value per row. Got {len(ids)} values for {n_docs} rows. "
            "Pass qid with the same length as X, or a Dataset."
        )
    return _from_ids(ids)


# -- group sizes -----------------------------------------------------------------------------------------------------


def as_sizes(group: Any) -> Offsets:
    """The number of rows of each query, zeros included."""
    try:
        sizes = np.asarray(group)
    except ValueError:
        sizes = np.asarray("ragged lists")
    if sizes.ndim == 1 and len(sizes) == 0:
        return np.zeros(0, np.int64)
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or (sizes < 0).any():
        raise InputError(
            f"group must be the number of rows of each query. Got {group!r:.60}. "
            "Pass whole numbers of at least 0, or use qid."
        )
    return sizes.astype(np.int64)


def _from_sizes(sizes: Offsets, n_docs: int) -> tuple[Offsets, Array]:
    if sizes.sum() != n_docs:
        raise InputError(
            f"group sizes must add up to the number of rows. Got {sizes.sum()} for {n_docs} rows. "
            "Pass one size per query, or use qid."
        )
    numbers = np.flatnonzero(sizes)  # queries without rows keep their number, and are left out
    return np.append(0, np.cumsum(sizes[numbers])).astype(np.int64), numbers


# -- ids -------------------------------------------------------------------------------------------------------------


def as_ids(values: Any, what: str) -> Array:
    """One id per row, of any type, none missing; 1 and "1" in one list stay different."""
    ids = _array_of(values, what)
    if ids.ndim == 2 and ids.shape[1] == 1:
        ids = ids[:, 0]
    if ids.ndim != 1:
        raise InputError(f"{what} must be one value per row. Got an array of shape {ids.shape}. Pass a 1-d array.")
    if ids.dtype.kind in "cV":
        raise InputError(f"{what} must be numbers, text or dates. Got dtype {ids.dtype}. Pass one plain id per row.")
    row = _first_missing(values, ids)
    if row is not None:
        raise InputError(f"{what} must not be missing. Got {ids[row]} at row {row}. Fill or drop it.", row)
    return ids


def _array_of(values: Any, what: str) -> Array:
    try:
        ids = np.asarray(values)
    except ValueError:
        raise InputError(f"{what} must be one value per row. Got ragged lists. Pass one plain id per row.") from None
    if not isinstance(values, (list, tuple)) or ids.ndim != 1:
        return ids
    # NumPy writes [1, "a"] as two texts, and [2**63, -1] as two inexact floats
    became_text = ids.dtype.kind in "US" and not all(isinstance(v, (str, bytes)) for v in values)
    became_float = ids.dtype.kind == "f" and any(isinstance(v, int) and abs(v) > 2**53 for v in values)
    if became_text or became_float:
        ids = np.empty(len(values), dtype=object)
        ids[:] = values
    return ids


def _first_missing(values: Any, ids: Array) -> int | None:
    if is_masked(values):
        wrong = np.ma.getmaskarray(values).ravel()
    elif ids.dtype.kind == "f":
        wrong = np.isnan(ids)
    elif ids.dtype.kind in "mM":
        wrong = np.isnat(ids)
    elif ids.dtype.kind == "O":
        wrong = np.fromiter(map(_is_missing, ids.tolist()), bool, len(ids))
    else:
        return None
    return int(wrong.argmax()) if wrong.any() else None


def _is_missing(value: Any) -> bool:
    if type(value) is str:
        return False
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA is neither equal to itself nor not
        return True


def _from_ids(ids: Array) -> tuple[Offsets, Array, Offsets | None]:
    n_docs = len(ids)
    begins = np.ones(n_docs, bool)
    np.not_equal(ids[1:], ids[:-1], out=begins[1:])
    starts = np.flatnonzero(begins)
    runs = ids[starts] if len(starts) < n_docs else ids
    if ids.dtype.kind != "O" and (runs[1:] > runs[:-1]).all():  # sorted: nothing can return
        return np.append(starts, n_docs).astype(np.int64), runs, None
    # A dictionary, not np.unique: objects need not be comparable, and first appearance decides the order.
    listed = runs.tolist()
    try:
        number = {query: k for k, query in enumerate(dict.fromkeys(listed))}
        query_of_run = np.fromiter(map(number.__getitem__, listed), np.int64, len(listed))
    except TypeError:
        raise InputError("qid must be numbers, text or dates. Got values that cannot be hashed. Use text.") from None
    if len(number) == len(runs):
        return np.append(starts, n_docs).astype(np.int64), runs, None
    query_of_row = np.repeat(query_of_run, np.diff(np.append(starts, n_docs)))
    # (query, row) in one number: sorting it is several times faster than a stable argsort
    rows = np.sort(query_of_row * n_docs + np.arange(n_docs)) % n_docs
    qptr = np.append(0, np.cumsum(np.bincount(query_of_row))).astype(np.int64)
    return qptr, ids[rows[qptr[:-1]]], rows
