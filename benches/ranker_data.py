"""Data for timing rankers, and how long one takes on it."""

from __future__ import annotations

import time

import numpy as np

import rankwright as rw
from rankwright.rankers import Ranker


def web_like(n_queries: int, n_docs: int = 100, n_features: int = 136) -> rw.Dataset:
    """Features of few and of many values, labels 0–4 that depend on some of them; no zeros, for RankLib cannot read
    rows that leave features out."""
    rng = np.random.default_rng(0)
    n = n_queries * n_docs
    X = np.maximum(rng.random((n, n_features), dtype=np.float32), 1e-6)
    X[:, ::3] = np.ceil(X[:, ::3] * 20)
    y = np.digitize(X[:, 1] + X[:, 4] + 0.5 * rng.random(n), [1.1, 1.5, 1.8, 2.1])
    return rw.Dataset(X, y, group=np.full(n_queries, n_docs))


def timed(ranker: Ranker, data: rw.Dataset) -> float:
    start = time.perf_counter()
    ranker.fit(data)
    return time.perf_counter() - start
