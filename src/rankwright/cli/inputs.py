"""Reading what a command is given, and checking where it is to write before the work is done."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankwright.errors import FormatError, InputError

if TYPE_CHECKING:
    from rankwright.data import Dataset

STANDARD = "-"


def read_data(path: str, n_features: int | None = None, columns: dict[str, Any] | None = None) -> Dataset:
    """Judged queries from a file of any format, or from standard input.

    Parameters
    ----------
    path : the file, or ``-``.
    n_features : columns there must be, where a model or training data say so: LETOR text does not, as it leaves out
        zeros at the end. Tables have the columns they have.
    columns : what the columns of a table are called, as in :func:`rankwright.from_frame`.
    """
    import rankwright as rw
    from rankwright.data.compressed import without_compression
    from rankwright.data.reading import CSV, PARQUET

    with local(path) as file:
        is_table = without_compression(file).suffix.lower() in (*PARQUET.endings, *CSV.endings)
        if columns and not is_table:
            raise InputError(f"only tables have columns to name: .csv, .tsv, .parquet. Got {path}. Leave them out.")
        how = columns or ({} if n_features is None or is_table else {"n_features": n_features})
        data: Dataset = rw.read(file, **how)
        return data


@contextmanager
def local(path: str) -> Iterator[Path]:
    """The path of a file that can be opened twice: itself, or a copy of what comes from standard input."""
    if path != STANDARD:
        yield Path(path)
        return
    if sys.stdin.isatty():
        raise InputError("data must be piped into standard input. Got a terminal. Name a file instead of -.")
    import tempfile

    handle, name = tempfile.mkstemp(prefix="rankwright-stdin-")
    try:
        with os.fdopen(handle, "wb") as copy:
            while block := sys.stdin.buffer.read(1 << 20):
                copy.write(block)
        yield Path(name)
    except FormatError as wrong:  # the copy is nothing to a reader of the message
        raise FormatError("standard input", wrong.line, wrong.reason) if wrong.path == name else wrong from None
    finally:
        Path(name).unlink(missing_ok=True)


def writable(path: str | None, what: str) -> None:
    """Refuses a place that cannot be written, before hours of work and not after."""
    if path is None or path == STANDARD:
        return
    folder = Path(path).absolute().parent
    if Path(path).is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{what} must be a file in a folder that can be written. Got {path}. Create the folder first.")


def write_data(data: Dataset, path: str) -> None:
    """Writes judged queries whole or not at all; the ending says the format; ``-`` is LETOR lines on stdout."""
    import rankwright as rw

    writable(path, "the file to write")
    with written_file("data.svm", path) as file:
        rw.write(data, file)


@contextmanager
def written_file(name: str, path: str | None = STANDARD) -> Iterator[Path]:
    """Where a writer that takes a path may write: the path itself, or a file that goes to standard output at the end.

    Parameters
    ----------
    name : of the file in between; its ending says the format.
    path : where the content is wanted; None to leave it in the file in between while the block runs.
    """
    if path is not None and path != STANDARD:
        yield Path(path)
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="rankwright-") as folder:
        made = Path(folder) / name
        yield made
        if path == STANDARD:
            sys.stdout.flush()
            with made.open("rb") as content:
                shutil.copyfileobj(content, sys.stdout.buffer)
            sys.stdout.buffer.flush()
