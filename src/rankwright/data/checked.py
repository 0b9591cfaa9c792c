"""Arrays checked once, at the door: features, labels, weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError

Floats = npt.NDArray[np.float64]


def numbered(n_features: int) -> tuple[str, ...]:
    """Names for features that have none: their LETOR ids, from 1."""
    return tuple(str(k) for k in range(1, n_features + 1))


def as_features(X: Any) -> Any:
    """Features as float32: a C-contiguous array, or a CSR matrix."""
    if getattr(getattr(X, "dtype", None), "kind", "") == "c":
        raise InputError("X must hold real numbers. Complex data not supported. Pass X.real, or magnitudes.")
    if hasattr(X, "tocsr"):
        return X.tocsr().astype(np.float32)
    values = np.asarray(X)
    if values.ndim == 1:
        raise InputError(
            "X must have two dimensions, documents × features. Got one. Reshape your data: "
            "X.reshape(-1, 1) is a single feature."
        )
    if values.ndim != 2:
        raise InputError(f"X must have two dimensions, documents × features. Got {values.ndim}. Pass a 2-d array.")
    if values.dtype.kind not in "fiub":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise InputError(
                f"X must hold numbers. Got dtype {values.dtype}. Encode text columns as numbers, or drop them."
            ) from None
    with np.errstate(over="ignore"):
        out = np.ascontiguousarray(values, dtype=np.float32)
    if np.isinf(out).any():
        row, column = np.argwhere(np.isinf(out))[0]
        raise InputError(
            f"X must hold finite float32 numbers, or NaN for missing ones. Got {values[row, column]} at row {row}, "
            f"column {column}. Replace infinities by NaN or a large number."
        )
    return out


def as_labels(y: Any, n_docs: int) -> npt.NDArray[np.float32]:
    """Labels as float32, one per document, finite and not negative."""
    try:
        labels = np.ascontiguousarray(np.asarray(y), dtype=np.float32)
    except (TypeError, ValueError):
        raise InputError(f"y must hold numbers. Got {y!r:.60}. Pass one relevance label per document.") from None
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (n_docs,):
        raise InputError(f"y must be one label per row. Got shape {labels.shape} for {n_docs} rows. Pass one each.")
    if n_docs and not (labels.min() >= 0 and labels.max() < np.inf):  # NaN is neither
        row = int(np.flatnonzero(~(np.isfinite(labels) & (labels >= 0)))[0])
        raise InputError(
            f"labels must be finite and at least 0. Got {labels[row]} at row {row}. "
            "Drop unjudged documents, or give them the label 0."
        )
    return labels


def as_weights(weights: Any, n: int, what: str) -> Floats | None:
    """Weights as float64, finite and not negative; None stays None."""
    if weights is None:
        return None
    values = np.ascontiguousarray(weights, dtype=np.float64)
    if values.shape != (n,):
        raise InputError(f"{what} must have one value each. Got shape {values.shape} for {n}. Pass {n} weights.")
    if not (np.isfinite(values).all() and (values >= 0).all() and (n == 0 or values.sum() > 0)):
        raise InputError(f"{what} must be finite, at least 0, and not all zero. Got {values.min()}..{values.max()}.")
    return values
