"""Retrieval functions: how well a document fits a query, by the terms they share.

Every function is a sum over the query's terms, plus the query's length times a term of the document:

    score(q, d) = Σ_{w ∈ q ∩ d} q(w) g(w, d)  +  |q| h(d)

so that a collection's scores for many queries are one product of sparse matrices. With tf(w, d) =
c(w, d) / (c(w, d) + k1 (1 − b + b |d| / mean |d|)) and p(w) = c(w, C) / |C|:

function      q(w)                g(w, d)                                      h(d)
cosine        (1 + ln q) idf      (1 + ln c) idf, both divided by their norm   0
tfidf         q                   k1 tf idf²                                   0
bm25          q                   (k1 + 1) tf ln(1 + (N − n + ½)/(n + ½))      0
dirichlet     q                   ln(1 + c / (μ p))                            ln(μ / (|d| + μ))
jelinek       q                   ln(1 + (1 − λ) c / (λ |d| p))                0

idf = ln(N / n). tfidf is Lemur's and Indri's, bm25 has Lucene's idf, which is never negative. The language models are
given as logarithms of the ratio to the collection's own model: Σ_w q(w) ln p(w), the same for all documents of a
query, is left out, which keeps the order and makes scores of different queries comparable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankwright.text.index import Floats, Index


@dataclass(frozen=True)
class Parameters:
    """The parameters of the retrieval functions.

    Parameters
    ----------
    k1 : how soon repeated terms stop to count (bm25, tfidf).
    b : how much long documents are held back (bm25, tfidf).
    mu : the occurrences that Dirichlet smoothing adds.
    lam : the share of the collection's model in Jelinek–Mercer smoothing.
    """

    k1: float = 1.2
    b: float = 0.75
    mu: float = 2500.0
    lam: float = 0.4


@dataclass(frozen=True, eq=False)
class Scorer:
    """A retrieval function made ready for one index.

    Parameters
    ----------
    g : terms × documents, sparse.
    h : per document, or None where it is 0.
    as_query : what becomes of the counts in queries; None where they are used as they are.
    """

    g: Any
    h: Floats | None = None
    as_query: Callable[[Any], Any] | None = None

    def scores(self, queries: Any) -> Floats:
        """Queries × documents, from the queries' term counts."""
        asked = queries if self.as_query is None else self.as_query(queries)
        out: Floats = (asked @ self.g).toarray()
        if self.h is not None:
            out += np.asarray(queries.sum(axis=1)).reshape(-1, 1) * self.h
        return out


Function = Callable[[Index, Parameters], Scorer]


def cosine(index: Index, how: Parameters) -> Scorer:
    idf = _idf(index)

    def vectors(counts: Any) -> Any:
        out = counts.astype(np.float64)
        out.data = (1.0 + np.log(out.data)) * idf[out.indices]
        norm = np.sqrt(np.asarray(out.multiply(out).sum(axis=1)).ravel())
        return sp.diags_array(1.0 / np.where(norm > 0, norm, 1.0)) @ out

    return Scorer(vectors(index.counts).T.tocsr(), as_query=vectors)


def tfidf(index: Index, how: Parameters) -> Scorer:
    return _scorer(index, how.k1 * _tf(index, how) * (_idf(index) ** 2)[index.counts.indices])


def bm25(index: Index, how: Parameters) -> Scorer:
    n = index.doc_freq
    idf = np.log1p((index.n_docs - n + 0.5) / (n + 0.5))
    return _scorer(index, (how.k1 + 1.0) * _tf(index, how) * idf[index.counts.indices])


def dirichlet(index: Index, how: Parameters) -> Scorer:
    g = np.log1p(index.counts.data / (how.mu * _share(index)[index.counts.indices]))
    return _scorer(index, g, np.log(how.mu / (index.lengths + how.mu)))


def jelinek(index: Index, how: Parameters) -> Scorer:
    within = index.counts.data / index.lengths[index.doc_of_entry]
    return _scorer(index, np.log1p((1.0 - how.lam) * within / (how.lam * _share(index)[index.counts.indices])))


BASE: dict[str, Function] = {
    "cosine": cosine,
    "tfidf": tfidf,
    "bm25": bm25,
    "dirichlet": dirichlet,
    "jelinek": jelinek,
}


def _scorer(index: Index, g: Floats, h: Floats | None = None) -> Scorer:
    return Scorer(index.weighted(g).T.tocsr(), h)


def _idf(index: Index) -> Floats:
    return np.log(index.n_docs / np.maximum(index.doc_freq, 1.0))


def _share(index: Index) -> Floats:
    """p(w), the share of the collection that is the term."""
    return np.asarray(index.coll_freq / max(index.lengths.sum(), 1.0))


def _tf(index: Index, how: Parameters) -> Floats:
    c = index.counts.data
    length = (index.lengths / index.mean_length)[index.doc_of_entry]
    return np.asarray(c / (c + how.k1 * (1.0 - how.b + how.b * length)))
