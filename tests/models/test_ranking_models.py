"""The best rows of each query, straight from a model."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from tests.models.forests import adversarial_rows, random_forest, random_tree, tree

from rankwright import kernels
from rankwright.kernels import reference
from rankwright.models import ForestModel, LinearModel, early_exit
from rankwright.models.early_exit import can_reach, where_to_exit


def queries(rng: np.random.Generator, n: int) -> Any:
    return np.concatenate([[0], np.cumsum(rng.integers(0, 40, n))]).astype(np.int64)


@given(seed=st.integers(0, 100_000), k=st.sampled_from([1, 2, 5, 100]), levels=st.sampled_from([3, 1000]))
@settings(max_examples=60, deadline=None)
def test_the_top_is_the_head_of_the_whole_order(seed: int, k: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    qptr = queries(rng, 12)
    scores = rng.integers(0, levels, int(qptr[-1])) / 7
    expected = reference.top_queries(scores, qptr, k)
    for n_threads in (1, 2):
        assert np.array_equal(kernels.top_queries(scores, qptr, k, n_threads), expected)
    order = kernels.order_queries(scores, qptr)
    heads = [order[a : min(a + k, b)] for a, b in itertools.pairwise(qptr)]
    assert np.array_equal(np.concatenate(heads), expected)


def heavy_first(rng: np.random.Generator, n: int = 40, **options: Any) -> ForestModel:
    """A forest whose trees get smaller fast, so that there is something to leave out."""
    cuts = rng.normal(size=50).astype(np.float32)
    trees = tuple(random_tree(rng, 8, 5, cuts) for _ in range(n))
    return ForestModel(trees, 5, weights=0.8 ** np.arange(n), base=0.3, **options)


@pytest.mark.parametrize("options", [{}, {"arithmetic": "single"}, {"average": True, "base_first": False}])
@given(seed=st.integers(0, 100_000), k=st.sampled_from([1, 3, 10]), wild=st.booleans())
@settings(max_examples=25, deadline=None)
def test_early_exit_returns_the_same_rows(options: dict[str, Any], seed: int, k: int, wild: bool) -> None:
    rng = np.random.default_rng(seed)
    model = random_forest(rng, 20, 12, 5, wild=True, **options) if wild else heavy_first(rng, **options)
    qptr = queries(rng, 9)
    X = adversarial_rows(rng, model, int(qptr[-1]))
    X[1::3] = X[: len(X[1::3])]  # ties
    plain = [rows.tolist() for rows in model.rank(X, qptr, k)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(early_exit, "FEWEST", 0)
        for stop in (None, *rng.integers(0, len(model.trees) + 1, 3).tolist()):
            if stop is not None:
                model.exits[k] = stop
            assert [rows.tolist() for rows in model.rank(X, qptr, k, early_exit=True)] == plain


def test_early_exit_leaves_documents_out_where_that_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    model = heavy_first(rng, 300)
    X = rng.normal(size=(4000, 5)).astype(np.float32)
    seen = []
    add = ForestModel.add
    monkeypatch.setattr(ForestModel, "add", lambda self, sums, *rest: (seen.append(len(sums)), add(self, sums, *rest)))
    qptr = np.array([0, 1000, 2000, 4000])
    model.rank(X, qptr, 10, early_exit=True)
    assert 0 < model.exits[10] < 150
    assert set(seen[:-2]) == {1000}  # the first query is asked where leaving out pays
    assert seen[-2] == 4000
    assert seen[-1] < 400
    seen.clear()
    model.rank(X, qptr, 10, early_exit=True)
    assert len(seen) == 2  # and is not asked again


def test_early_exit_is_not_taken_where_it_does_not_pay() -> None:
    rng = np.random.default_rng(0)
    model = random_forest(rng, 40, 12, 5)
    X = rng.normal(size=(2000, 5)).astype(np.float32)
    qptr = np.array([0, 1000, 2000])
    assert where_to_exit(model, X, qptr, 10) == 40
    model.exits[10] = 20  # as another sort of documents might have said
    model.rank(X, qptr, 10, early_exit=True)
    assert model.exits == {}
    model.rank(X, qptr, 10, early_exit=True)
    assert model.exits == {10: 40}
    assert where_to_exit(model, X[:0], np.array([0]), 10) == 40


def test_what_ties_with_the_last_stays() -> None:
    qptr = np.array([0, 4], dtype=np.int64)
    assert can_reach(np.array([3.0, 1, 1, 0]), np.array([3.0, 1, 2, 1]), qptr, 2).tolist() == [True, True, True, True]
    assert can_reach(np.array([3.0, 1, 1, 0]), np.array([3.0, 1, 2, 0.9]), qptr, 2).tolist() == [
        True,
        True,
        True,
        False,
    ]
    assert can_reach(np.array([3.0, 1, 1, 0]), np.array([3.0, 1, 2, 1]), qptr, 5).all()


def test_any_model_ranks() -> None:
    X = np.array([[1.0], [3.0], [2.0], [5.0], [5.0]], dtype=np.float32)
    assert [r.tolist() for r in LinearModel([1.0]).rank(X, np.array([0, 3, 3, 5]), 2)] == [[1, 2], [], [3, 4]]
    assert LinearModel([1.0]).rank(X[:0], np.array([0]), 2) == []
    none = ForestModel((tree([], [], [], [], [1.0]),), 1)
    assert [r.tolist() for r in none.rank(X, np.array([0, 5]), 2, early_exit=True)] == [[0, 1]]


@given(
    seed=st.integers(0, 100_000),
    n_rows=st.sampled_from([0, 1, 2, 15, 64, 65, 1500, 2049]),
    n_columns=st.sampled_from([1, 2, 15, 16, 17, 33, 40]),
    special=st.sampled_from([[], [np.nan], [np.nan, np.inf], [np.inf, -np.inf]]),
)
@settings(max_examples=60, deadline=None)
def test_weighted_sums_are_the_twins_bits(seed: int, n_rows: int, n_columns: int, special: list[float]) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)).astype(np.float32)
    some = rng.random(X.shape) < 0.1 * rng.random()
    X[some] = rng.choice(np.float32([-0.0, 1e-45, 3e38, *special]), int(some.sum()))
    weights = rng.normal(size=n_columns) * 10.0 ** rng.integers(-8, 8, n_columns)
    weights[rng.random(n_columns) < 0.3] = 0  # whose columns are left out, infinities and all
    expected = np.full(n_rows, 0.5)
    with np.errstate(invalid="ignore"):
        reference.add_columns(expected, X, weights, 0.25)
    native = pytest.importorskip("rankwright.kernels._native")
    for width in (512, 256, 128):
        for n_threads in (1, 2):
            sums = np.full(n_rows, 0.5)
            native.add_columns(sums, X, weights, 0.25, width, n_threads)
            assert np.array_equal(sums, expected, equal_nan=True)


def test_sixteen_partial_sums_are_added_half_to_half() -> None:
    x = np.random.default_rng(0).normal(size=(1, 20)).astype(np.float32)
    each = [float(value) for value in x[0]]
    lanes = [1e15 * each[j] + (1e15 * each[j + 16] if j < 4 else 0.0) for j in range(16)]
    eight = [lanes[j] + lanes[j + 8] for j in range(8)]
    four = [eight[j] + eight[j + 4] for j in range(4)]
    expected = 0.1 + ((four[0] + four[2]) + (four[1] + four[3]))
    assert LinearModel(np.full(20, 1e15), 0.1).scores(x).tolist() == [expected]
