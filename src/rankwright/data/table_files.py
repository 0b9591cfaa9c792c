"""Parquet and CSV files, by polars or pyarrow, whichever is installed."""

from __future__ import annotations

import io
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from rankwright.data.compressed import compressing, read_bytes
from rankwright.data.dataset import Dataset
from rankwright.data.tables import from_frame, to_frame
from rankwright.errors import FormatError, InputError
from rankwright.files import atomic

NULLS = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"]
IDS = ("qid", "doc_id", "docid")


def frame_library() -> str:
    """The library that reads and writes files of tables: pyarrow, else polars."""
    for name in ("pyarrow", "polars"):
        try:
            import_module(name)
        except ImportError:
            continue
        return name
    raise InputError(
        "Parquet and CSV files need polars or pyarrow. Neither is installed. Run pip install 'rankwright[frames]'."
    )


def read_parquet(path: str | Path, **columns: Any) -> Dataset:
    """A Dataset from a Parquet file; `columns` as in :func:`rankwright.from_frame`."""
    library = frame_library()
    with Path(path).open("rb"):
        pass  # a file that is not there is the system's error, with its name
    try:
        if library == "pyarrow":
            from pyarrow.parquet import read_table

            frame = read_table(path)
        else:
            import polars as pl

            frame = pl.read_parquet(path)
    except Exception as wrong:  # each library has its own classes; all mean that the file is not whole
        raise FormatError(path, 0, f"a Parquet file must be whole. {_first_line(wrong)}. Write it again.") from None
    return _from_file(path, frame, columns)


def write_parquet(data: Dataset, path: str | Path) -> None:
    """Writes a Parquet file whole or not at all; `read_parquet` reads an equal Dataset from it.

    The columns are qid, label, doc_id, doc_weight and query_weight (where there are some), then the features. Sparse
    features are written with their zeros.
    """
    library = frame_library()
    frame: Any = to_frame(data, "pyarrow" if library == "pyarrow" else "polars")
    with atomic(path) as out:
        if library == "pyarrow":
            from pyarrow.parquet import write_table

            ids = [name for name in IDS if name in frame.column_names]
            write_table(frame, out, compression="zstd", use_dictionary=ids)  # numbers rarely repeat enough
        else:
            frame.write_parquet(out)


def read_csv(path: str | Path, *, separator: str | None = None, **columns: Any) -> Dataset:
    """A Dataset from a CSV file with a header, plain or compressed.

    Empty cells, NA, NaN and null are missing values. Query and document ids are kept as written ("007" stays so),
    unless all are whole numbers written the usual way.

    Parameters
    ----------
    path : the file.
    separator : what stands between cells; by default a tab in .tsv files, else a comma.
    columns : as in :func:`rankwright.from_frame`.
    """
    library = frame_library()
    text = read_bytes(path)
    if not text.strip():
        raise FormatError(path, 1, "a CSV file must begin with column names. It is empty. Write the names first.")
    if separator is None:
        separator = _separator(path)
    ids = [name for name in (columns.get("qid", "qid"), columns.get("doc_id"), *IDS) if name is not None]
    parse = _arrow_csv if library == "pyarrow" else _polars_csv
    try:
        if library == "polars":  # it fills short rows with missing values
            _refuse_ragged(path, text, separator)
        frame = parse(text, separator, ids)
    except FormatError:
        raise
    except Exception as wrong:
        _refuse_ragged(path, text, separator)
        reason = f"rows must have as many cells as there are column names. {_first_line(wrong)}. Correct the file."
        raise FormatError(path, 0, reason) from None
    if len(frame) == 0:
        raise FormatError(path, 2, "a CSV file must have rows. Got column names only. Add one row per document.")
    data = _from_file(path, frame, columns, len(text.splitlines()))
    ids_of_docs = None if data.doc_ids is None else _numbers_if_all(data.doc_ids)
    return data.replace(query_ids=_numbers_if_all(data.query_ids), doc_ids=ids_of_docs)


def _arrow_csv(text: bytes, separator: str, ids: list[str]) -> Any:
    import pyarrow as pa
    from pyarrow import compute, csv

    table = csv.read_csv(
        io.BytesIO(text),
        parse_options=csv.ParseOptions(delimiter=separator),
        convert_options=csv.ConvertOptions(column_types={name: pa.string() for name in ids}, null_values=NULLS),
    )
    for name in set(ids) & set(table.column_names):  # texts are read as written; an empty one is no id
        at, texts = table.column_names.index(name), table[name]
        table = table.set_column(at, name, compute.if_else(compute.equal(texts, ""), None, texts))
    return table


def _polars_csv(text: bytes, separator: str, ids: list[str]) -> Any:
    import polars as pl

    header = pl.read_csv(io.BytesIO(text), separator=separator, n_rows=0, infer_schema=False).columns
    frame = pl.read_csv(
        io.BytesIO(text),
        separator=separator,
        schema_overrides={name: pl.String for name in ids if name in header},
        null_values=NULLS,
        infer_schema_length=None,
    )
    empty = [column.name for column in frame if column.null_count() == len(column) and column.name not in ids]
    return frame.with_columns(pl.col(empty).cast(pl.Float32))


def write_csv(data: Dataset, path: str | Path) -> None:
    """Writes a CSV file with a header, whole or not at all.

    Parameters
    ----------
    data : what to write.
    path : the file: tab-separated when it is called .tsv, compressed (.gz, .xz, .zst, .bz2) if its name ends so.
    """
    library = frame_library()
    separator = _separator(path)
    if library == "pyarrow":
        import pyarrow as pa
        from pyarrow import csv

        table = to_frame(data, "pyarrow")
        empty = [pa.array(np.asarray(c), from_pandas=True) if pa.types.is_floating(c.type) else c for c in table]
        with atomic(path) as file, compressing(Path(path), file) as out:
            options = csv.WriteOptions(delimiter=separator, quoting_style="needed")
            csv.write_csv(pa.table(empty, names=table.column_names), out, options)
    else:
        frame = to_frame(data, "polars").fill_nan(None)
        with atomic(path) as file, compressing(Path(path), file) as out:
            frame.write_csv(out, separator=separator)


def _separator(path: str | Path) -> str:
    return "\t" if ".tsv" in Path(path).suffixes else ","


def _refuse_ragged(path: str | Path, text: bytes, separator: str) -> None:
    """The first line that has not as many cells as the header; where cells may be quoted, nobody counts."""
    if b'"' in text:
        return
    lines = text.splitlines()
    width = lines[0].count(separator.encode()) + 1
    for number, line in enumerate(lines, 1):
        cells = line.count(separator.encode()) + 1
        if line.strip() and cells != width:
            reason = f"a row must have as many cells as there are column names, {width}. Got {cells}. Correct the line."
            raise FormatError(path, number, reason)


def _from_file(path: str | Path, frame: Any, columns: dict[str, Any], n_lines: int = 0) -> Dataset:
    """A Dataset of a file's rows; an error of a row names its line, where each row is a line below the header."""
    try:
        return from_frame(frame, **columns)
    except InputError as wrong:
        line = 0 if wrong.row is None or n_lines != len(frame) + 1 else wrong.row + 2
        raise FormatError(path, line, str(wrong)) from None


def _numbers_if_all(ids: Any) -> Any:
    """Whole numbers, when every id is the usual way to write one."""
    if ids.dtype.kind not in "OU":
        return ids
    try:
        numbers = ids.astype(np.int64)
    except (TypeError, ValueError, OverflowError):
        return ids
    return numbers if (numbers.astype(str) == ids.astype(str)).all() else ids


def _first_line(wrong: Exception) -> str:
    return str(wrong).strip().partition("\n")[0].rstrip(".")[:200]
