"""Arrays checked once, at the door: features, labels, weights."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError

Floats = npt.NDArray[np.float64]
BLOCK = 1 << 22  # numbers looked at together
INFINITE_BITS = np.float32(np.inf).view(np.uint32)


def numbered(n_features: int) -> tuple[str, ...]:
    """Names for features that have none: their LETOR ids, from 1."""
    return tuple(str(k) for k in range(1, n_features + 1))


def as_names(names: Any, n_features: int) -> tuple[str, ...]:
    """Feature names: as many different texts as there are columns."""
    if names is None:
        return numbered(n_features)
    texts = tuple(str(name) for name in names)
    if len(texts) != n_features or len(set(texts)) != n_features:
        raise InputError(
            f"feature_names must be {n_features} different names. Got {len(texts)} ({len(set(texts))} different). "
            "Pass one name per column."
        )
    return texts


def is_masked(values: Any) -> bool:
    """Whether it is a masked array; without importing NumPy's, where nobody has."""
    return "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)


def as_array(values: Any, what: str) -> npt.NDArray[Any]:
    """An array of whatever was passed; masked numbers become NaN."""
    if is_masked(values):
        masked = values.mask.any()
        return np.where(values.mask, np.nan, values.data) if masked else np.asarray(values.data)
    try:
        return np.asarray(values)
    except (TypeError, ValueError):
        raise InputError(
            f"{what} must have rows of equal length. Got ragged ones. Pad them with NaN, or pass an array."
        ) from None


def as_features(X: Any, names: Sequence[str] | None = None) -> Any:
    """Features as float32: a C-contiguous array (the caller's own where it is one already), or a CSR matrix."""
    if getattr(getattr(X, "dtype", None), "kind", "") == "c":
        raise InputError("X must hold real numbers. Complex data not supported. Pass X.real, or magnitudes.")
    if hasattr(X, "tocsr"):
        return _as_csr(X)
    values = as_array(X, "X")
    if values.ndim != 2:
        hint = "Reshape your data: X.reshape(-1, 1) is a single feature." if values.ndim == 1 else "Pass a 2-d array."
        raise InputError(f"X must have two dimensions, documents × features. Got {values.ndim}. {hint}")
    if values.dtype.kind not in "fiub":
        values = _parsed(values, "X", "Encode text, dates and categories as numbers, or drop them.")
    with np.errstate(over="ignore"):
        out = np.ascontiguousarray(values, dtype=np.float32)
    _refuse_infinite(out, values, names)
    return out


def _as_csr(X: Any) -> Any:
    if X.dtype.kind not in "fiub":
        raise InputError(f"X must hold real numbers. Got dtype {X.dtype}. Convert it first.")
    with np.errstate(over="ignore"):
        out = X.tocsr().astype(np.float32, copy=False)
    if not out.has_canonical_format:
        out = out.copy()
        out.sum_duplicates()
    if np.isinf(out.data).any():
        row, column = _where(out)
        raise _infinite(row, str(column), "an infinite number")
    return out


def _where(matrix: Any) -> tuple[int, int]:
    """Row and column of the first infinity stored in a CSR matrix."""
    entry = int(np.isinf(matrix.data).argmax())
    return int(np.searchsorted(matrix.indptr, entry, side="right")) - 1, int(matrix.indices[entry])


def _parsed(values: npt.NDArray[Any], what: str, hint: str) -> Floats:
    """Numbers of an object or text array; None is NaN. Dates and complex numbers are not numbers to rank by."""
    if values.dtype.kind in "OUS":
        try:
            return values.astype(np.float64)
        except (TypeError, ValueError):
            pass
    raise InputError(f"{what} must hold real numbers. Got dtype {values.dtype}. {hint}")


def _refuse_infinite(out: npt.NDArray[np.float32], values: npt.NDArray[Any], names: Sequence[str] | None) -> None:
    """Block by block: the sum of a block without infinities is finite, unless it has NaN or overflows."""
    rows = max(1, BLOCK // max(1, out.shape[1]))
    for start in range(0, len(out), rows):
        block = out[start : start + rows]
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(block.sum()):
                continue
        if np.isinf(block).any():
            row, column = np.argwhere(np.isinf(block))[0] + (start, 0)
            raise _infinite(row, names[column] if names is not None else str(column), values[row, column])


def _infinite(row: int, column: str, value: object) -> InputError:
    return InputError(
        f"X must hold finite float32 numbers, or NaN for missing ones. Got {value} at row {row}, column {column}. "
        "Replace infinities by NaN or a large number.",
        row,
    )


def as_labels(y: Any, n_docs: int) -> npt.NDArray[np.float32]:
    """Labels as float32, one per document, finite and not negative."""
    values = as_array(y, "y")
    if values.dtype.kind not in "fiub":
        values = _parsed(values, "y", "Pass one relevance label per document, without missing ones.")
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape != (n_docs,):
        raise InputError(f"y must be one label per row. Got shape {values.shape} for {n_docs} rows. Pass one each.")
    with np.errstate(over="ignore"):
        labels = np.ascontiguousarray(values, dtype=np.float32)
    if not are_labels(labels):
        row = int((np.isfinite(labels) & (labels >= 0)).argmin())
        raise InputError(
            f"labels must be finite and at least 0. Got {values[row]} at row {row}. "
            "Drop unjudged documents, or give them the label 0.",
            row,
        )
    return labels


def are_labels(y: npt.NDArray[np.float32]) -> bool:
    """Whether all are finite and at least 0: their bits, as whole numbers, then lie below those of infinity."""
    if y.view(np.uint32).max(initial=0) < INFINITE_BITS:
        return True
    return bool(y.min() >= 0 and y.max() < np.inf)  # −0 is a label too; NaN is neither


def as_weights(weights: Any, n: int, what: str) -> Floats | None:
    """Weights as float64, finite and not negative; None stays None."""
    if weights is None:
        return None
    values = as_array(weights, what)
    if values.dtype.kind not in "fiub":
        values = _parsed(values, what, "Pass numbers of at least 0.")
    if values.shape != (n,):
        raise InputError(f"{what} must have one value each. Got shape {values.shape} for {n}. Pass {n} weights.")
    values = np.ascontiguousarray(values, dtype=np.float64)
    if not (np.isfinite(values).all() and (values >= 0).all() and (n == 0 or values.sum() > 0)):
        low, high = values.min(), values.max()
        raise InputError(f"{what} must be finite, at least 0, and not all zero. Got {low}..{high}. Correct them.")
    return values
