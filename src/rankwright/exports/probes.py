"""Rows on which two scorers can be told apart: at, just below and just above every threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.exports.base import Engine
from rankwright.exports.numbers import LARGEST
from rankwright.exports.plain import Plain
from rankwright.learners import Tree

Rows = npt.NDArray[np.float32]

SAMPLED = 256  # rows on which whole models are compared


def tree_probes(tree: Tree, n_features: int, engine: Engine, rng: np.random.Generator) -> Rows:
    """For every split, rows that reach it (where any row can) and differ in what it compares.

    Parameters
    ----------
    tree : the tree.
    n_features : columns.
    engine : whether it knows missing values, and what is 0 to it.
    rng : fills the columns that decide nothing.
    """
    background = rng.normal(size=n_features).astype(np.float32)
    blocks = [background[None, :]]
    for path, s in zip(_paths(tree), range(tree.n_splits), strict=True):
        values = _values_at(tree, s, engine)
        block = np.tile(background, (len(values), 1))
        for k, (low, high) in path.items():
            block[:, k] = _between(low, high, background[k], engine)
        block[:, tree.feature[s]] = values
        blocks.append(block)
    rows = np.concatenate(blocks)
    sound: Rows = rows[(np.isnan(rows) | _is_sound(rows, engine)).all(axis=1)]
    return sound


def _is_sound(values: Any, engine: Engine) -> Any:
    """Whether values can be asked about: the largest float32 no document has, and what is 0 to the engine is not."""
    size = np.abs(values)
    return (size < LARGEST) & ((size == 0) | (size > engine.tiny))


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


def _between(low: float, high: float, preferred: np.float32, engine: Engine) -> np.float32:
    """A number with low < x ≤ high: the preferred one if it is such."""
    with np.errstate(over="ignore"):
        above = np.nextafter(np.float32(low), np.float32(np.inf))
    found = [preferred, np.float32(high), above, np.float32(0), np.float32(2 * engine.tiny)]
    fitting = (x for x in found if low < x <= high and _is_sound(x, engine))
    return next(fitting, preferred)


def _values_at(tree: Tree, s: int, engine: Engine) -> Rows:
    """What split s is asked to compare."""
    found: list[Any]
    if s in tree.categories:
        chosen = tree.categories[s]
        found = [*chosen, max(chosen, default=0) + 1, -1, next(c for c in range(len(chosen) + 1) if c not in chosen)]
    else:
        t = tree.threshold[s]
        with np.errstate(over="ignore"):
            found = [t, np.nextafter(t, np.float32(-np.inf)), np.nextafter(t, np.float32(np.inf)), np.float32(0)]
    return np.array([*found, *([np.nan] if engine.knows_missing else [])], dtype=np.float32)


def model_probes(model: Plain, n_features: int, engine: Engine, rng: np.random.Generator) -> Rows:
    """Rows for whole models: numbers of every size, and rows at thresholds of some trees."""
    scale = 10.0 ** rng.uniform(-3, 3, size=(SAMPLED, 1))
    rows: Any = rng.normal(size=(SAMPLED, n_features)) * scale
    rows[rng.random(rows.shape) < 0.1] = 0.0
    if engine.knows_missing:
        rows[rng.random(rows.shape) < 0.1] = np.nan
    picked = rng.permutation(len(model.trees))[:20]
    at = [tree_probes(model.trees[t], n_features, engine, rng) for t in sorted(picked)]
    near = np.concatenate(at) if at else np.empty((0, n_features), np.float32)
    return np.concatenate([rows.astype(np.float32), near[rng.permutation(len(near))[:SAMPLED]]])
