"""What AdaRank keeps of some queries: the measure of every feature and of the ranking function so far, per query."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.measures import Measure
from rankwright.measures.values import Judge, measure_columns
from rankwright.shards import fixed, unfixed

if TYPE_CHECKING:
    from rankwright.rankers.weak import Weak

Floats = npt.NDArray[np.float64]
Fixed = npt.NDArray[np.int64]

WIDE = 64  # columns of sparse data that are dense at a time
BITS = 50  # sums of weights are at most e, so that they stay far below 2^63


class Total(NamedTuple):
    """Exact sums over queries; they add."""

    weight: int  # Σ w_i
    value: int  # Σ w_i E(f, i)
    loss: int  # Σ u_i, the normaliser of P

    def __add__(self, other: object) -> Total:
        if not isinstance(other, Total):
            return NotImplemented
        return Total(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def mean(self) -> float:
        """The mean of E(f, ·)."""
        return self.value / self.weight

    @property
    def perfect(self) -> bool:
        return self.value >= self.weight

    def check(self, E: Measure) -> None:
        low, high = E.bounds
        if low < -1 or high > 1:
            raise InputError(f"the measure must stay within [−1, 1]. {E} reaches {high:g}. Use its normalised form.")
        if self.weight <= 0:
            raise InputError(f"there must be a query with something to find for {E}. All have none. Check the labels.")


class QueryShard:
    """Whole queries, with f's scores F and measures e = E(f, ·) on them.

    Parameters
    ----------
    data : the queries; their weights w sum to at most 1.
    E : the measure, bound to the whole training set.
    n_threads : threads to use.
    both : whether features may rank by small values, too.
    """

    def __init__(self, data: Dataset, E: Measure, n_threads: int, both: bool = True) -> None:
        self.data, self.E, self.n_threads, self.both = data, E, n_threads, both
        self._judge = Judge([E], data.y, data.qptr, doc_ids=data.doc_ids, n_threads=n_threads)
        self.F = np.zeros(data.n_docs)
        self.e = np.zeros(data.n_queries)
        counted = ~np.isnan(self.measured(self.F))
        weight = (
            np.full(data.n_queries, 1.0 / max(data.n_queries, 1)) if data.query_weight is None else data.query_weight
        )
        self.w = np.where(counted, weight, 0.0)
        self.u = self.w  # what P is proportional to
        self._columns: dict[int, Floats] = {}

    def measured(self, scores: Floats) -> Floats:
        """E of some scores per query, larger better; NaN where the query is left out."""
        values: Floats = self._judge.values(scores)[0]
        return 1.0 - values if self.E.lower_is_better else values

    def counted(self, scores: Floats) -> Floats:
        """`measured`, with 0 in place of NaN: such a query has weight 0."""
        return np.nan_to_num(self.measured(scores), nan=0.0)

    def column(self, k: int) -> Floats:
        """Feature k of every document; a missing value counts as 0."""
        if k not in self._columns:
            self._columns[k] = self.data.column(k)
        return self._columns[k]

    @cached_property
    def table(self) -> Floats:
        """E(x_k, i) in row k and, with `both`, E(−x_k, i) in row K + k: computed once, used in every round."""
        data, K = self.data, self.data.n_features
        out = np.empty((1 + self.both, K, data.n_queries))
        for start in range(0, K, WIDE if data.is_sparse else max(K, 1)):
            some = slice(start, min(start + WIDE, K)) if data.is_sparse else slice(K)
            X = data.X[:, some].toarray() if data.is_sparse else data.X
            values = measure_columns(
                self.E, data.y, X, data.qptr, both=self.both, doc_ids=data.doc_ids, n_threads=self.n_threads
            )
            out[:, some] = values.reshape(1 + self.both, -1, data.n_queries)
        if self.E.lower_is_better:
            np.subtract(1.0, out, out=out)
        return np.nan_to_num(out.reshape(-1, data.n_queries), copy=False, nan=0.0)  # left out: weight 0

    # -- statistics: they add over shards -------------------------------------------------------------------------

    def total(self) -> Total:
        sums = (self.w, self.w * self.e, self.u)
        return Total(*(int(fixed(s, BITS).sum()) for s in sums))

    def P(self, total: Total) -> Floats:
        """P(i) = u_i / Σ u."""
        return self.u / float(unfixed(total.loss, BITS))

    def gains(self, total: Total) -> Fixed:
        """Σ_i P(i) E(±x_k, i) for every direction and feature, exactly."""
        sums: Fixed = kernels.fixed_dots(self.table, self.P(total), BITS, self.n_threads)
        return sums

    def gain(self, total: Total, h: Weak) -> int:
        """Σ_i P(i) E(h, i)."""
        return int(fixed(self.P(total) * h.values(self), BITS).sum())

    # -- the state -------------------------------------------------------------------------------------------------

    def add(self, alpha: float, h: Weak) -> None:
        """f ← f + α h."""
        h.add_to(self.F, alpha, self)

    def advance(self, alpha: float, h: Weak, cumulative_from: Total | None = None) -> float:
        """f ← f + α h; returns min_i E(f_t, i) − E(f_{t−1}, i) − α E(h, i) over queries that count.

        P becomes ∝ w exp(−E(f_t, ·)), or with `cumulative_from`, the sums P came from, ∝ P exp(−α E(f_t, ·)).
        """
        self.add(alpha, h)
        e = self.counted(self.F)
        delta = e - self.e - alpha * h.values(self)
        self.e = e
        self.u = self.w * np.exp(-e) if cumulative_from is None else self.P(cumulative_from) * np.exp(-alpha * e)
        return float(delta[self.w > 0].min(initial=np.inf))
