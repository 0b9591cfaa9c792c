"""The kernel that scores forests: its twin's bits, on every width of vectors and number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from tests.models.forests import adversarial_rows, random_forest, tree

from rankwright.kernels import reference
from rankwright.models import ForestModel
from rankwright.models.forest_plan import PER_TABLE, forest_plan

native = pytest.importorskip("rankwright.kernels._native")

WIDTHS = (512, 256, 128)  # bits; a processor without them uses the widest it has


def walked(forest: ForestModel, X: Any, single: bool) -> Any:
    """Tree by tree as :class:`rankwright.learners.Tree` does it."""
    sums = np.full(len(X), 0.5)
    for t, weight in zip(forest.trees, forest.weights, strict=True):
        sums += weight * t.predict(X)
        if single:
            sums = sums.astype(np.float32).astype(np.float64)
    return sums


def added(add_trees: Any, forest: ForestModel, X: Any, single: bool, *how: int) -> Any:
    sums = np.full(len(X), 0.5)
    plan = forest_plan(forest.trees, forest.weights)
    middle = len(forest.trees) // 2
    add_trees(sums, X, plan, (0, middle), single, *how)
    add_trees(sums, X, plan, (middle, len(forest.trees)), single, *how)
    return sums


@given(
    seed=st.integers(0, 100_000),
    shape=st.sampled_from([(1, 1), (20, 31), (6, 17), (5, 64), (3, 70), (3, 256), (3, 257), (2, 900)]),
    n_rows=st.sampled_from([0, 1, 5, 9, 10, 127, 128, 129, 300]),
    wild=st.booleans(),
    single=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_every_width_and_thread_count_gives_the_walks_bits(
    seed: int, shape: tuple[int, int], n_rows: int, wild: bool, single: bool
) -> None:
    rng = np.random.default_rng(seed)
    forest = random_forest(rng, *shape, n_features=int(rng.integers(1, 40)), wild=wild)
    X = adversarial_rows(rng, forest, n_rows)
    expected = walked(forest, X, single)
    assert np.array_equal(added(reference.add_trees, forest, X, single), expected)
    for width in WIDTHS:
        for n_threads in (1, 2, 3):
            assert np.array_equal(added(native.add_trees, forest, X, single, width, n_threads), expected)


@pytest.mark.parametrize("n_thresholds", [1, 2, 3, 7, 15, 16, 31, 63, 127, 128, 254, 255, 256, 510, 511, 1000])
def test_thresholds_of_one_feature_fill_tables(n_thresholds: int) -> None:
    cuts = np.linspace(-3, 5, n_thresholds).astype(np.float32)
    trees = tuple(tree([0], [float(c)], [~0], [~1], [2.0**-k, 1.0], [k % 2 == 0]) for k, c in enumerate(cuts))
    forest = ForestModel(trees, 1)
    plan = forest_plan(forest.trees, forest.weights)
    assert len(plan.table_feature) == -(-n_thresholds // PER_TABLE)
    above, below = np.nextafter(cuts, np.float32(np.inf)), np.nextafter(cuts, np.float32(-np.inf))
    X = np.concatenate([cuts, above, below, np.float32([np.nan, np.inf, -np.inf])])[:, None]
    expected = walked(forest, X, False)
    for width in WIDTHS:
        assert np.array_equal(added(native.add_trees, forest, X, False, width), expected)


def test_deep_trees_and_trees_of_one_leaf() -> None:
    n = 200
    chain = tree([0] * n, list(range(n)), [~k for k in range(n)], [*range(1, n), ~n], list(np.arange(n + 1.0)))
    forest = ForestModel((tree([], [], [], [], [7.0]), chain), 1)
    X = np.arange(-1, n + 2, 0.5, dtype=np.float32)[:, None]
    expected = 7.5 + np.clip(np.ceil(X[:, 0].astype(float)), 0, n)
    for width in WIDTHS:
        assert np.array_equal(added(native.add_trees, forest, X, False, width), expected)


def test_forests_of_nothing() -> None:
    nothing = ForestModel((), 3)
    assert added(native.add_trees, nothing, np.zeros((20, 3), np.float32), False).tolist() == [0.5] * 20
    constant = ForestModel((tree([], [], [], [], [2.0]),), 0)
    assert constant.scores(np.zeros((20, 0), np.float32)).tolist() == [2.0] * 20


def test_rows_and_sums_must_fit() -> None:
    forest = ForestModel((tree([], [], [], [], [2.0]),), 2)
    plan = forest_plan(forest.trees, forest.weights)
    with pytest.raises(ValueError, match="one sum per row"):
        native.add_trees(np.zeros(3), np.zeros((2, 2), np.float32), plan, (0, 1), False)
