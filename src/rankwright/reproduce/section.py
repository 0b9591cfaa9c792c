"""One titled table of an experiment, with what must be said of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankwright.evaluation.table import Table


@dataclass(frozen=True)
class Section:
    """A table under its title.

    Parameters
    ----------
    title : which table or figure of the paper it stands for.
    table : its columns.
    note : where the data or the protocol differs from the paper's.
    """

    title: str
    table: Table
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {"title": self.title, "table": self.table.to_dict(), "note": self.note}

    def __str__(self) -> str:
        note = f"\n{self.note}" if self.note else ""
        return f"{self.title}\n{self.table!r}{note}\n"
