"""The one seam for scale: everything a trainer learns from data is a sum over queries.

A training step is: broadcast a small state; each shard of queries returns a statistic; statistics add. A ranker
asks for its shards with `shards_of` and sums with `Shards.sum`; whether there is one shard in this process or
many on a cluster is not its business. Statistics that decide anything must add exactly (integers, fixed point),
so that the model does not depend on how the queries were divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from operator import add
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset

S = TypeVar("S")
T = TypeVar("T")
P = ParamSpec("P")

_n_shards: ContextVar[int] = ContextVar("n_shards", default=1)


class Shards(Generic[S]):
    """The parts of a training set, each holding whole queries and whatever it remembers about them."""

    def __init__(self, shards: Sequence[S]) -> None:
        self._shards = shards

    def sum(self, statistic: Callable[Concatenate[S, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Σ over shards of ``statistic(shard, *args)``; the arguments are the broadcast state."""
        return reduce(add, (statistic(shard, *args, **kwargs) for shard in self._shards))

    def collect(self, part: Callable[Concatenate[S, P], T], *args: P.args, **kwargs: P.kwargs) -> list[T]:
        """What each shard returns, in the order of the queries: for reports, never for a decision."""
        return [part(shard, *args, **kwargs) for shard in self._shards]

    def joined(self, part: Callable[[S], npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
        """What `collect` returns, one array after the other; of one shard, its own array."""
        parts = self.collect(part)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)


def shards_of(data: Dataset, make: Callable[[Dataset], S]) -> Shards[S]:
    """The shards of a data set; `make` turns a part of it into what a trainer keeps per shard."""
    n = min(_n_shards.get(), max(data.n_queries, 1))
    if n == 1:
        return Shards([make(data)])
    return Shards([make(data.queries(part)) for part in np.array_split(np.arange(data.n_queries), n)])


@contextmanager
def partitioned(n: int) -> Iterator[None]:
    """Inside it, training data is divided into `n` shards; the models stay the same, bit for bit."""
    token = _n_shards.set(n)
    try:
        yield
    finally:
        _n_shards.reset(token)


def fixed(values: npt.NDArray[np.float64], bits: int) -> npt.NDArray[np.int64]:
    """Numbers as multiples of 2^−bits, so that their sums are exact and do not depend on order."""
    return np.rint(np.ldexp(values, bits)).astype(np.int64)


def unfixed(total: Any, bits: int) -> Any:
    """The sum of `fixed` numbers, as floats again."""
    return np.ldexp(np.asarray(total, dtype=np.float64), -bits)
