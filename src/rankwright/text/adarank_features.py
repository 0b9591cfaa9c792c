"""The seven features of the AdaRank paper (Xu & Li, SIGIR 2007, Table 2), sums over the words of both.

1  Σ ln(c(w, d) + 1)                 5  Σ ln(c(w, d) / |d| · idf(w) + 1)
2  Σ ln(|C| / c(w, C) + 1)           6  Σ ln(c(w, d) |C| / (|d| c(w, C)) + 1)
3  Σ ln(idf(w))                      7  ln(BM25)
4  Σ ln(c(w, d) / |d| + 1)

The paper does not print idf: here idf(w) = N / n(w), whose logarithm is the usual one. It stems and leaves stop words
out. Departs from the paper: a BM25 below 0.001, such as the 0 of a document without any word of the query, counts as
0.001, so that every feature is a number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rankwright.text.functions import Parameters, Scorer, bm25
from rankwright.text.index import Floats, Index

LEAST_BM25 = 1e-3


def of_entries(index: Index) -> dict[str, Floats]:
    """The terms of the sums 1 to 6, for every entry of the index."""
    c, words = index.counts.data, index.counts.indices
    within = c / index.lengths[index.doc_of_entry]
    rarity = (index.lengths.sum() / np.maximum(index.coll_freq, 1.0))[words]  # |C| / c(w, C)
    idf = (index.n_docs / np.maximum(index.doc_freq, 1.0))[words]
    return {
        "ln_tf": np.log1p(c),
        "ln_icf": np.log1p(rarity),
        "ln_idf": np.log(idf),
        "ln_share": np.log1p(within),
        "ln_share_idf": np.log1p(within * idf),
        "ln_share_icf": np.log1p(within * rarity),
    }


def adarank_scorers(index: Index, how: Parameters) -> dict[str, Callable[[Any], Floats]]:
    """The seven features, each from the queries' term counts to queries × documents."""
    made = {name: Scorer(index.weighted(g).T.tocsr(), as_query=_once).scores for name, g in of_entries(index).items()}
    plain = bm25(index, how)
    return {**made, "ln_bm25": lambda queries: np.log(np.maximum(plain.scores(queries), LEAST_BM25))}


def _once(queries: Any) -> Any:
    """w ∈ q: a word counts once, however often the query has it."""
    out = queries.copy()
    out.data = np.ones_like(out.data)
    return out
