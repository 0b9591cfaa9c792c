"""Weak rankers for AdaRank, and how the best one under the current query weights is found."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset
from rankwright.models import BlendModel, LinearModel, Model
from rankwright.rankers.long_arrays import add_scaled
from rankwright.rankers.query_shard import BITS, QueryShard, Total
from rankwright.shards import Shards, unfixed

Floats = npt.NDArray[np.float64]


class Weak(Protocol):
    """A weak ranker h."""

    def add_to(self, F: Floats, alpha: float, queries: QueryShard) -> None:
        """F ← F + α h, h of every document."""
        ...

    def values(self, queries: QueryShard) -> Floats:
        """E(h, i) of every query."""
        ...

    def columns(self) -> dict[str, float]:
        """What the history says of it."""
        ...


class WeakSearch(Protocol):
    def best(self, queries: Shards[QueryShard], P: Total) -> tuple[Weak, float]:
        """The weak ranker to use under P, and its φ = Σ_i P(i) E(h, i)."""
        ...


@dataclass(frozen=True)
class Feature:
    """A feature, ranked by large (sign 1) or small (sign −1) values."""

    k: int
    sign: float

    def add_to(self, F: Floats, alpha: float, queries: QueryShard) -> None:
        add_scaled(F, alpha * self.sign, queries.column(self.k))

    def values(self, queries: QueryShard) -> Floats:
        row: Floats = queries.table[self.k + (0 if self.sign > 0 else queries.data.n_features)]
        return row

    def columns(self) -> dict[str, float]:
        return {"feature": self.k, "sign": self.sign}


class SingleFeatures:
    """The single feature with the largest Σ_i P(i) E(±x_k, i); the first of equally good ones, large values first.

    Parameters
    ----------
    n_features : K.
    max_consecutive : how often in a row one feature may be chosen.
    """

    def __init__(self, n_features: int, max_consecutive: int | None) -> None:
        self.n_features, self.max_consecutive = n_features, max_consecutive
        self._last, self._times = -1, 0

    def best(self, queries: Shards[QueryShard], P: Total) -> tuple[Feature, float]:
        gains = queries.sum(QueryShard.gains, P).reshape(-1, self.n_features)  # a row per direction
        allowed = np.ones(gains.shape, dtype=bool)
        if self._times == self.max_consecutive and self.n_features > 1:
            allowed[:, self._last] = False
        direction, k = divmod(int(np.where(allowed, gains, np.iinfo(np.int64).min).argmax()), self.n_features)
        self._times = self._times + 1 if k == self._last else 1
        self._last = k
        return Feature(k, 1.0 if direction == 0 else -1.0), float(unfixed(gains[direction, k], BITS))


@dataclass(frozen=True)
class Fitted:
    """A ranker fitted under P."""

    ranker: Any

    def scores(self, queries: QueryShard) -> Floats:
        return np.asarray(queries.data.from_caller(self.ranker.predict(queries.data)), dtype=np.float64)

    def add_to(self, F: Floats, alpha: float, queries: QueryShard) -> None:
        add_scaled(F, alpha, self.scores(queries))

    def values(self, queries: QueryShard) -> Floats:
        return queries.counted(self.scores(queries))

    def columns(self) -> dict[str, float]:
        return {}


class FittedRankers:
    """Fits a copy of a ranker to the training data under P in every round.

    Parameters
    ----------
    weak : has ``fit(dataset, query_weight=...)`` and ``predict(dataset)``.
    train : the training data.
    """

    def __init__(self, weak: Any, train: Dataset) -> None:
        self.weak, self.train = deepcopy(weak), train

    def best(self, queries: Shards[QueryShard], P: Total) -> tuple[Fitted, float]:
        weights = np.concatenate(queries.collect(QueryShard.P, P))
        self.weak.fit(self.train, query_weight=weights)
        h = Fitted(deepcopy(self.weak))
        return h, float(unfixed(queries.sum(QueryShard.gain, P, h), BITS))


class SampledQueries:
    """A weak ranker trained on queries drawn by their weights, as the AdaRank paper's section 3.2 suggests.

    Parameters
    ----------
    ranker : the ranker to train on the sample.
    share : the size of the sample, drawn with replacement, as a share of the queries.
    rng : seed of the draws.
    """

    def __init__(self, ranker: Any, share: float = 0.5, rng: int = 0) -> None:
        self.ranker, self.share, self.rng = ranker, share, np.random.default_rng(rng)

    def fit(self, data: Dataset, query_weight: Floats) -> SampledQueries:
        size = max(1, round(self.share * data.n_queries))
        chosen = self.rng.choice(data.n_queries, size=size, p=query_weight / query_weight.sum())
        self.ranker.fit(data.queries(np.sort(chosen)))
        return self

    def predict(self, data: Dataset) -> Floats:
        return np.asarray(self.ranker.predict(data))

    @property
    def model_(self) -> Model:
        fitted: Model = self.ranker.model_
        return fitted


def combined(steps: list[tuple[float, Weak]], n_features: int) -> Model:
    """f = Σ_t α_t h_t as a model: linear for single features, else a blend of the weak rankers' models."""
    if all(isinstance(h, Feature) for _, h in steps):
        return LinearModel.of_steps(tuple((h.k, a * h.sign) for a, h in steps if isinstance(h, Feature)), n_features)
    return BlendModel(tuple((a, h.ranker.model_) for a, h in steps if isinstance(h, Fitted)))
