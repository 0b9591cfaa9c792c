"""Rows on which two scorers can be told apart: at, just below and just above every threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.exports.numbers import LARGEST
from rankwright.exports.plain import Plain
from rankwright.learners import Tree

Rows = npt.NDArray[np.float32]

SAMPLED = 256  # rows on which whole models are compared


def tree_probes(tree: Tree, n_features: int, with_missing: bool, rng: np.random.Generator) -> Rows:
    """For every split, rows that reach it (where any row can) and differ in what it compares.

    Parameters
    ----------
    tree : the tree.
    n_features : columns.
    with_missing : whether each split also meets a missing value.
    rng : fills the columns that decide nothing.
    """
    background = rng.normal(size=n_features).astype(np.float32)
    blocks = []
    for path, s in zip(_paths(tree), range(tree.n_splits), strict=True):
        values = _values_at(tree, s, with_missing)
        block = np.tile(background, (len(values), 1))
        for k, (low, high) in path.items():
            block[:, k] = _between(low, high, background[k])
        block[:, tree.feature[s]] = values
        blocks.append(block)
    return np.concatenate([*blocks, background[None, :]])


def _paths(tree: Tree) -> list[dict[int, tuple[float, float]]]:
    """For every split, what its ancestors ask of the features: low < x ≤ high."""
    paths: list[dict[int, tuple[float, float]]] = [{} for _ in range(tree.n_splits)]
    for s in range(tree.n_splits):
        k, t = int(tree.feature[s]), float(tree.threshold[s])
        low, high = paths[s].get(k, (-np.inf, np.inf))
        for child, bounds in ((tree.left[s], (low, min(high, t))), (tree.right[s], (max(low, t), high))):
            if child >= 0:
                paths[child] = paths[s] if s in tree.categories else {**paths[s], k: bounds}
    return paths


def _between(low: float, high: float, preferred: np.float32) -> np.float32:
    """A number with low < x ≤ high: the preferred one if it is such."""
    if low < preferred <= high:
        return preferred
    return np.float32(high) if high <= LARGEST else np.nextafter(np.float32(low), np.float32(np.inf))


def _values_at(tree: Tree, s: int, with_missing: bool) -> Rows:
    """What split s is asked to compare: never the largest float32, which no document has."""
    if s in tree.categories:
        chosen = tree.categories[s]
        found = [*chosen, max(chosen, default=0) + 1, -1, next(c for c in range(len(chosen) + 1) if c not in chosen)]
    else:
        t = tree.threshold[s]
        found = [t, np.nextafter(t, np.float32(-np.inf)), np.nextafter(t, np.float32(np.inf)), np.float32(0)]
    values = np.array([*found, *([np.nan] if with_missing else [])], dtype=np.float32)
    return values[~(np.abs(values) >= LARGEST)]


def model_probes(model: Plain, n_features: int, with_missing: bool, rng: np.random.Generator) -> Rows:
    """Rows for whole models: numbers of every size, and rows at thresholds of some trees."""
    scale = 10.0 ** rng.uniform(-3, 3, size=(SAMPLED, 1))
    rows: Any = rng.normal(size=(SAMPLED, n_features)) * scale
    rows[rng.random(rows.shape) < 0.1] = 0.0
    if with_missing:
        rows[rng.random(rows.shape) < 0.1] = np.nan
    picked = rng.permutation(len(model.trees))[:20]
    at = [tree_probes(model.trees[t], n_features, with_missing, rng) for t in sorted(picked)]
    near = np.concatenate(at) if at else np.empty((0, n_features), np.float32)
    return np.concatenate([rows.astype(np.float32), near[rng.permutation(len(near))[:SAMPLED]]])
