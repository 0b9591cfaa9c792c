"""What can be evaluated: a model file, one score a line, or a TREC run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import rankwright as rw
from rankwright.cli.inputs import local, read_data
from rankwright.data.compressed import read_bytes, without_compression
from rankwright.data.reading import A_LETOR_LINE
from rankwright.data.trec import doc_names
from rankwright.errors import FormatError, InputError

if TYPE_CHECKING:
    from rankwright.data import Dataset

QRELS_FIELDS = (3, 4)  # query iteration document grade; one missing is an error of the file, not another format


def scored(system: str, data: str) -> tuple[Dataset, Any]:
    """Judged queries, and one score per document in the caller's order."""
    with local(system) as file:
        kind = kind_of(file)
        if kind == "model":
            ranker = rw.load(file)
            judged = read_data(data, ranker.n_features_in_)
            return judged, ranker.predict(judged)
        if kind == "run":
            run = rw.read_run(file)
            judged = rw.from_runs({"run": run}, data, docs="all") if is_qrels(data) else read_data(data)
            return judged, judged.to_caller(scores_of_run(run, judged))
        return read_data(data), read_scores(file)


def kind_of(path: Path) -> Literal["model", "run", "scores"]:
    """What a file holds, by its first line: models are JSON or another engine's, runs have fields, scores have one."""
    first = _first_line(path)
    if A_LETOR_LINE.match(first):
        raise InputError(
            f"what is evaluated must be a model, a run or scores. Got judged queries in {path}. "
            "Write rankwright evaluate MODEL DATA."
        )
    if first.startswith((b"{", b"##")) or first == b"tree":
        return "model"
    return "run" if len(first.split()) > 1 else "scores"


def is_qrels(path: str) -> bool:
    """Whether a file holds TREC judgements: four fields a line, the second of them no name:value."""
    fields = _first_line(Path(path)).split() if path != "-" else []
    return len(fields) in QRELS_FIELDS and b":" not in fields[1] and not fields[0].startswith(b"#")


def _first_line(path: Path) -> bytes:
    if without_compression(path) != path:
        return next((line.strip() for line in read_bytes(path).split(b"\n") if line.strip()), b"")
    with path.open("rb") as file:
        return next((line.strip() for line in iter(lambda: file.readline(4096), b"") if line.strip()), b"")


def read_scores(path: Path) -> Any:
    """One number a line."""
    values = []
    for number, line in enumerate(read_bytes(path).decode(errors="replace").splitlines(), 1):
        try:
            values.append(float(line))
        except ValueError:
            reason = f"a file of scores has one number a line. Got {line[:40]!r}. Write one line per document."
            raise FormatError(path, number, reason) from None
    return np.array(values)


def scores_of_run(run: dict[str, dict[str, float]], judged: Dataset) -> Any:
    """The run's scores for the judged documents, in the order of the data's rows; those it does not list rank last."""
    documents = [str(name) for name in doc_names(judged).tolist()]
    queries = [str(query) for query in judged.query_ids.tolist()]
    scores = np.full(judged.n_docs, -np.inf)
    for query, rows in zip(queries, judged, strict=True):
        listed = run.get(query, {})
        scores[rows] = [listed.get(document, -np.inf) for document in documents[rows]]
    if judged.n_docs and np.isneginf(scores).all():
        raise InputError(
            f"the run must rank documents of the data. It lists none of them: its first query is "
            f"{next(iter(run))!r}, the data's {queries[0]!r}. Check the ids."
        )
    return scores
