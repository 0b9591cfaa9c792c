"""What can be evaluated: a model file, one score a line, or a TREC run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rankwright.cli.inputs import read_data
from rankwright.errors import FormatError

if TYPE_CHECKING:
    from rankwright.data import Dataset

RUN_FIELDS = 6  # query Q0 document rank score tag


def scored(system: str, data: str) -> tuple[Dataset, Any]:
    """Judged queries, and one score per document in the caller's order."""
    import rankwright as rw

    kind = kind_of(system)
    if kind == "run":
        return _of_run(system, data)
    if kind == "model":
        ranker = rw.load(system)
        judged = read_data(data, ranker.n_features_in_)
        return judged, ranker.predict(judged)
    return read_data(data), read_scores(system)


def kind_of(path: str) -> Literal["model", "run", "scores"]:
    """What a file holds, by its first line: models are JSON, runs have six fields."""
    with Path(path).open("rb") as file:
        first = file.readline(4096).strip()
    if first.startswith(b"{"):
        return "model"
    return "run" if len(first.split()) == RUN_FIELDS else "scores"


def read_scores(path: str) -> Any:
    """One finite number a line."""
    import numpy as np

    values = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        try:
            values.append(float(line))
        except ValueError:
            reason = f"a file of scores has one number a line. Got {line[:40]!r}. Write one line per document."
            raise FormatError(path, number, reason) from None
    return np.array(values)


def _of_run(run: str, qrels: str) -> tuple[Dataset, Any]:
    """The documents of a run, judged by qrels; its scores."""
    raise NotImplementedError
