"""Columns by name, whatever library holds them. No library is imported unless the object is its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError, unknown

Array = npt.NDArray[Any]
Float32 = npt.NDArray[np.float32]
ROWS = 4096  # a block of rows × columns that stays in the cache while columns become rows


class Column(NamedTuple):
    """A column: what its library calls its type, whether it holds numbers (or booleans), and its values."""

    kind: str
    is_number: bool
    floats: Callable[[], Float32]  # nulls are NaN
    values: Callable[[], Array]  # as they are


class Table:
    """Columns of equal length, by name."""

    def __init__(self, columns: Iterable[tuple[str, Column]], n_rows: int) -> None:
        listed = list(columns)
        self.columns = dict(listed)
        self.n_rows = n_rows
        if len(self.columns) < len(listed):
            names = [name for name, _ in listed]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"columns must have different names. Got {twice!r} twice. Rename one.")

    def column(self, name: str, what: str) -> Column:
        if name not in self.columns:
            wrong = unknown(f"the {what} column", name, self.columns)
            raise (
                wrong
                if what == "feature"
                else InputError(
                    f"{wrong} Say which it is: {what}='...', or rankwright convert --{what.replace('_', '-')}."
                )
            )
        return self.columns[name]

    @property
    def numbers(self) -> list[str]:
        """The columns that hold numbers."""
        return [name for name, column in self.columns.items() if column.is_number]

    def features(self, names: Sequence[str]) -> Float32:
        """Rows × the named columns, as float32."""
        wrong = {n: self.columns[n].kind for n in names if not self.columns[n].is_number}
        if wrong:
            got = ", ".join(f"{name!r} ({kind})" for name, kind in list(wrong.items())[:5])
            raise InputError(
                f"feature columns must hold numbers or booleans. Got {got}{' and others' if len(wrong) > 5 else ''}. "
                "Encode them as numbers, or leave them out."
            )
        with np.errstate(over="ignore"):
            columns = [self.columns[name].floats() for name in names]
        out = np.empty((self.n_rows, len(names)), dtype=np.float32)
        for start in range(0, self.n_rows, ROWS):
            for k, column in enumerate(columns):
                out[start : start + ROWS, k] = column[start : start + ROWS]
        return out

    def without(self, beside: Iterable[Any]) -> list[str]:
        """The columns, but for those that were passed beside the frame as labels, ids or weights."""
        passed = {str(v.name): v for v in beside if getattr(v, "name", None) is not None}
        return [n for n, column in self.columns.items() if not (n in passed and _same(column, passed[n]))]


def _same(column: Column, series: Any) -> bool:
    a, b = column.values(), np.asarray(series)
    if a.shape != b.shape:
        return False
    try:
        return bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f"))
    except (TypeError, ValueError):
        return False


def as_table(frame: Any) -> Table | None:
    """The columns of a pandas, polars or Arrow table, or of a dict of arrays; None for anything else."""
    roots = {cls.__module__.partition(".")[0] for cls in type(frame).__mro__}
    if "pandas" in roots and hasattr(type(frame), "columns"):
        return _from_pandas(frame)
    if "polars" in roots and hasattr(type(frame), "columns"):
        return _from_polars(frame.collect() if hasattr(frame, "collect") else frame)
    if "pyarrow" in roots and hasattr(frame, "schema"):
        return _from_arrow(frame)
    if isinstance(frame, Mapping):
        return _from_arrays(frame)
    return None


def _from_pandas(frame: Any) -> Table:
    from pandas.api.types import is_complex_dtype, is_numeric_dtype

    def column(j: int) -> Column:
        series = frame.iloc[:, j]
        if series.dtype == object:
            series = series.infer_objects()
        number = is_numeric_dtype(series.dtype) and not is_complex_dtype(series.dtype)
        return Column(
            kind=str(series.dtype),
            is_number=bool(number),
            floats=lambda: series.to_numpy(dtype=np.float32, na_value=np.nan),
            values=series.to_numpy,
        )

    return Table(((str(name), column(j)) for j, name in enumerate(frame.columns)), len(frame))


def _from_polars(frame: Any) -> Table:
    import polars as pl

    def column(series: Any) -> Column:
        number = series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null)
        return Column(
            kind=str(series.dtype),
            is_number=number,
            floats=lambda: series.cast(pl.Float32, strict=False).to_numpy(),
            values=series.to_numpy,
        )

    return Table(((series.name, column(series)) for series in frame), frame.height)


def _from_arrow(table: Any) -> Table:
    import pyarrow as pa

    def column(chunks: Any) -> Column:
        kind = chunks.type
        tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_decimal, pa.types.is_null)
        return Column(
            kind=str(kind),
            is_number=any(test(kind) for test in tests),
            floats=lambda: np.asarray(chunks.cast(pa.float32(), safe=False), dtype=np.float32),
            values=lambda: np.asarray(chunks),
        )

    names = table.schema.names
    return Table(((name, column(table.column(j))) for j, name in enumerate(names)), table.num_rows)


def _from_arrays(arrays: Mapping[str, Any]) -> Table:
    def column(name: str, array: Array) -> Column:
        if array.ndim != 1:
            raise InputError(
                f"columns must be one value per row. Got shape {array.shape} for {name!r}. Pass 1-d arrays."
            )
        if array.dtype == object and all(v is None or isinstance(v, (int, float)) for v in array.tolist()):
            array = array.astype(np.float64)
        return Column(str(array.dtype), array.dtype.kind in "fiub", lambda: array.astype(np.float32), lambda: array)

    listed = [(str(name), np.asarray(values)) for name, values in arrays.items()]
    lengths = {name: len(array) for name, array in listed if array.ndim}
    if len(set(lengths.values())) > 1:
        raise InputError(f"columns must have equal lengths. Got {lengths}. Pass one value per row in each.")
    return Table([(name, column(name, array)) for name, array in listed], next(iter(lengths.values()), 0))
