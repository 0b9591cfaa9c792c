"""Models to export, and documents to score."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.learners import Tree
from rankwright.models import ForestModel

N = 6  # features of every model here
NAMES = [f"f{k}" for k in range(N)]
THRESHOLDS = (0.0, -0.0, 1.5, 0.1, -7e3, 3.3e5, 16.25)


def grown(rng: np.random.Generator, n_leaves: int, categories: bool = False) -> Tree:
    """A tree of random shape: leaves are split at random until there are enough. Feature 0 holds categories."""
    n = n_leaves - 1
    children = np.zeros((n, 2), dtype=np.int32)
    leaves = [(0, 0)]
    for s in range(n):
        parent, side = leaves.pop(rng.integers(len(leaves)))
        if s:
            children[parent, side] = s
        leaves += [(s, 0), (s, 1)]
    for leaf, (parent, side) in enumerate(leaves if n else []):
        children[parent, side] = ~leaf
    feature = rng.integers(0 if categories else 1, N, n).astype(np.int32)
    chosen = {s: tuple(sorted({int(c) for c in rng.integers(0, 70, 5)})) for s in range(n) if feature[s] == 0}
    missing_left = rng.random(n) < 0.5
    missing_left[list(chosen)] = False  # as LightGBM has it
    return Tree(
        feature=feature,
        threshold=np.where(rng.random(n) < 0.5, rng.normal(size=n), rng.choice(THRESHOLDS, n)).astype(np.float32),
        missing_left=missing_left,
        left=children[:, 0].copy(),
        right=children[:, 1].copy(),
        value=rng.normal(size=n_leaves),
        gain=np.zeros(n),
        split_count=np.zeros(n, dtype=np.int64),
        leaf_count=np.zeros(n_leaves, dtype=np.int64),
        categories=chosen,
    )


def forest(seed: int, categories: bool = False, **options: Any) -> ForestModel:
    """Trees of 1 to 31 leaves, with weights."""
    rng = np.random.default_rng(seed)
    trees = tuple(grown(rng, n_leaves, categories) for n_leaves in (2, 8, 1, 31, 31))
    return ForestModel(trees, N, np.array([1.0, 0.5, 1.0, 0.1, 1.0]), **options)


def documents(seed: int = 0, n: int = 400, missing: bool = True) -> npt.NDArray[np.float32]:
    """Rows of every size, with zeros, values at thresholds, and gaps."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, N)) * 10 ** rng.uniform(-3, 3, size=(n, 1))
    at = rng.random(X.shape) < 0.2
    X[at] = rng.choice(THRESHOLDS, int(at.sum()))
    X[:, 0] = rng.integers(0, 75, n)
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X.astype(np.float32)
