"""LightGBM's side files: NAME.query holds one number of rows per query, NAME.weight one weight per row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from rankwright.data.compressed import read_bytes, without_compression
from rankwright.errors import FormatError


def beside(path: str | Path, suffix: str) -> Path | None:
    """The side file of a data file, plain; that of rank.test.xz may be called after rank.test."""
    path = Path(path)
    found = (Path(f"{name}{suffix}") for name in (path, without_compression(path)))
    return next((side for side in found if side.is_file()), None)


def _numbers(path: Path, what: str) -> list[tuple[int, float]]:
    """The number on each line that is not empty, with the line's number."""
    numbers = []
    for line, words in enumerate(read_bytes(path).splitlines(), start=1):
        try:
            numbers += [(line, float(word.replace(b"_", b"?"))) for word in words.split()]
        except ValueError:
            reason = f"a line must hold {what}. Got {words[:40]!r}. Correct the line."
            raise FormatError(path, line, reason) from None
    return numbers


def group_sizes(path: Path, n_docs: int) -> npt.NDArray[np.int64]:
    """Rows per query; they must add up to the rows of the data."""
    numbers = _numbers(path, "the number of rows of a query")
    for line, size in numbers:
        if not (size >= 0 and size == int(min(size, 2.0**53))):
            raise FormatError(path, line, f"a query must have a whole number of rows. Got {size:g}. Correct the line.")
    total = sum(int(size) for _, size in numbers)
    if total != n_docs:
        reason = f"the queries must add up to the rows of the data. Got {total} for {n_docs} rows. Use its own file."
        raise FormatError(path, 0, reason)
    return np.array([size for _, size in numbers], dtype=np.int64)


def doc_weights(path: Path, n_docs: int) -> npt.NDArray[np.float64]:
    """One weight per row."""
    numbers = _numbers(path, "the weight of a row")
    for line, weight in numbers:
        if not (np.isfinite(weight) and weight >= 0):
            raise FormatError(path, line, f"a weight must be finite and at least 0. Got {weight:g}. Correct the line.")
    if len(numbers) != n_docs or not any(weight for _, weight in numbers):
        reason = f"there must be one weight per row, not all 0. Got {len(numbers)} for {n_docs} rows. Use its own file."
        raise FormatError(path, 0, reason)
    return np.array([weight for _, weight in numbers])
