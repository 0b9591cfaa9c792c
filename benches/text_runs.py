"""Runs of two plain rankers on a small text collection: BM25, and the cosine of TF-IDF vectors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rankwright.data.trec import read_qrels
from rankwright.text import BASE, Analyser, Parameters, count_words, index_of
from rankwright.text.collection import read_texts

DATA = Path(os.environ.get("RANKWRIGHT_DATA", Path(__file__).parents[2] / "shared" / "data"))
COLLECTIONS = {"Cranfield": "cranfield", "CISI": "cisi", "MEDLINE": "medline", "NFCorpus": "nfcorpus"}


class Runs(NamedTuple):
    """Scores of both rankers for every document of every judged query, queries together."""

    bm25: np.ndarray[Any, np.dtype[np.float64]]
    tfidf: np.ndarray[Any, np.dtype[np.float64]]
    labels: np.ndarray[Any, np.dtype[np.float32]]
    qptr: np.ndarray[Any, np.dtype[np.int64]]


def _file(folder: Path, name: str) -> Path:
    packed = folder / f"{name}.xz"
    return packed if packed.exists() else folder / name


def runs(name: str) -> Runs | None:
    """The runs of a collection beside the project; None where it is absent."""
    folder = DATA / COLLECTIONS[name]
    if not folder.exists():
        return None
    part = ".test" if (folder / "queries.test.jsonl").exists() else ""
    documents = read_texts(_file(folder, "docs.jsonl"), "documents")
    queries = read_texts(_file(folder, f"queries{part}.jsonl"), "queries")
    qrels = read_qrels(_file(folder, f"qrels{part}.txt"))
    asked = {q: t for q, t in zip(queries.ids, queries.texts, strict=True) if max(qrels.get(q, {}).values(), default=0)}
    index = index_of(count_words(documents.texts), Analyser())
    counts = index.query_counts(list(asked.values()))
    labels = [[max(qrels[q].get(d, 0.0), 0.0) for d in documents.ids] for q in asked]
    return Runs(
        *(BASE[function](index, Parameters()).scores(counts).ravel() for function in ("bm25", "cosine")),
        np.array(labels, np.float32).ravel(),
        np.arange(len(asked) + 1, dtype=np.int64) * index.n_docs,
    )
