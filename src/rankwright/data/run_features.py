"""Runs as features: one document per row, one run per column."""

from __future__ import annotations

import heapq
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from rankwright.data.checked import as_labels
from rankwright.data.compressed import without_compression
from rankwright.data.dataset import Dataset
from rankwright.data.trec import Run, Scores, read_qrels, read_run
from rankwright.errors import InputError

RunLike = str | Path | Scores
Docs = Literal["union", "judged", "all"]
Queries = Literal["both", "qrels", "runs"]


def from_runs(
    runs: Mapping[str, RunLike] | Sequence[RunLike],
    qrels: str | Path | Scores | None = None,
    *,
    depth: int | None = None,
    missing_score: Literal["min", "zero"] | float = "min",
    unjudged: float | Literal["drop"] = 0,
    docs: Docs = "union",
    queries: Queries = "both",
) -> Dataset:
    """Judged documents with one feature per run: the score that the run gave.

    Labels are the grades of the qrels; negative grades (−1 and −2 in some TREC tracks: junk, or not judged) become
    0. A measure sees only the documents that are here: with ``docs="union"``, a relevant document that no run
    found does not count against any ranking; ``docs="all"`` keeps it, as trec_eval does.

    Parameters
    ----------
    runs : run files by feature name, or a list of them (each named by its tag, or by its file where tags are the
        same). In place of a file, scores in memory: query id → document id → score.
    qrels : the judgements: a file, or query id → document id → grade; None labels all documents 0.
    depth : only the documents of a run's `depth` highest scores in a query (equal scores by descending document id,
        as trec_eval orders them) count as found by it; None for all.
    missing_score : the feature of a document that the run did not find: "min", the lowest score that the run gave in
        that query (in any query, where it has none in that one); "zero"; or a number, such as NaN.
    unjudged : the label of documents without a judgement, or "drop" to leave them out.
    docs : "union", the documents that some run found; "judged", those with a judgement, found or not; "all", both.
    queries : "both", the queries that some run and the qrels have; "qrels" or "runs", all those of either. Queries
        left with no documents are left out. A warning counts the queries that only one side has.

    Examples
    --------
    >>> import rankwright as rw
    >>> bm25, dense = {"q1": {"a": 7.0, "b": 5.0}}, {"q1": {"b": 0.9}}
    >>> data = rw.from_runs({"bm25": bm25, "dense": dense}, {"q1": {"b": 1}})
    >>> data.feature_names, data.doc_ids.tolist(), data.X.tolist(), data.y.tolist()
    (('bm25', 'dense'), ['a', 'b'], [[7.0, 0.8999999761581421], [5.0, 0.8999999761581421]], [0.0, 1.0])
    """
    _check_policies(depth, missing_score, unjudged, docs, queries)
    named = {name: _cut(run, depth) for name, run in _named(runs).items()}
    judged = None if qrels is None else read_qrels(qrels) if isinstance(qrels, (str, Path)) else qrels
    chosen = _chosen_queries(named, judged, queries if judged is not None else "runs")
    grades = judged or {}
    listed = [(query, _documents(query, named, grades, docs, unjudged)) for query in chosen]
    kept = [(query, of_query) for query, of_query in listed if of_query]
    _report(named, judged, len(kept), len(listed) - len(kept))
    labels = [_label(grades, q, d, unjudged) for q, of_query in kept for d in of_query]
    return Dataset.grouped(
        X=_matrix(named, kept, missing_score),
        y=as_labels(np.array(labels, dtype=np.float64), len(labels)),
        qptr=np.cumsum([0, *(len(of_query) for _, of_query in kept)], dtype=np.int64),
        query_ids=np.array([query for query, _ in kept], dtype=object),
        doc_ids=np.array([doc for _, of_query in kept for doc in of_query], dtype=object),
        feature_names=tuple(named),
    )


def _check_policies(depth: object, missing_score: object, unjudged: object, docs: object, queries: object) -> None:
    if depth is not None and (not isinstance(depth, (int, np.integer)) or depth < 1):
        raise InputError(f"depth must be a whole number of at least 1. Got {depth!r}. Use None for all documents.")
    if isinstance(missing_score, str) and missing_score not in ("min", "zero"):
        raise InputError(f"missing_score must be min, zero or a number. Got {missing_score!r}. Choose one.")
    if not isinstance(missing_score, str) and np.isinf(float(missing_score)):  # type: ignore[arg-type]
        raise InputError("missing_score must not be infinite. Got an infinity. Use NaN, min or a finite number.")
    if unjudged != "drop" and (isinstance(unjudged, str) or not 0 <= float(unjudged) < np.inf):  # type: ignore[arg-type]
        raise InputError(f"unjudged must be a label of at least 0, or drop. Got {unjudged!r}. Choose one.")
    if docs not in ("union", "judged", "all"):
        raise InputError(f"docs must be union, judged or all. Got {docs!r}. Choose one.")
    if queries not in ("both", "qrels", "runs"):
        raise InputError(f"queries must be both, qrels or runs. Got {queries!r}. Choose one.")


def named_runs(runs: Mapping[str, RunLike] | Sequence[RunLike], depth: int | None = None) -> dict[str, Scores]:
    """The runs by name, read and cut: see :func:`from_runs` for both parameters.

    Parameters
    ----------
    runs : files or scores in memory.
    depth : documents to keep of each query; None for all.
    """
    _check_policies(depth, "min", 0, "union", "both")
    return {name: _cut(run, depth) for name, run in _named(runs).items()}


# -- names -----------------------------------------------------------------------------------------------------------


def _named(runs: Mapping[str, RunLike] | Sequence[RunLike]) -> dict[str, Scores]:
    if isinstance(runs, (str, Path)):
        runs = [runs]
    if isinstance(runs, Mapping):
        read = {str(name): _read(run) for name, run in runs.items()}
        if any(not isinstance(docs, Mapping) for run in read.values() for docs in run.values()):
            raise InputError("runs must be named. Got the scores of one run. Pass {'name': scores}.")
    else:
        listed = [_read(run) for run in runs]
        read = dict(zip(_names(runs, listed), listed, strict=True))
    if not read:
        raise InputError("there must be a run. Got none. Pass at least one file.")
    return read


def _read(run: RunLike) -> Scores:
    return read_run(run) if isinstance(run, (str, Path)) else run


def _names(given: Sequence[RunLike], read: list[Scores]) -> list[str]:
    """The runs' tags; their files' names where tags are missing or the same."""
    tags = [run.tag if isinstance(run, Run) else "" for run in read]
    if all(tags) and len(set(tags)) == len(tags):
        return tags
    files = [
        without_compression(run).stem if isinstance(run, (str, Path)) else tag
        for run, tag in zip(given, tags, strict=True)
    ]
    if all(files) and len(set(files)) == len(files):
        return files
    raise InputError(
        f"runs must have different names. Got tags {tags} and files {files}. "
        "Give one of the files another name, or in Python pass a dict: name → run."
    )


# -- queries and documents -------------------------------------------------------------------------------------------


def _cut(run: Scores, depth: int | None) -> Scores:
    if depth is None:
        return run
    return {query: dict(heapq.nlargest(depth, docs.items(), key=_trec_order)) for query, docs in run.items()}


def _trec_order(item: tuple[str, float]) -> tuple[float, str]:
    return item[1], str(item[0])  # texts compare as their UTF-8 bytes do


def _chosen_queries(runs: dict[str, Scores], judged: Scores | None, policy: Queries) -> list[str]:
    found = list(dict.fromkeys(query for run in runs.values() for query in run))
    if policy == "runs" or judged is None:
        return found
    if policy == "qrels":
        return list(judged)
    return [query for query in found if query in judged]


def _report(runs: dict[str, Scores], judged: Scores | None, n_kept: int, n_empty: int) -> None:
    """Says which queries only one side has; an error when nothing is left."""
    found = {query for run in runs.values() for query in run}
    only_runs = 0 if judged is None else len(found - set(judged))
    only_qrels = 0 if judged is None else len(set(judged) - found)
    if n_kept == 0:
        raise InputError(
            f"runs and qrels must have a query and a document in common. Got {len(found)} queries like "
            f"{next(iter(found), None)!r} in runs and {len(judged or ())} like {next(iter(judged or ()), None)!r} in "
            "qrels. Make their ids the same."
        )
    if only_runs or only_qrels or n_empty:
        warnings.warn(
            f"{only_runs} queries are only in the runs, {only_qrels} only in the qrels, and {n_empty} have no "
            f"documents to rank; {n_kept} are kept. The options queries= and docs= decide which.",
            stacklevel=3,
        )


def _documents(query: str, runs: dict[str, Scores], judged: Scores, docs: Docs, unjudged: float | str) -> list[str]:
    """The documents of a query: found ones in the order of the runs' files, then the other judged ones."""
    grades = judged.get(query, {})
    found = {} if docs == "judged" else dict.fromkeys(doc for run in runs.values() for doc in run.get(query, ()))
    others = () if docs == "union" else grades
    every = dict.fromkeys([*found, *others])
    return [doc for doc in every if doc in grades] if unjudged == "drop" else list(every)


def _label(judged: Scores, query: str, doc: str, unjudged: float | str) -> float:
    grade = judged.get(query, {}).get(doc)
    return float(unjudged) if grade is None else max(float(grade), 0.0)


def _matrix(
    runs: dict[str, Scores], listed: list[tuple[str, list[str]]], missing: str | float
) -> npt.NDArray[np.float32]:
    columns = [_column(run, listed, missing) for run in runs.values()]
    X = np.array(columns, dtype=np.float64).T.reshape(-1, len(columns))
    with np.errstate(over="ignore"):
        out = np.ascontiguousarray(X, dtype=np.float32)
    if np.isinf(out).any():
        row, column = np.argwhere(np.isinf(out))[0]
        raise InputError(f"scores must be finite float32 numbers. Got {X[row, column]} in run {list(runs)[column]!r}.")
    return out


def _column(run: Scores, listed: list[tuple[str, list[str]]], missing: str | float) -> list[float]:
    lowest = min((score for docs in run.values() for score in docs.values()), default=0.0)
    out: list[float] = []
    for query, docs in listed:
        scores = run.get(query, {})
        fill = (
            min(scores.values(), default=lowest) if missing == "min" else 0.0 if missing == "zero" else float(missing)
        )
        out.extend(scores.get(doc, fill) for doc in docs)
    return out
