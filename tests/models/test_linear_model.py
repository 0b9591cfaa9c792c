"""Linear models: scores that are the same bits everywhere."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from rankwright.models import LinearModel
from rankwright.models.base import model_from_dict, model_to_dict

NUMBERS = st.floats(-1e6, 1e6, width=32)


def test_a_score_is_the_weighted_sum() -> None:
    model = LinearModel([2.0, 0.0, -1.0], intercept=0.5, missing=3.0)
    X = np.array([[1, 9, 2], [np.nan, np.nan, 1]], dtype=np.float32)
    assert model.scores(X).tolist() == [0.5 + 2 * 1 - 2, 0.5 + 2 * 3 - 1]


@given(arrays(np.float32, (7, 4), elements=NUMBERS | st.just(0.0)), arrays(np.float64, 4, elements=NUMBERS))
def test_sparse_scores_are_the_dense_scores_to_the_bit(X, weights) -> None:
    model = LinearModel(weights, intercept=0.1)
    assert model.scores(sp.csr_matrix(X)).tobytes() == model.scores(X).tobytes()


@given(arrays(np.float32, (7, 4), elements=NUMBERS), arrays(np.float64, 4, elements=NUMBERS))
def test_a_row_scores_the_same_alone(X, weights) -> None:
    model = LinearModel(weights)
    assert model.scores(X).tolist() == [model.scores(X[i : i + 1])[0] for i in range(7)]


def test_many_rows_are_scored_block_by_block() -> None:
    X = np.random.default_rng(0).normal(size=(10_001, 2)).astype(np.float32)
    expected = 0.25 + 2.0 * X[:, 0].astype(np.float64) + -3.0 * X[:, 1].astype(np.float64)
    assert np.array_equal(LinearModel([2.0, -3.0], 0.25).scores(X), expected)


def test_sparse_matrices_with_repeated_and_missing_entries() -> None:
    X = sp.csr_matrix((np.array([1, 2, np.nan], np.float32), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    model = LinearModel([1.0, 10.0], missing=5.0)
    assert model.scores(X).tolist() == [1 + 2, 10 * 5]
    assert X.nnz == 3  # the caller's matrix is as it was


def test_rows_of_any_layout_and_precision_score_alike() -> None:
    X = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
    model = LinearModel(np.array([1.5, 0.0, -2.0]))
    scores = model.scores(X)
    for same in (X.astype(np.float64), np.asfortranarray(X), X.T.copy().T, np.repeat(X, 2, axis=0)[::2]):
        assert (model.scores(same) == scores).all()


def test_columns_behind_the_last_weight_count_nothing() -> None:
    X = np.float32([[1, 2, np.nan, np.inf]])
    assert LinearModel([2.0, 3.0]).scores(X).tolist() == [2 * 1 + 3 * 2]
    assert LinearModel([2.0, 3.0, 0.0, 0.0]).scores(X[:, :2]).tolist() == [2 * 1 + 3 * 2]
    with pytest.raises((ValueError, IndexError)):
        LinearModel([2.0, 3.0, 1.0]).scores(X[:, :2])


def test_no_rows_give_no_scores() -> None:
    assert LinearModel([1.0]).scores(np.empty((0, 1), np.float32)).shape == (0,)


def test_the_first_rounds_are_a_model() -> None:
    model = LinearModel.of_steps(((0, 1.0), (2, 0.5), (0, 0.25)), 3, missing=2.0, intercept=4.0)
    assert model.weights.tolist() == [1 + 0.25, 0.0, 0.5]
    assert model.truncated(2).weights.tolist() == [1.0, 0.0, 0.5]
    assert model.truncated(0).weights.tolist() == [0.0, 0.0, 0.0]
    assert (model.truncated(1).missing, model.truncated(1).intercept) == (2.0, 4.0)
    assert model.truncated(9).weights.tolist() == model.weights.tolist()
    whole = LinearModel([1.0, 2.0])
    assert whole.truncated(1) is whole


def test_importances_sum_to_one() -> None:
    assert LinearModel([3.0, -1.0, 0.0]).feature_importances().tolist() == [3 / 4, 1 / 4, 0.0]
    assert LinearModel([0.0, 0.0]).feature_importances().tolist() == [0.0, 0.0]


def test_it_is_immutable() -> None:
    weights = np.ones(2)
    model = LinearModel(weights)
    weights[0] = 9.0
    assert model.weights.tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="read-only"):
        model.weights[0] = 2.0
    with pytest.raises(FrozenInstanceError):
        model.intercept = 1.0


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(allow_nan=False, allow_infinity=False)), max_size=5))
def test_its_document_gives_it_back(steps) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        model = LinearModel.of_steps(tuple(steps), 3, missing=1.5)
    if np.isfinite(model.weights).all():
        again = model_from_dict(model_to_dict(model))
        assert again.weights.tobytes() == model.weights.tobytes()
        assert (again.steps, again.missing, again.intercept) == (model.steps, 1.5, 0.0)
