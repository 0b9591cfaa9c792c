"""The data a ranker takes: to fit, to validate on and to score; and what it refuses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from rankwright.data import Dataset
from rankwright.errors import InputError


def test_fit_takes_arrays_frames_sparse_and_datasets_alike(turns, lists) -> None:
    names = ["a", "b", "c"]
    expected = turns().fit(lists).predict(lists)
    for X in (
        lists.X,
        lists.X.tolist(),
        pd.DataFrame(lists.X, columns=names),
        pl.DataFrame(lists.X, schema=names),
        sp.csr_matrix(lists.X),
        sp.coo_array(lists.X),
    ):
        fitted = turns().fit(X, lists.y, qid=lists.qid)
        assert fitted.predict(X).tobytes() == expected.tobytes()
        assert fitted.n_features_in_ == 3


def test_names_are_kept_only_where_there_are_names(turns, lists) -> None:
    assert not hasattr(turns().fit(lists.X, lists.y, qid=lists.qid), "feature_names_in_")
    frame = pd.DataFrame(lists.X, columns=["a", "b", "c"])
    fitted = turns().fit(frame, lists.y, qid=lists.qid)
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c"]
    assert fitted.feature_names_in_.dtype == object
    assert len(fitted.predict(lists.X)) == 60  # an array has no names to compare


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (["c", "b", "a"], "in the same order"),
        (["x", "y", "c"], "unseen at fit time:\n- x\n- y\n"),
        (["a", "b"], "now missing:\n- c\n"),
        ([f"n{i}" for i in range(9)], "- n4\n- ...\n"),
    ],
)
def test_other_columns_at_prediction_are_refused_by_name(turns, lists, columns, reason) -> None:
    fitted = turns().fit(pd.DataFrame(lists.X, columns=["a", "b", "c"]), lists.y, qid=lists.qid)
    other = pd.DataFrame(np.zeros((2, len(columns))), columns=columns)
    for use in (fitted.predict, lambda X: fitted.score(X, [0, 1], qid=[1, 1]), lambda X: fitted.rank(X)):
        with pytest.raises(InputError, match="feature names should match") as error:
            use(other)
        assert reason in str(error.value)


def test_another_number_of_columns_is_refused(turns, lists) -> None:
    fitted = turns().fit(lists)
    for use in (fitted.predict, lambda X: fitted.score(X, [0, 1], qid=[1, 1]), lambda X: fitted.rank(X)):
        with pytest.raises(InputError, match="X has 2 features, but Turns is expecting 3 features"):
            use(np.zeros((2, 2)))


def test_scores_come_in_the_callers_order(turns, lists) -> None:
    places = np.random.default_rng(1).permutation(60)
    fitted = turns().fit(lists)
    scattered = Dataset(lists.X[places], lists.y[places], qid=lists.qid[places])
    assert np.array_equal(fitted.predict(scattered), fitted.predict(lists)[places])


def test_weights_of_documents_that_are_not_used_are_said_so(turns, lists) -> None:
    with pytest.warns(UserWarning, match="Turns takes no notice of document weights"):
        turns().fit(lists.X, lists.y, qid=lists.qid, sample_weight=np.ones(60))


def test_validation_data_is_a_dataset_or_a_tuple(turns, lists) -> None:
    valid = lists.queries([0, 1, 2])
    one = turns().fit(lists, valid=valid)
    other = turns().fit(lists, valid=(valid.X, valid.y, valid.qid))
    assert one.history_ == other.history_
    best = max(one.history_, key=lambda row: row["valid"])
    assert one.best_round_ == best["round"]
    assert len(one.model_.steps) == one.best_round_


@pytest.mark.parametrize(
    ("valid", "reason"),
    [
        ("no", r"Dataset or \(X, y, qid\). Got str"),
        (([[1, 2, 3]], [1]), r"Dataset or \(X, y, qid\). Got tuple"),
        (([[1, 2]], [1], [1]), "the training data's 3 features. Got 2"),
        ((np.zeros((0, 3)), [], []), "documents in valid"),
    ],
)
def test_unfit_validation_data_is_refused(turns, lists, valid, reason) -> None:
    with pytest.raises(InputError, match=reason):
        turns().fit(lists, valid=valid)


def test_validation_columns_must_be_the_training_columns(turns, lists) -> None:
    names = lists.replace(feature_names=("a", "b", "c"))
    with pytest.raises(InputError, match="same order"):
        turns().fit(names, valid=lists.replace(feature_names=("b", "a", "c")))


@pytest.mark.parametrize(
    ("X", "y", "reason"),
    [
        (np.zeros((0, 3)), [], "0 sample"),
        (np.zeros((3, 0)), [0, 1, 0], "0 feature"),
        (np.zeros((3, 1)), None, "requires y"),
        (np.zeros((3, 1)), [0, -1, 0], "at least 0"),
        (np.ones((3, 1)) * 1j, [0, 1, 0], "Complex"),
    ],
)
def test_unfit_data_is_refused(turns, X, y, reason) -> None:
    with pytest.raises(InputError, match=reason):
        turns().fit(X, y)


def test_a_dataset_brings_everything_itself(turns, lists) -> None:
    with pytest.raises(InputError, match="brings its own"):
        turns().fit(lists, lists.y)


def test_a_ranker_can_refuse_sparse_features(turns, lists) -> None:
    class Dense(turns):
        """Dense."""

        handles_sparse = False

    with pytest.raises(InputError, match=r"Pass X.toarray\(\)"):
        Dense().fit(sp.csr_matrix(lists.X), lists.y, qid=lists.qid)
    assert not Dense().__sklearn_tags__().input_tags.sparse
