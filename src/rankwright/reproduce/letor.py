"""OHSUMED and MQ2008 as LETOR published them: five folds, features scaled per query, official baselines by fold."""

from __future__ import annotations

import csv
from pathlib import Path

from rankwright.data.dataset import Dataset
from rankwright.data.reading import read
from rankwright.data.scaling import scale_queries
from rankwright.data.splits import Fold, letor_folds
from rankwright.errors import InputError
from rankwright.evaluation.table import Table

PRESET = "letor3"
LABELS = {2.0: "d", 1.0: "p", 0.0: "n"}  # definitely, possibly, not relevant


def ohsumed_folds(data: Path) -> list[Fold]:
    """The five folds, every feature min–max scaled within its query, as in the published setting."""
    return letor_folds([scale_queries(part) for part in five_parts(data, "ohsumed-letor2")])


def mq2008_folds(data: Path) -> list[Fold]:
    """The five folds; LETOR 4.0 has scaled the features already."""
    return letor_folds(five_parts(data, "mq2008"))


def five_parts(data: Path, name: str) -> list[Dataset]:
    """S1 … S5 of a LETOR collection."""
    parts = sorted((data / name).glob("S?.txt*"))
    if len(parts) != 5:
        raise InputError(f"{data / name} must hold S1.txt … S5.txt (or .xz). Found {len(parts)}. Check --data.")
    return [read(part) for part in parts]


def published(data: Path, ranker: str) -> Table | None:
    """The official test results of a baseline, fold by fold: MAP and NDCG@1 … @10; None where the file is absent."""
    path = data / "published" / "ohsumed-letor2" / f"{ranker}.csv"
    if not path.exists():
        return None
    rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
    titles = [i for i, row in enumerate(rows) if row and row[0].startswith("Performance")]
    until = titles[1] if len(titles) > 1 else len(rows)  # the first part is the test set's
    columns: dict[str, list[float]] = {}
    header: list[str] = []
    for row in rows[:until]:
        if row and row[0] == "Trials":
            header = [name for name in row[1:] if name]
        elif row and header and _is_number(row[0]):
            for name, value in zip(header, row[1:], strict=False):
                columns.setdefault(name, []).append(float(value))
    return Table(columns)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()
