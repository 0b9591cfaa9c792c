"""Passes over the documents, a block of whole queries at a time, so that sparse data need not become dense at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright.data.dataset import Dataset

BLOCK = 1 << 20  # numbers looked at together

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Block(NamedTuple):
    """Documents of whole queries: their first row in the data, dense features, and the query of each from 0."""

    first: int
    X: npt.NDArray[np.float32]
    query: Rows

    @property
    def starts(self) -> Rows:
        return np.flatnonzero(np.diff(self.query, prepend=-1))


def blocks(data: Dataset) -> Iterator[Block]:
    """The data, in blocks of about a million numbers."""
    rows = max(1, BLOCK // max(1, data.n_features))
    q = 0
    while q < data.n_queries:
        end = max(q + 1, int(np.searchsorted(data.qptr, data.qptr[q] + rows, side="right")) - 1)
        a, b = int(data.qptr[q]), int(data.qptr[end])
        X = data.X[a:b]
        query = np.repeat(np.arange(end - q), data.group_sizes[q:end])
        if len(query):
            yield Block(a, X.toarray() if data.is_sparse else X, query)
        q = end


class Columns:
    """Per feature: missing values, and whether it is constant, everywhere or within each query. NaN is a value."""

    missing: Rows
    constant: Mask
    constant_within: Mask

    def __init__(self, data: Dataset) -> None:
        self.names = data.feature_names
        self.missing = np.zeros(data.n_features, np.int64)
        self.constant = np.full(data.n_features, data.n_docs > 0)
        self.constant_within = np.full(data.n_features, data.n_docs > data.n_queries)  # some list has two documents
        first = None
        for block in blocks(data):
            nan = np.isnan(block.X)
            self.missing += nan.sum(axis=0)
            X = np.where(nan, np.float32(np.inf), block.X)  # no feature of a Dataset is infinite
            heads = X[block.starts]
            first = heads[0] if first is None else first
            self.constant &= (first == X).all(axis=0)
            self.constant_within &= (heads[block.query] == X).all(axis=0)

    def named(self, which: Mask) -> tuple[str, ...]:
        return tuple(self.names[k] for k in np.flatnonzero(which))


def duplicate_documents(data: Dataset) -> tuple[int, int]:
    """Documents like an earlier one of their query; and those of them whose label is not the one before's."""
    if data.n_features == 0:
        return 0, 0
    twins = conflicts = 0
    factors = np.random.default_rng(0).integers(1, 2**63, data.n_features, dtype=np.uint64) | np.uint64(1)
    for block in blocks(data):
        bits = np.ascontiguousarray(block.X + np.float32(0)).view(np.uint32)  # + 0: −0 becomes 0
        mark = _fingerprints(bits, factors)
        order = np.lexsort((mark, block.query))
        a, b = order[:-1], order[1:]
        near = np.flatnonzero((mark[a] == mark[b]) & (block.query[a] == block.query[b]))
        same = near[(bits[a[near]] == bits[b[near]]).all(axis=1)]
        y = data.y[block.first : block.first + len(mark)]
        twins += len(same)
        conflicts += int((y[a[same]] != y[b[same]]).sum())
    return twins, conflicts


def _fingerprints(bits: npt.NDArray[np.uint32], factors: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A number per row that is equal for equal rows, and hardly ever for others."""
    mixed = bits * factors
    mixed ^= mixed >> np.uint64(32)
    mixed *= factors[::-1]
    total: npt.NDArray[np.uint64] = mixed.sum(axis=1)
    return total


def duplicate_ids(data: Dataset) -> int:
    """Documents whose id an earlier document of their query has."""
    if data.doc_ids is None:
        return 0
    ids = data.doc_ids.tolist()
    return sum((rows.stop - rows.start) - len(set(ids[rows])) for rows in data)
