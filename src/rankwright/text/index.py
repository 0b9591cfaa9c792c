"""A small index held in memory: how often every term occurs in every document, as a sparse matrix.

sign      here              meaning
c(w, d)   counts            occurrences of term w in document d
|d|       lengths           terms of the document, repeated ones counted
n(w)      doc_freq          documents that contain the term
c(w, C)   coll_freq         occurrences in the collection
|C|       lengths.sum()     size of the collection in terms
N         n_docs            documents
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankwright.text.words import Analyser, words_of

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WordCounts:
    """Occurrences of the plain words: counted once, whatever is then made of the words.

    Parameters
    ----------
    counts : texts × words, sparse rows.
    words : the word of every column.
    """

    counts: Any
    words: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Index:
    """The terms of a collection's documents.

    Parameters
    ----------
    counts : documents × terms, sparse rows: how often each occurs.
    column : the column of every term.
    analyser : what made terms of words; queries are analysed by it, too.
    """

    counts: Any
    column: dict[str, int]
    analyser: Analyser

    @property
    def n_docs(self) -> int:
        return int(self.counts.shape[0])

    @cached_property
    def lengths(self) -> Floats:
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64).ravel()

    @cached_property
    def mean_length(self) -> float:
        return max(float(self.lengths.sum()) / max(self.n_docs, 1), 1e-300)

    @cached_property
    def doc_freq(self) -> Floats:
        return np.bincount(self.counts.indices, minlength=self.counts.shape[1]).astype(np.float64)

    @cached_property
    def coll_freq(self) -> Floats:
        return np.asarray(self.counts.sum(axis=0), dtype=np.float64).ravel()

    @cached_property
    def doc_of_entry(self) -> npt.NDArray[np.int64]:
        """The document of every entry of `counts`."""
        return np.repeat(np.arange(self.n_docs), np.diff(self.counts.indptr))

    def weighted(self, values: Floats) -> Any:
        """The matrix of `counts` with other values."""
        return sp.csr_matrix((values, self.counts.indices, self.counts.indptr), shape=self.counts.shape)

    def query_counts(self, texts: Sequence[str]) -> Any:
        """Queries × terms; words that the collection does not have are left out."""
        counted = count_words(texts)
        columns = [-1 if t is None else self.column.get(t, -1) for t in self.analyser.terms(counted.words)]
        return _merged(counted.counts, columns, len(self.column))


def count_words(texts: Iterable[str]) -> WordCounts:
    """How often every word occurs in every text."""
    number: defaultdict[str, int] = defaultdict()
    number.default_factory = number.__len__
    columns: list[int] = []
    ends = [0]
    for text in texts:
        columns.extend(map(number.__getitem__, words_of(text)))
        ends.append(len(columns))
    shape = (len(ends) - 1, len(number))
    counts = sp.csr_matrix((np.ones(len(columns)), np.array(columns, np.int64), np.array(ends)), shape=shape)
    counts.sum_duplicates()
    return WordCounts(counts, tuple(number))


def index_of(counted: WordCounts, analyser: Analyser) -> Index:
    """The index of what an analyser makes of the words: columns of one term are added up."""
    terms = analyser.terms(counted.words)
    column = {term: k for k, term in enumerate(dict.fromkeys(term for term in terms if term is not None))}
    merged = _merged(counted.counts, [-1 if term is None else column[term] for term in terms], len(column))
    return Index(merged, column, analyser)


def _merged(counts: Any, column_of_word: list[int], n_terms: int) -> Any:
    """Columns moved and added up; those that go to −1 are left out."""
    target = np.array(column_of_word, dtype=np.int64)
    known = np.flatnonzero(target >= 0)
    move = sp.csr_matrix((np.ones(len(known)), (known, target[known])), shape=(len(target), n_terms))
    out = (counts @ move).tocsr()
    out.sort_indices()
    return out
