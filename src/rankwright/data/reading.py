"""One door for files: the reader is chosen by the file's name, else by what it holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from rankwright.data.compressed import read_bytes, without_compression
from rankwright.data.dataset import Dataset
from rankwright.errors import FormatError, InputError


class Format(NamedTuple):
    """A kind of file: its endings, and the module and names of its reader and writer."""

    endings: tuple[str, ...]
    module: str
    reader: str
    writer: str

    def function(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(import_module(self.module), name)
        return function


LETOR = Format(
    (".svm", ".txt", ".dat", ".letor", ".libsvm", ".svmlight"), "rankwright.data", "read_letor", "write_letor"
)
PARQUET = Format((".parquet", ".pq"), "rankwright.data.table_files", "read_parquet", "write_parquet")
CSV = Format((".csv", ".tsv"), "rankwright.data.table_files", "read_csv", "write_csv")
FORMATS = (LETOR, PARQUET, CSV)
RUNS = "rw.from_runs([run, ...], qrels) makes a Dataset of runs and qrels"

A_LETOR_LINE = re.compile(rb"\s*[-+0-9.eE]+\s+(qid:|\d+:)\S+")
A_RUN_OR_QRELS_LINE = re.compile(rb"\s*\S+\s+\S+\s+\S+\s+[-+0-9.eE]+(\s+\S+\s+\S+)?\s*")


def read(path: str | Path, **how: Any) -> Dataset:
    """Judged documents from a file.

    The ending decides: .svm .txt .dat .letor .libsvm .svmlight are LETOR (SVMlight) text, .parquet .pq Parquet, .csv
    and .tsv tables with column names; text may be compressed (.gz .xz .zst .bz2). Of any other file, the first
    line does.

    Parameters
    ----------
    path : the file.
    how : the options of its reader: :func:`rankwright.data.read_letor` (`missing`, `n_features`, ...), or the
        columns of :func:`rankwright.from_frame` (`label`, `qid`, `features`, ...).
    """
    kind = kind_of_file(path)
    try:
        data: Dataset = kind.function(kind.reader)(path, **how)
    except FormatError:
        if kind is LETOR:
            _refuse_runs(path)
        raise
    return data


def write(data: Dataset, path: str | Path, **how: Any) -> None:
    """Writes judged documents to a file, whole or not at all; the ending decides the format, as in :func:`read`.

    Parameters
    ----------
    data : what to write.
    path : the file.
    how : the options of its writer.
    """
    kind = _by_ending(path)
    if kind is None:
        endings = " ".join(ending for kind in FORMATS for ending in kind.endings)
        raise InputError(f"the file to write must end in one of {endings}. Got {Path(path).name!r}. Rename it.")
    if kind is PARQUET and without_compression(path) != Path(path):
        plain = without_compression(path).name
        raise InputError(f"a Parquet file is compressed inside. Got {Path(path).name!r}. Name it {plain!r}.")
    kind.function(kind.writer)(data, path, **how)


def kind_of_file(path: str | Path) -> Format:
    """What kind of file it is, by its ending, else by its first line."""
    kind = _by_ending(path)
    if kind is None:
        with open(path, "rb") as file:
            head = file.read(1 << 16)
        kind = LETOR if A_LETOR_LINE.match(_first_line(head)) else _by_content(path)
    return kind


def _by_ending(path: str | Path) -> Format | None:
    ending = without_compression(path).suffix.lower()
    return next((kind for kind in FORMATS if ending in kind.endings), None)


def _by_content(path: str | Path) -> Format:
    content = read_bytes(path)
    if content[:4] == b"PAR1":
        return PARQUET
    first = _first_line(content)
    if A_LETOR_LINE.match(first):
        return LETOR
    if re.search(rb"[,\t]", first) and re.search(rb"[A-Za-z]", first) and not A_RUN_OR_QRELS_LINE.fullmatch(first):
        return CSV
    raise _no_data(path, first)


def _refuse_runs(path: str | Path) -> None:
    """Runs and qrels, which often end in .txt as LETOR files do, are told what they are."""
    with Path(path).open("rb") as file:
        first = _first_line(file.read(1 << 16))
    if A_RUN_OR_QRELS_LINE.fullmatch(first) and not A_LETOR_LINE.match(first):
        raise _no_data(path, first) from None


def _no_data(path: str | Path, first: bytes) -> FormatError:
    remedy = f"{RUNS}." if A_RUN_OR_QRELS_LINE.fullmatch(first) else "Name it .svm, .parquet or .csv by its format."
    if not first:
        return FormatError(path, 0, "a data file must hold documents. It has no line with any. Check how it was made.")
    got = repr(first[:60].decode(errors="replace"))
    return FormatError(path, 0, f"a data file must be LETOR text, Parquet or CSV. It begins with {got}. {remedy}")


def _first_line(content: bytes) -> bytes:
    lines = content[: 1 << 20].splitlines()
    return next((line for line in lines if line.strip() and not line.lstrip().startswith(b"#")), b"")
