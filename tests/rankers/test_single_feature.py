"""The single-feature baseline."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.rankers import Callback

X = [[1.0, 9.0, 5.0], [2.0, 9.0, 6.0], [3.0, 9.0, 4.0]]
Y = [0, 1, 2]
QID = ["a", "a", "a"]


def test_the_best_feature_and_direction_are_found() -> None:
    up = rw.SingleFeature(measure="nDCG").fit(X, Y, qid=QID)
    assert up.model_.weights.tolist() == [1.0, 0.0, 0.0]
    down = rw.SingleFeature(measure="nDCG").fit(X, Y[::-1], qid=QID)
    assert down.model_.weights.tolist() == [-1.0, 0.0, 0.0]


def test_a_direction_can_be_given() -> None:
    only_up = rw.SingleFeature(direction="descending", measure="nDCG").fit(X, Y[::-1], qid=QID)
    assert only_up.model_.weights.tolist() == [0.0, 0.0, 1.0]  # 6, 5, 4 is the nearest to labels 1, 2, 0
    only_down = rw.SingleFeature(direction="ascending", measure="nDCG", feature=0).fit(X, Y, qid=QID)
    assert only_down.predict(X).tolist() == [-1.0, -2.0, -3.0]


def test_a_feature_by_name_is_the_baseline() -> None:
    frame = pd.DataFrame(X, columns=["bm25", "pages", "age"])
    fitted = rw.SingleFeature(feature="age", direction="descending").fit(frame, Y, qid=QID)
    assert fitted.predict(frame).tolist() == [5.0, 6.0, 4.0]
    assert len(fitted.history_) == 1
    with pytest.raises(InputError, match=r"feature must be one of age, bm25, pages. Got 'bm26'. Did you mean 'bm25'"):
        rw.SingleFeature(feature="bm26").fit(frame, Y, qid=QID)


@pytest.mark.parametrize("feature", [3, -1])
def test_a_feature_that_is_not_there_is_refused(feature) -> None:
    with pytest.raises(InputError, match=rf"feature must be a number in 0\.\.2. Got {feature}"):
        rw.SingleFeature(feature=feature).fit(X, Y, qid=QID)


def test_history_is_the_best_so_far_and_best_round_where_it_was_found() -> None:
    fitted = rw.SingleFeature(measure="nDCG").fit(np.array(X)[:, [1, 0, 2]], Y, qid=QID)
    assert [row["train"] for row in fitted.history_][1:] == [1.0, 1.0]
    assert fitted.history_[0]["train"] < 1.0
    assert fitted.best_round_ == 2


def test_validation_data_chooses_where_there_is_any() -> None:
    train = Dataset([[1.0, 1.0], [2.0, 1.0]], [0, 1], qid=[1, 1])
    valid = Dataset([[1.0, 1.0], [1.0, 2.0]], [0, 1], qid=[1, 1])
    assert rw.SingleFeature(measure="AP").fit(train).model_.weights.tolist() == [1.0, 0.0]
    fitted = rw.SingleFeature(measure="AP").fit(train, valid=valid)
    assert fitted.model_.weights.tolist() == [0.0, 1.0]
    assert fitted.best_round_ == 2


def test_missing_values_count_as_zero() -> None:
    fitted = rw.SingleFeature(feature=0, direction="descending").fit([[1.0], [np.nan], [-1.0]], Y, qid=QID)
    assert fitted.predict([[np.nan], [2.0]]).tolist() == [0.0, 2.0]


def test_it_can_be_stopped_early() -> None:
    class Stop(Callback):
        def round(self, run, row) -> None:
            run.stop("enough")

    fitted = rw.SingleFeature(callbacks=[Stop()]).fit(X, Y, qid=QID)
    assert len(fitted.history_) == 1
    assert np.isfinite(fitted.predict(X)).all()
