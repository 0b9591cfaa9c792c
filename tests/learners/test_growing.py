"""Trees: what they find, what limits them, and that they depend on nothing but the data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rankwright as rw
from rankwright.errors import InputError
from rankwright.learners import Coding, Grower, Growth, Part, Tree, grow_over
from rankwright.learners.sparse_codes import SparseCodes
from rankwright.shards import Shards

FREE = Growth(n_leaves=31, min_docs=1, min_hessian=0.0)


def _data(seed: int = 0, n: int = 3000) -> tuple[Any, Any]:
    """Numbers, a category in column 2, missing values that mean something in column 1; λ = target − mean."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6)).astype(np.float32)
    X[:, 2] = rng.integers(0, 8, n)
    X[:, 5] = 7.0
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.nan_to_num(X[:, 0]) + 2.0 * (X[:, 2] == 3) + np.isnan(X[:, 1]) + rng.normal(size=n) / 4
    return X, y - y.mean()


def _same(a: Tree, b: Tree) -> bool:
    arrays = ("feature", "threshold", "missing_left", "left", "right", "value", "gain", "split_count", "leaf_count")
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in arrays) and a.categories == b.categories


def _error(y: Any, tree: Tree, leaf_of: Any) -> float:
    return float(np.var(y - tree.value[leaf_of]))


def test_the_first_split_is_the_best_of_all_found_by_hand() -> None:
    X, y = _data(n=200)
    X = np.round(np.nan_to_num(X), 1)
    tree, _ = Grower.of(X, replace(FREE, n_leaves=2)).grow(y, np.ones(len(y)))

    def gain(k: int, threshold: float) -> float:
        left = X[:, k] <= threshold
        return float(y[left].sum() ** 2 / left.sum() + y[~left].sum() ** 2 / (~left).sum() - y.sum() ** 2 / len(y))

    best = max(gain(k, x) for k in range(6) for x in np.unique(X[:, k])[:-1])
    # gradients are rounded to 1/8191 of the largest, so the gain is right to about as many digits
    assert tree.gain[0] == pytest.approx(best, rel=1e-3)
    assert gain(int(tree.feature[0]), float(tree.threshold[0])) == pytest.approx(best, rel=1e-3)


def test_values_are_newton_steps_of_the_exact_gradients() -> None:
    X, y = _data()
    w = np.random.default_rng(1).random(len(y))
    tree, leaf_of = Grower.of(X, replace(FREE, l2=0.5, min_docs=20)).grow(y, w)
    for leaf in range(tree.n_leaves):
        mine = leaf_of == leaf
        assert tree.value[leaf] == pytest.approx(y[mine].sum() / (w[mine].sum() + 0.5), rel=1e-9)
        assert tree.leaf_count[leaf] == mine.sum() >= 20


@pytest.mark.parametrize(
    "growth",
    [
        Growth(),
        Growth(criterion="mse", max_depth=3),
        Growth(categorical=(2,)),
        Growth(categorical=(2,), category_order="frequency", feature_fraction=0.7),
        Growth(monotone=(1, 0, 0, -1, 0, 0)),
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_tree_whatever_the_threads_the_parts_and_the_order_of_rows(growth: Growth, weighted: bool) -> None:
    X, y = _data()
    w = np.random.default_rng(2).random(len(y)) if weighted else np.ones(len(y))
    grower = Grower.of(X, growth)
    tree, leaf_of = grower.grow(y, w, seed=3)
    tree.check(6)
    assert np.array_equal(tree.leaves(X), leaf_of)
    for n_threads in (2, 16):
        again, again_leaf_of = Grower.of(X, growth, n_threads).grow(y, w, seed=3)
        assert _same(tree, again)
        assert np.array_equal(leaf_of, again_leaf_of)
    shuffled = np.random.default_rng(4).permutation(len(y))
    other, other_leaf_of = Grower.of(X[shuffled], growth).grow(y[shuffled], w[shuffled], seed=3)
    assert _same(tree, other)
    assert np.array_equal(leaf_of[shuffled], other_leaf_of)


@pytest.mark.parametrize("n_parts", [2, 7])
def test_one_tree_however_the_queries_are_divided(n_parts: int) -> None:
    """Through the seam: histograms of parts add as whole numbers."""
    X, y = _data()
    w = np.random.default_rng(5).random(len(y))
    rows = np.flatnonzero(np.random.default_rng(6).random(len(y)) < 0.6)
    growth = Growth(categorical=(2,), feature_fraction=0.8)
    tree, leaf_of = Grower.of(X, growth).grow(y, w, rows, seed=1)
    coding = Coding.of(X, growth.max_bins, growth.categorical)

    class Holder:
        def __init__(self, mine: Any) -> None:
            self.part = Part(X[mine], coding)
            self.part.load(y[mine], w[mine], np.flatnonzero(np.isin(mine, rows)))

    parts = np.array_split(np.arange(len(y)), n_parts)
    shards = Shards([Holder(mine) for mine in parts])
    assert _same(tree, grow_over(shards, growth, coding, seed=1))
    assert np.array_equal(leaf_of, np.concatenate(shards.collect(lambda holder: holder.part.leaf_of)))


def test_documents_left_out_have_leaves_but_no_voice() -> None:
    X, y = _data()
    y[0] = 9.0  # the largest gradient, of all that are rounded
    rows = np.arange(0, len(y), 2)
    grower = Grower.of(X, Growth())
    tree, leaf_of = grower.grow(y, np.ones(len(y)), rows, seed=1)
    assert np.array_equal(leaf_of, tree.leaves(X))
    louder = y.copy()
    louder[1::2] *= -0.9
    again, _ = grower.grow(louder, np.ones(len(y)), rows, seed=1)
    assert _same(tree, again)
    assert tree.leaf_count.sum() == len(rows)


def test_sparse_features_give_the_tree_of_dense_ones() -> None:
    X, y = _data()
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.6, 0, X).astype(np.float32)
    dense, dense_leaf_of = Grower.of(X, Growth(categorical=(2,))).grow(y, np.ones(len(y)))
    sparse, sparse_leaf_of = Grower.of(sp.csr_matrix(X), Growth(categorical=(2,))).grow(y, np.ones(len(y)))
    assert _same(dense, sparse)
    assert np.array_equal(dense_leaf_of, sparse_leaf_of)


def test_wide_sparse_features_stay_sparse_and_give_the_tree_of_dense_ones() -> None:
    rng = np.random.default_rng(3)
    X = np.where(rng.random((2000, 60)) < 0.04, rng.normal(size=(2000, 60)), 0).astype(np.float32)
    X[:, :5] = np.where(rng.random((2000, 5)) < 0.1, rng.integers(1, 9, (2000, 5)), 0)
    X[rng.random(X.shape) < 0.002] = np.nan
    y = X[:, 0] - (X[:, 7] > 0) + np.isnan(X[:, 3]) + rng.normal(size=2000) / 8
    y = np.nan_to_num(y - np.nanmean(y))
    growth = Growth(n_leaves=15, min_docs=3, categorical=(2,), feature_fraction=0.8)
    rows = np.flatnonzero(rng.random(2000) < 0.8)
    sparse = Grower.of(sp.csr_matrix(X), growth)
    assert isinstance(sparse.part.codes, SparseCodes)
    for chosen in (None, rows):
        trees = [grower.grow(y, np.ones(len(y)), chosen) for grower in (Grower.of(X, growth), sparse)]
        assert _same(trees[0][0], trees[1][0])
        assert np.array_equal(trees[0][1], trees[1][1])
        assert trees[0][0].n_splits > 5


def test_missing_values_go_where_they_belong() -> None:
    X = np.array([[np.nan], [1], [2], [3], [np.nan], [4]], np.float32)
    y = np.where(np.isnan(X[:, 0]) | (X[:, 0] > 2.5), 1.0, -1.0)
    tree, _ = Grower.of(X, replace(FREE, n_leaves=2)).grow(y, np.ones(6))
    assert tree.predict(X).tolist() == y.tolist()
    assert not tree.missing_left[0]
    tree, _ = Grower.of(X, replace(FREE, n_leaves=2)).grow(np.where(np.isnan(X[:, 0]), 2.0, -1.0), np.ones(6))
    assert tree.predict(X).tolist() == [2, -1, -1, -1, 2, -1]
    # where none were seen they go with most documents
    tree, _ = Grower.of(X[1:4], replace(FREE, n_leaves=2)).grow(np.array([1.0, 1.0, -2.0]), np.ones(3))
    assert tree.missing_left[0]


@pytest.mark.parametrize("criterion", ["newton", "mse"])
@pytest.mark.parametrize("sign", [1, -1])
def test_scores_of_monotone_features_never_turn_back(criterion: Any, sign: int) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 3)).astype(np.float32)
    y = sign * X[:, 0] + 2 * np.sin(4 * X[:, 0]) + X[:, 1]
    growth = Growth(n_leaves=63, monotone=(sign, 0, 0), criterion=criterion)
    tree, leaf_of = Grower.of(X, growth).grow(y, rng.uniform(0.9, 1.1, 4000))
    assert tree.n_leaves > 20
    line = np.zeros((500, 3), np.float32)
    line[:, 0] = np.linspace(-3, 3, 500)
    for other in (-1, 0, 1):
        line[:, 1] = other
        assert (sign * np.diff(tree.predict(line)) >= 0).all()
    free, free_leaf_of = Grower.of(X, replace(growth, monotone=None)).grow(y, np.ones(4000))
    assert _error(y, free, free_leaf_of) < _error(y, tree, leaf_of) < np.var(y)


@pytest.mark.parametrize("order", ["target", "frequency"])
def test_categories_are_divided_as_sets(order: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 12, (2000, 1)).astype(np.float32)
    good = np.isin(X[:, 0], [1, 4, 7, 10])
    y = good - good.mean()
    growth = replace(FREE, categorical=(0,), category_order=order, n_leaves=2 if order == "target" else 12)
    tree, leaf_of = Grower.of(X, growth).grow(y, np.ones(2000))
    assert _error(y, tree, leaf_of) < 1e-12
    tree.check(1)
    if order == "target":
        assert tree.categories[0] in ((1, 4, 7, 10), (0, 2, 3, 5, 6, 8, 9, 11))
    # a category that was never seen, and what is none, go right
    assert tree.leaves(np.array([[99], [-3], [1e30]], np.float32)).tolist() == [tree.leaves(np.array([[99.0]]))[0]] * 3


def test_more_categories_than_codes_share_one() -> None:
    rng = np.random.default_rng(0)
    ids = np.concatenate([np.repeat(np.arange(300), 10), np.repeat(np.arange(300, 1000), 2)])
    X = rng.permutation(ids)[:, None].astype(np.float32)
    y = np.where(X[:, 0] < 100, 1.0, -1.0)
    tree, leaf_of = Grower.of(X, replace(FREE, categorical=(0,), n_leaves=2)).grow(y, np.ones(len(y)))
    assert np.array_equal(tree.leaves(X), leaf_of)
    assert _error(y, tree, leaf_of) < 1e-12


def test_limits_hold() -> None:
    X, y = _data()
    tree, leaf_of = Grower.of(X, Growth(n_leaves=500, min_docs=40, min_hessian=55.0)).grow(y, np.full(len(y), 1.0))
    assert np.bincount(leaf_of).min() >= 55
    assert 10 < tree.n_leaves <= 3000 // 55
    tree, _ = Grower.of(X, Growth(n_leaves=500, max_depth=2)).grow(y, np.ones(len(y)))
    assert tree.n_leaves == 4
    one, one_leaf_of = Grower.of(X, Growth(n_leaves=1)).grow(y + 1, np.ones(len(y)))
    assert one.n_splits == 0
    assert one.value[0] == pytest.approx(1.0)
    assert not one_leaf_of.any()


def test_more_leaves_than_documents_and_one_document() -> None:
    X, y = _data(n=5)
    tree, _ = Grower.of(X, FREE).grow(y, np.ones(5))
    assert tree.n_leaves <= 5
    assert tree.predict(X) == pytest.approx(y, rel=1e-6)
    tree, leaf_of = Grower.of(X[:1], FREE).grow(np.array([3.0]), np.array([2.0]))
    assert (tree.value.tolist(), leaf_of.tolist()) == ([1.5], [0])


@pytest.mark.parametrize("X", [np.full((50, 3), np.nan, np.float32), np.zeros((50, 3), np.float32)])
def test_features_that_say_nothing_give_one_leaf(X: Any) -> None:
    tree, _ = Grower.of(X, FREE).grow(np.arange(50.0), np.ones(50))
    assert tree.n_leaves == 1
    assert tree.value[0] == pytest.approx(np.arange(50).mean())


def test_gradients_of_nothing_give_one_leaf_of_nothing() -> None:
    X, y = _data()
    for w in (0.0, 1.0):
        tree, _ = Grower.of(X, FREE).grow(np.zeros(len(y)), np.full(len(y), w))
        assert tree.value.tolist() == [0.0]
    # equal gradients: nothing is gained by any split, and rounding must not pretend so
    tree, _ = Grower.of(X, FREE).grow(np.full(len(y), 0.1), np.ones(len(y)))
    assert tree.n_leaves == 1


@pytest.mark.parametrize("size", [1e-90, 1e-30, 1e90])
def test_the_size_of_gradients_does_not_matter(size: float) -> None:
    X, y = _data()
    growth = Growth(min_hessian=0.0)
    tree, _ = Grower.of(X, growth).grow(y, np.ones(len(y)))
    scaled, _ = Grower.of(X, growth).grow(y * size, np.ones(len(y)))
    assert scaled.n_leaves == tree.n_leaves
    assert scaled.value / size == pytest.approx(tree.value, rel=0.05, abs=0.02)


@pytest.mark.parametrize(
    ("g", "h"), [(np.nan, 1.0), (np.inf, 1.0), (-np.inf, 1.0), (1e200, 1.0), (1.0, np.nan), (1.0, -1.0)]
)
def test_gradients_that_are_no_numbers_are_refused(g: float, h: float) -> None:
    X, y = _data(n=50)
    w = np.ones(50)
    y[7], w[9] = g, h
    with pytest.raises(InputError, match="gradients must be finite"):
        Grower.of(X, FREE).grow(y, w)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_leaves": 0},
        {"min_docs": 0},
        {"l2": -1.0},
        {"l2": np.inf},
        {"feature_fraction": 0.0},
        {"criterion": "gini"},
        {"monotone": (2, 0)},
        {"max_bins": 256},
        {"categorical": (0,), "monotone": (1, 0)},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Growth(**wrong)


def test_arguments_that_do_not_fit_are_refused() -> None:
    X, y = _data(n=50)
    with pytest.raises(InputError, match="one gradient and one hessian per document"):
        Grower.of(X, FREE).grow(y[:-1], np.ones(50))
    with pytest.raises(InputError, match="one sign per feature"):
        Grower.of(X, Growth(monotone=(1, 0))).grow(y, np.ones(50))
    with pytest.raises(InputError, match="categorical must name features"):
        Grower.of(X, Growth(categorical=(9,)))
    for rows in ([3, 2], [0, 50], [1, 1]):
        with pytest.raises(InputError, match="rows must be different documents"):
            Grower.of(X, FREE).grow(y, np.ones(50), np.array(rows))


def test_many_leaves_fit_artificial_rankings() -> None:
    data = rw.artificial(n_queries=100, docs_per_query=50, n_features=20, rng=0)
    y = data.y - data.y.mean()
    tree, leaf_of = Grower.of(data.X, Growth(n_leaves=255, min_docs=5)).grow(y, np.ones(len(y)))
    assert tree.n_leaves == 255
    assert _error(y, tree, leaf_of) < 0.5 * np.var(y)
