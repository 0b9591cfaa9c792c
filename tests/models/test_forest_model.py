"""Sums of trees."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings, strategies as st
from tests.models.forests import adversarial_rows, random_forest, tree

from rankwright.errors import InputError
from rankwright.models import ForestModel
from rankwright.models.base import model_from_dict, model_to_dict

NAN = np.nan
# x0 ≤ 0.5 → 1; else x1 ≤ 3 (a missing x1 too) → 10; else 100
TREE = tree([0, 1], [0.5, 3.0], [~0, ~1], [1, ~2], [1.0, 10.0, 100.0], [False, True])
FOREST = ForestModel((TREE, tree([], [], [], [], [0.25])), 3, np.array([0.5, 2.0]), base=-1.0)
X = np.array([[0.5, 9, 0], [0.6, 3, 0], [0.6, 3.1, 0], [NAN, NAN, 0], [-0.0, NAN, 0]], dtype=np.float32)


def test_a_row_walks_to_its_leaf() -> None:
    leaves = np.array([1, 10, 100, 10, 1])
    assert FOREST.scores(X).tolist() == (-1 + 0.5 * leaves + 2 * 0.25).tolist()
    assert FOREST.truncated(1).scores(X).tolist() == (-1 + 0.5 * leaves).tolist()
    assert FOREST.truncated(0).scores(X).tolist() == [-1.0] * 5


def test_the_base_may_come_last_and_the_sum_be_a_mean() -> None:
    leaves = np.array([1, 10, 100, 10, 1])
    assert FOREST.replace(average=True).scores(X).tolist() == ((-1 + 0.5 * leaves + 0.5) / 2).tolist()
    last = FOREST.replace(average=True, base_first=False)
    assert last.scores(X).tolist() == ((0.5 * leaves + 0.5) / 2 - 1).tolist()


def test_single_precision_rounds_after_every_tree() -> None:
    large, small = (tree([], [], [], [], [v]) for v in (2.0**24, 1.0))
    forest = ForestModel((large, small, small), 1, arithmetic="single")
    row = np.zeros((1, 1), np.float32)
    assert forest.scores(row).tolist() == [2.0**24]  # 2^24 + 1 is no float32, and is rounded to the even one
    assert forest.replace(arithmetic="double").scores(row).tolist() == [2.0**24 + 1 + 1]


def test_zeros_may_be_missing_and_splits_choose_categories() -> None:
    zero = tree([0], [-1.0], [~0], [~1], [1.0, 2.0], [True], missing_zero=np.array([True]))
    x = np.array([[0.0], [-0.0], [1e-35], [-1e-36], [NAN], [2e-35], [-1.0], [-0.5]], dtype=np.float32)
    assert ForestModel((zero,), 1).scores(x).tolist() == [1, 1, 1, 1, 1, 2, 1, 2]
    kinds = tree([0], [0.0], [~0], [~1], [1.0, 2.0], [True], categories={0: (0, 3, 7)})
    x = np.array([[0], [3], [3.9], [-0.5], [-1], [4], [NAN], [np.inf], [1e30], [7]], dtype=np.float32)
    assert ForestModel((kinds,), 1).scores(x).tolist() == [1, 1, 1, 1, 2, 2, 1, 2, 2, 1]


@given(seed=st.integers(0, 10_000), wild=st.booleans(), arithmetic=st.sampled_from(["double", "single"]))
@settings(max_examples=25, deadline=None)
def test_written_and_read_again(seed: int, wild: bool, arithmetic: str) -> None:
    rng = np.random.default_rng(seed)
    forest = random_forest(rng, 6, 12, 4, wild, arithmetic=arithmetic, average=wild)
    again = model_from_dict(json.loads(json.dumps(model_to_dict(forest), allow_nan=False)))
    rows = adversarial_rows(rng, forest, 200)
    assert model_to_dict(again) == model_to_dict(forest)
    assert np.array_equal(again.scores(rows), forest.scores(rows))


@given(seed=st.integers(0, 10_000), every=st.integers(1, 8))
@settings(max_examples=25, deadline=None)
def test_stages_are_truncated_forests(seed: int, every: int) -> None:
    rng = np.random.default_rng(seed)
    forest = random_forest(rng, 7, 9, 3, average=True, base_first=seed % 2 == 0)
    rows = adversarial_rows(rng, forest, 50)
    stages = list(forest.staged_scores(rows, every))
    ends = [*range(every, 7, every), 7]
    assert len(stages) == len(ends)
    for end, scores in zip(ends, stages, strict=True):
        assert np.array_equal(scores, forest.truncated(end).scores(rows))


def test_sparse_rows_score_as_dense_ones() -> None:
    rng = np.random.default_rng(0)
    forest = random_forest(rng, 9, 14, 6, wild=True)
    rows = adversarial_rows(rng, forest, 5000)
    rows[rng.random(rows.shape) < 0.7] = 0.0
    assert np.array_equal(forest.scores(sp.csr_matrix(rows)), forest.scores(rows))


def test_importances_are_shares_of_gain_or_of_splits() -> None:
    gains = TREE.__class__(**{**TREE.__dict__, "gain": np.array([3.0, 1.0])})
    forest = ForestModel((gains,), 3)
    assert forest.feature_importances().tolist() == [3 / 4, 1 / 4, 0]
    assert forest.feature_importances("splits").tolist() == [1 / 2, 1 / 2, 0]
    assert FOREST.feature_importances().tolist() == [1 / 2, 1 / 2, 0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"left": "-1 0"}, "child of one split"),
        ({"left": "1 -1", "right": "1 -3"}, "child of one split"),
        ({"feature": "0 3"}, "features 0..2"),
        ({"feature": "0"}, "one leaf more"),
        ({"feature": [0, 1]}, "one text"),
        ({"feature": "0 1_0"}, "must hold numbers"),
        ({"threshold": "0.5 nan"}, "must hold numbers"),
        ({"value": "1 inf 100"}, "finite"),
        ({"missing_left": "0 2"}, "must hold numbers"),
        ({"categories": {"5": "1"}}, "splits that are there"),
        ({"colour": "1"}, "colour"),
        ({"weight": True}, "finite numbers"),
    ],
)
def test_what_is_no_tree_is_refused(change: dict[str, object], reason: str) -> None:
    document = model_to_dict(FOREST)
    document["trees"][0].update(change)
    with pytest.raises(InputError, match=reason):
        model_from_dict(document)


def test_a_cycle_is_refused() -> None:
    document = model_to_dict(ForestModel((tree([0] * 3, [0.0] * 3, [~0, 2, 1], [~1, ~2, ~3], [0.0] * 4),), 1))
    with pytest.raises(InputError, match="behind their parents"):
        model_from_dict(document)
