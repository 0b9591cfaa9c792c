"""λ-gradients of any measure: what LambdaMART's trees are fitted to.                Wu et al. 2009, equations (2)–(5)

    λ_i = Σ_j ± ω_q w_i w_j |ΔE_ij| / (1 + exp(s_better − s_worse))        + where i is the better of the two
    w_i = Σ_j   ω_q w_i w_j |ΔE_ij| ρ_ij (1 − ρ_ij)                         ρ_ij: the fraction above

ΔE_ij is what the measure of the current ranking changes by when i and j are swapped. Documents with equal scores stand
in an order that depends on their features alone, not on their rows: data sorted by label tells the first tree nothing.

With `near` = c, |ΔE_ij| is divided by c + |s_i − s_j|, so that pairs whose order hangs in the balance count most, and
the λ and w of a query are scaled so that the sum S of its |λ_ij| becomes log2(1 + S): queries with many wrong pairs do
not drown the others. LightGBM does both (its `lambdarank_norm`, c = 0.01); the paper does neither.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.data.grouping import rows_of_groups
from rankwright.kernels.reference_lambdas import of_query
from rankwright.line_search.worths import Worth, worth_of
from rankwright.measures import Measure

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

CHUNK = 512  # rows hashed at a time: what is worked out on the way stays near the processor


class Lambdas:
    """The λ-gradients on some judged queries.

    Parameters
    ----------
    data : the queries.
    measure : E; any measure. One known by its definition alone costs n² evaluations a query.
    near : c; 0 for neither.
    n_threads : threads to use; the values do not depend on it.
    """

    def __init__(self, data: Dataset, measure: Measure, near: float = 0.0, n_threads: int = 1) -> None:
        measure.check_labels(data.y, float(data.y.max(initial=0.0)))
        self.data, self.measure, self.near, self.n_threads = data, measure.bind(data.y), near, n_threads
        self._out = np.zeros(data.n_docs), np.zeros(data.n_docs)

    @cached_property
    def _weights(self) -> tuple[Floats | None, Floats | None]:
        """Of documents and of queries."""
        docs, queries = (
            None if weight is None else np.ascontiguousarray(weight, np.float64)
            for weight in (self.data.doc_weight, self.data.query_weight)
        )
        return docs, queries

    @cached_property
    def _worth(self) -> Worth | None:
        return worth_of(self.measure, self.data.y, self.data.qptr, np.ones(self.data.n_queries))

    @cached_property
    def _visit(self) -> Rows:
        return settled_order(self.data)

    def at(self, scores: Floats) -> tuple[Floats, Floats]:
        """λ and w of every document at these scores; the arrays are written over by the next call."""
        if self._worth is None:
            self._by_definition(scores)
        else:
            kernels.lambda_gradients(
                scores, self.data.qptr, self._worth, self._visit, self._weights, self.near, *self._out, self.n_threads
            )
        return self._out

    def _by_definition(self, scores: Floats) -> None:
        (lambdas, hessians), (of_docs, of_queries) = self._out, self._weights
        for q, (first, end) in enumerate(pairwise(self.data.qptr)):
            rows = self._visit[first:end]
            rows = rows[np.argsort(-scores[rows], kind="stable")]
            y = self.data.y[rows].astype(np.float64)
            swaps = np.triu(self.measure.swap_deltas(self.data.y[rows]), 1)
            if of_docs is not None:
                swaps = swaps * np.outer(of_docs[rows], of_docs[rows])
            weight = 1.0 if of_queries is None else of_queries[q]
            of_rows = of_query(scores[rows], y, swaps, self.near)
            lambdas[rows], hessians[rows] = (weight * numbers for numbers in of_rows)


def settled_order(data: Dataset) -> Rows:
    """The rows of every query in an order that their features settle, whatever order they came in."""
    return np.lexsort((data.y, feature_hashes(data.X), rows_of_groups(data.qptr))).astype(np.int64)


def feature_hashes(X: Any) -> npt.NDArray[np.uint64]:
    """One number per row that mixes the bits of all its features; zeros count nothing, so sparse is as dense."""
    odd = np.random.default_rng(0).integers(0, 2**63, X.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    if isinstance(X, np.ndarray):
        out = np.empty(len(X), np.uint64)
        for first in range(0, len(X), CHUNK):
            out[first : first + CHUNK] = (_bits(X[first : first + CHUNK]) * odd).sum(axis=1, dtype=np.uint64)
    else:
        terms = _bits(X.data) * odd[X.indices]
        summed = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
        out = summed[X.indptr[1:]] - summed[X.indptr[:-1]]
    return mixed(out)


def mixed(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The same keys, every bit depending on many (the finaliser of splitmix64)."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    out: npt.NDArray[np.uint64] = keys ^ (keys >> np.uint64(31))
    return out


def _bits(values: npt.NDArray[np.float32]) -> npt.NDArray[np.uint64]:
    """The bits of each number; 0 and −0 alike, every NaN alike."""
    same = np.where(np.isnan(values), np.float32(np.nan), values + np.float32(0.0))
    return np.ascontiguousarray(same, np.float32).view(np.uint32).astype(np.uint64)
