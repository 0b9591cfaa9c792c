"""Runs of two plain rankers on a small text collection: BM25, and the cosine of TF-IDF vectors."""

from __future__ import annotations

import json
import lzma
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

DATA = Path(os.environ.get("RANKWRIGHT_DATA", Path(__file__).parents[2] / "shared" / "data"))
COLLECTIONS = {"Cranfield": "cranfield", "CISI": "cisi", "MEDLINE": "medline", "NFCorpus": "nfcorpus"}


class Runs(NamedTuple):
    """Scores of both rankers for every document of every judged query, queries together."""

    bm25: np.ndarray[Any, np.dtype[np.float64]]
    tfidf: np.ndarray[Any, np.dtype[np.float64]]
    labels: np.ndarray[Any, np.dtype[np.float32]]
    qptr: np.ndarray[Any, np.dtype[np.int64]]


def _text(path: Path) -> str:
    packed = path.with_name(path.name + ".xz")
    return lzma.open(packed, "rt").read() if packed.exists() else path.read_text()


def _counts(texts: list[str], vocabulary: dict[str, int], grow: bool) -> sp.csr_matrix:
    rows, columns = [], []
    for row, text in enumerate(texts):
        for word in re.findall(r"[a-z0-9]+", text.lower()):
            if grow or word in vocabulary:
                rows.append(row)
                columns.append(vocabulary.setdefault(word, len(vocabulary)))
    return sp.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(texts), len(vocabulary)))


def _qrels(path: Path) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {}
    for line in _text(path).splitlines():
        query, _, document, label = line.split()[:4]
        out.setdefault(query, {})[document] = max(float(label), 0.0)
    return out


def runs(name: str) -> Runs | None:
    """The runs of a collection beside the project; None where it is absent."""
    folder = DATA / COLLECTIONS[name]
    if not folder.exists():
        return None
    part = ".test" if (folder / "queries.test.jsonl").exists() else ""
    documents = [json.loads(line) for line in _text(folder / "docs.jsonl").splitlines()]
    queries = [json.loads(line) for line in _text(folder / f"queries{part}.jsonl").splitlines()]
    qrels = _qrels(folder / f"qrels{part}.txt")
    queries = [q for q in queries if any(qrels.get(str(q["id"]), {}).values())]
    vocabulary: dict[str, int] = {}
    tf = _counts([f"{d.get('title', '')} {d.get('text', '')}" for d in documents], vocabulary, grow=True)
    asked = _counts([q["text"] for q in queries], vocabulary, grow=False)
    n, frequency = tf.shape[0], np.asarray((tf > 0).sum(axis=0)).ravel()
    labels = [[qrels[str(q["id"])].get(str(d["id"]), 0.0) for d in documents] for q in queries]
    qptr = np.arange(len(queries) + 1, dtype=np.int64) * n
    return Runs(
        _bm25(tf, asked, frequency).ravel(),
        _cosine(tf, asked, frequency).ravel(),
        np.array(labels, np.float32).ravel(),
        qptr,
    )


def _bm25(tf: sp.csr_matrix, asked: sp.csr_matrix, frequency: Any, k1: float = 1.2, b: float = 0.75) -> Any:
    n = tf.shape[0]
    length = np.asarray(tf.sum(axis=1)).ravel()
    idf = np.log(1 + (n - frequency + 0.5) / (frequency + 0.5))
    weight = tf.tocoo()
    norm = k1 * (1 - b + b * length / length.mean())
    values = idf[weight.col] * weight.data * (k1 + 1) / (weight.data + norm[weight.row])
    return (asked @ sp.csr_matrix((values, (weight.row, weight.col)), shape=tf.shape).T).toarray()


def _cosine(tf: sp.csr_matrix, asked: sp.csr_matrix, frequency: Any) -> Any:
    idf = np.log(tf.shape[0] / np.maximum(frequency, 1))

    def vectors(counts: sp.csr_matrix) -> sp.csr_matrix:
        made = counts.copy()
        made.data = 1 + np.log(made.data)
        made = made @ sp.diags(idf)
        size = np.sqrt(np.asarray(made.multiply(made).sum(axis=1))).ravel()
        return sp.diags(1 / np.maximum(size, 1e-12)) @ made

    return (vectors(asked) @ vectors(tf).T).toarray()
