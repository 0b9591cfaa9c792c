"""The door: documents, queries and judgements in, a Dataset out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright.data.checked import as_labels
from rankwright.data.dataset import Dataset
from rankwright.data.trec import Scores, read_qrels
from rankwright.errors import InputError
from rankwright.text.candidates import best_of_rows
from rankwright.text.collection import TEXT_KEYS, Documents, Texts, read_texts
from rankwright.text.features import Collection, Maker, makers_of
from rankwright.text.functions import Parameters
from rankwright.text.index import count_words
from rankwright.text.words import STOP_WORDS

Docs = Literal["union", "judged", "all"]
CELLS = 1 << 22  # scores of one feature that are held at a time


class Block(NamedTuple):
    """Some queries with their candidates: the rows of the result, in order."""

    X: npt.NDArray[np.float32]
    y: npt.NDArray[np.float64]
    sizes: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int64]


def text_features(
    docs: Documents,
    queries: Documents,
    qrels: str | Path | Scores | None = None,
    *,
    features: str | Sequence[str] = "base",
    depth: int = 1000,
    candidates: Docs = "union",
    fields: Sequence[str] = TEXT_KEYS,
    stop_words: Iterable[str] | None = None,
    parameters: Parameters | None = None,
) -> Dataset:
    """Documents to be ranked for each query, with features from the words they share.

    Parameters
    ----------
    docs : a file of JSON lines, a dict from id to text, or dicts; with their id under "id" (or "_id", "docid",
        "docno"), and their text under `fields`. Link features need "url" and "links" (a list of ids).
    queries : the same, or a file of lines "id, tab, text" (.tsv).
    qrels : the judgements: a TREC file, or query id → document id → grade; negative grades become 0. Queries without
        any are left out. None labels all documents 0.
    features : "base" (the 15 functions of the SVM-map paper), "adarank" (the 7 of the AdaRank paper), "links" (12 from
        hyperlinks), single functions such as "bm25" or "dirichlet.stem.stop"; or a list of these.
    depth : the candidates of a query are the `depth` best documents of each function.
    candidates : "union", the documents that some function finds; "judged", those with a judgement, found or not;
        "all", both.
    fields : the keys of a document or query whose texts count, joined.
    stop_words : instead of the built-in English ones.
    parameters : of the retrieval functions; see :class:`rankwright.text.Parameters`.

    Notes
    -----
    A document that shares no word with a query is found by no function. Equal scores are cut at `depth` in the order
    of the documents. Stems need PyStemmer: ``pip install 'rankwright[text]'``.

    Examples
    --------
    >>> import rankwright as rw
    >>> docs = {"d1": "wing flow", "d2": "wing in a slipstream", "d3": "heat"}
    >>> data = rw.text_features(docs, {"q": "the flow of a wing"}, {"q": {"d1": 1}}, features=["bm25", "dirichlet"])
    >>> data.doc_ids.tolist(), data.y.tolist(), data.feature_names
    (['d1', 'd2'], [1.0, 0.0], ('bm25', 'dirichlet'))
    """
    if isinstance(depth, bool) or not isinstance(depth, (int, np.integer)) or depth < 1:
        raise InputError(f"depth must be a whole number of at least 1. Got {depth!r}. Use 1000.")
    if candidates not in ("union", "judged", "all"):
        raise InputError(f"candidates must be union, judged or all. Got {candidates!r}. Choose one.")
    judged = read_qrels(qrels) if isinstance(qrels, (str, Path)) else qrels
    if judged is None and candidates == "judged":
        raise InputError("judged candidates need qrels. Got none. Pass qrels, or use candidates='union'.")
    documents, asked = read_texts(docs, "documents", fields), read_texts(queries, "queries", fields)
    stop = STOP_WORDS if stop_words is None else frozenset(word.lower() for word in stop_words)
    of = Collection(documents, count_words(documents.texts), parameters or Parameters(), stop)
    makers = makers_of(of, features)
    kept = _kept(asked, judged)
    blocks = list(_blocks(of, makers, kept, judged or {}, int(depth), candidates))
    return _joined(blocks, makers, kept, documents)


def _kept(asked: Texts, judged: Scores | None) -> list[tuple[str, str]]:
    """The queries with judgements; a warning counts the others."""
    every = list(zip(asked.ids, asked.texts, strict=True))
    if judged is None:
        return every
    kept = [(query, text) for query, text in every if query in judged]
    if not kept:
        raise InputError(
            f"queries and qrels must have a query in common. Got ids like {asked.ids[0]!r} and "
            f"{next(iter(judged), None)!r}. Make their ids the same."
        )
    if len(kept) < len(every):
        warnings.warn(
            f"{len(every) - len(kept)} of {len(every)} queries have no judgement and are left out.", stacklevel=3
        )
    return kept


def _blocks(
    of: Collection, makers: list[Maker], kept: list[tuple[str, str]], judged: Scores, depth: int, policy: Docs
) -> Iterator[Block]:
    row_of = {doc: row for row, doc in enumerate(of.documents.ids)}
    n_docs = len(row_of)
    step = max(1, CELLS // n_docs)
    for start in range(0, len(kept), step):
        part = kept[start : start + step]
        labels = np.full((len(part), n_docs), np.nan)
        for row, (query, _) in enumerate(part):
            for doc, grade in judged.get(query, {}).items():
                if doc in row_of:
                    labels[row, row_of[doc]] = max(float(grade), 0.0)
        yield _block(of, makers, [text for _, text in part], labels, depth, policy)


def _block(of: Collection, makers: list[Maker], texts: list[str], labels: Any, depth: int, policy: Docs) -> Block:
    counts = {name: of.index(name).query_counts(texts) for name in dict.fromkeys(maker.analysis for maker in makers)}
    matched = {name: (asked @ of.index(name).counts.T).toarray() > 0 for name, asked in counts.items()}
    known = ~np.isnan(labels)
    wanted = known.copy() if policy != "union" else np.zeros(labels.shape, dtype=bool)
    columns: list[npt.NDArray[np.float32]] = []
    for maker in makers:
        made = maker.make(counts[maker.analysis])
        if maker.retrieves and policy != "judged":
            for scores in made.values():
                wanted |= best_of_rows(scores, matched[maker.analysis], depth)
        columns.extend(scores.astype(np.float32) for scores in made.values())
    queries, documents = np.nonzero(wanted)
    X = np.empty((len(queries), len(columns)), dtype=np.float32)
    for k, column in enumerate(columns):
        X[:, k] = column[queries, documents]
    y = np.nan_to_num(labels[queries, documents])
    return Block(X, y, wanted.sum(axis=1), documents)


def _joined(blocks: list[Block], makers: list[Maker], kept: list[tuple[str, str]], documents: Texts) -> Dataset:
    sizes = np.concatenate([block.sizes for block in blocks])
    if not sizes.any():
        raise InputError("some document must share a word with some query. None does. Check fields= and the files.")
    if (sizes == 0).any():
        warnings.warn(f"{int((sizes == 0).sum())} queries find no document and are left out.", stacklevel=3)
    y = np.concatenate([block.y for block in blocks])
    ids = np.array(documents.ids, dtype=object)
    return Dataset.grouped(
        X=np.concatenate([block.X for block in blocks]),
        y=as_labels(y, len(y)),
        qptr=np.append(0, np.cumsum(sizes[sizes > 0])).astype(np.int64),
        query_ids=np.array([query for query, _ in kept], dtype=object)[sizes > 0],
        doc_ids=ids[np.concatenate([block.documents for block in blocks])],
        feature_names=tuple(name for maker in makers for name in maker.names),
    )
