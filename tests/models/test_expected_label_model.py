"""The expected label under a linear softmax."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rankwright.errors import InputError
from rankwright.models import ExpectedLabelModel
from rankwright.models.base import model_from_dict, model_to_dict

MODEL = ExpectedLabelModel([0, 1, 3], [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [0.0, 0.5, -1.0], missing=0.25)


def test_a_score_is_the_expected_label() -> None:
    votes = [math.exp(0.0), math.exp(0.5 + 0.7), math.exp(-1.0 + 2 * 0.7)]
    expected = (1 * votes[1] + 3 * votes[2]) / sum(votes)
    X = np.array([[0.7, 0.0], [0.7, 5.0]], dtype=np.float32)  # what all classes share cancels
    assert MODEL.scores(X).tolist() == pytest.approx([expected, expected], abs=1e-7)


def test_missing_values_count_as_told() -> None:
    got = MODEL.scores(np.array([[np.nan, 0.0]], np.float32))
    assert got.tolist() == MODEL.scores(np.array([[0.25, 0.0]], np.float32)).tolist()


def test_large_votes_do_not_overflow() -> None:
    X = np.array([[1e30, 0.0], [-1e30, 0.0]], dtype=np.float32)
    assert MODEL.scores(X).tolist() == [3.0, 0.0]


def test_importances_are_the_spread_over_classes() -> None:
    assert MODEL.feature_importances().tolist() == [1.0, 0.0]


def test_its_document_gives_it_back() -> None:
    X = np.random.default_rng(0).normal(size=(20, 2)).astype(np.float32)
    assert model_from_dict(model_to_dict(MODEL)).scores(X).tobytes() == MODEL.scores(X).tobytes()


@pytest.mark.parametrize(
    "changes",
    [
        {"labels": []},
        {"labels": [0, 1]},
        {"weights": [[1.0], [1.0, 2.0], [1.0, 2.0]]},
        {"weights": []},
        {"weights": [1.0, 2.0, 3.0]},
        {"intercepts": [0.0]},
        {"missing": "0"},
    ],
)
def test_damaged_documents_are_refused(changes) -> None:
    with pytest.raises((InputError, IndexError, KeyError, TypeError)):
        model_from_dict({**model_to_dict(MODEL), **changes})
