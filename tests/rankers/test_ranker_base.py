"""The base of all rankers: what `fit` takes, keeps and refuses."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
import sklearn.exceptions
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

import rankwright as rw
from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.models import LinearModel
from rankwright.rankers import Callback, Ranker


def test_a_ranker_without_learn_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Ranker()


def test_repr_shows_what_is_not_default(turns) -> None:
    assert repr(turns(n_rounds=3)) == "Turns(n_rounds=3)"
    assert repr(turns()) == "Turns()"


def test_unfitted_is_known_to_sklearn_and_to_us(turns, lists) -> None:
    with pytest.raises(sklearn.exceptions.NotFittedError):
        check_is_fitted(turns())
    for error in (sklearn.exceptions.NotFittedError, rw.InputError):
        with pytest.raises(error, match="must be fitted first"):
            turns().predict(lists)
    assert not hasattr(turns(), "feature_importances_")
    check_is_fitted(turns().fit(lists))


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


def test_rank_numbers_the_callers_rows_best_first(turns) -> None:
    fitted = turns(n_rounds=1).fit([[0, 1], [0, 2], [0, 3]], [0, 1, 2], qid=[1, 1, 1])
    X = [[0, 5], [0, 9], [0, 7], [0, 1]]
    rows = fitted.rank(X, qid=["b", "a", "b", "a"])
    assert [part.tolist() for part in rows] == [[2, 0], [1, 3]]
    assert [part.tolist() for part in fitted.rank(X, k=1)] == [[1]]
    for k in (0, -1, 1.5, True):
        with pytest.raises(InputError, match="k must be"):
            fitted.rank(X, k=k)


def test_score_is_the_measure_and_larger_is_better(turns, lists) -> None:
    fitted = turns(measure="nDCG@3").fit(lists)
    expected = rw.measure("nDCG@3").mean(lists.y, fitted.predict(lists), lists.qptr)
    assert fitted.score(lists) == expected
    assert fitted.score(lists.X, lists.y, qid=lists.qid) == expected
    with pytest.raises(InputError, match="set_config"):
        fitted.score(lists.X, lists.y)
    with pytest.raises(InputError, match="requires y"):
        fitted.score(lists.X, qid=lists.qid)


def test_score_counts_query_weights(turns) -> None:
    fitted = turns(measure="AP", n_rounds=1).fit([[0, 1], [0, 2]], [0, 1], qid=[1, 1])
    X, y, qid = [[0, 2], [0, 1], [0, 1], [0, 2]], [1, 0, 1, 0], ["good", "good", "bad", "bad"]
    assert fitted.score(X, y, qid=qid) == (1 + 1 / 2) / 2
    assert fitted.score(X, y, qid=qid, query_weight=[3, 1]) == (3 * 1 + 1 * 1 / 2) / 4
    assert fitted.score(X, y, qid=qid, query_weight={"good": 0.0}) == 1 / 2
    assert fitted.score(Dataset(X, y, qid=qid, query_weight=[1, 0])) == 1.0


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
    ("options", "reason"),
    [
        ({"n_rounds": -1}, "n_rounds must be whole number ≥ 0. Got -1"),
        ({"n_rounds": 2.5}, "n_rounds must be"),
        ({"n_threads": 0}, "n_threads must be"),
        ({"measure": "nDCH"}, "Did you mean 'nDCG'"),
        ({"callbacks": Callback()}, "callbacks must be a list"),
        ({"callbacks": ["loud"]}, "Subclass rankwright.rankers.Callback"),
        ({"callbacks": None}, "callbacks must be a list"),
    ],
)
def test_unfit_options_are_refused_when_fitting(turns, lists, options, reason) -> None:
    ranker = turns(**options)  # scikit-learn wants constructors that do not complain
    with pytest.raises(InputError, match=reason):
        ranker.fit(lists)


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


def test_a_failed_fit_leaves_the_ranker_as_it_was(turns, lists) -> None:
    class Fails(Callback):
        def round(self, run, row) -> None:
            raise OSError("disk full")

    fitted = turns().fit(lists)
    before = dict(vars(fitted))
    fitted.set_params(callbacks=[Fails()])
    with pytest.raises(OSError, match="disk full"):
        fitted.fit(lists.queries([0, 1]))
    assert {**vars(fitted), "callbacks": ()} == before


def test_a_refit_leaves_nothing_of_the_first(turns, lists) -> None:
    fitted = turns().fit(lists.replace(feature_names=("a", "b", "c")))
    fitted.left_over_ = 1
    fitted.fit(Dataset(lists.X[:, :2], lists.y, group=lists.group_sizes))
    assert not hasattr(fitted, "feature_names_in_")
    assert not hasattr(fitted, "left_over_")
    assert fitted.n_features_in_ == 2


def test_without_rounds_the_model_is_whole(turns, lists) -> None:
    class AtOnce(turns):
        """At once."""

        def learn(self, train, valid, rounds):
            return LinearModel.of_steps(((0, 1.0), (1, 2.0)), train.n_features)

    fitted = AtOnce().fit(lists)
    assert fitted.model_.weights.tolist() == [1.0, 2.0, 0.0]
    assert (fitted.best_round_, fitted.history_) == (0, [])


def test_learn_must_return_a_model(turns, lists) -> None:
    class Forgets(turns):
        """Forgets."""

        def learn(self, train, valid, rounds):
            return None

    with pytest.raises(TypeError, match="must return a Model"):
        Forgets().fit(lists)


def test_names_in_the_registry_are_not_taken_twice() -> None:
    with pytest.raises(InputError, match="'single_feature' is SingleFeature's"):

        class Another(Ranker):
            name = "single_feature"


def test_a_clone_is_unfitted_and_equal(turns, lists) -> None:
    fitted = turns(n_rounds=np.int64(2), measure=rw.measure("AP")).fit(lists)
    again = clone(fitted)
    assert not hasattr(again, "model_")
    assert again.get_params() == fitted.get_params()


def test_interactive_use_with_numpy_scalars(turns, lists) -> None:
    fitted = turns(n_rounds=np.int32(2), tol=np.float32(0.5), n_threads=np.int64(1)).fit(lists)
    assert len(fitted.history_) == 2
    assert type(fitted.n_rounds) is np.int32


def test_training_saving_and_loading_cost_no_heavy_import(tmp_path) -> None:
    script = f"""
import sys, rankwright as rw
ranker = rw.SingleFeature()
ranker.fit([[1.0], [2.0]], [0, 1], qid=[1, 1]).save({str(tmp_path / "m.json")!r})
try:
    rw.SingleFeature().predict([[1.0]])
except rw.InputError:
    pass
rw.load({str(tmp_path / "m.json")!r}).rank([[1.0], [2.0]], qid=[1, 1])
print([name for name in ("sklearn", "scipy", "pandas", "rich", "typer") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_error_of_an_unfitted_ranker_passes_between_processes(turns, lists) -> None:
    with pytest.raises(sklearn.exceptions.NotFittedError) as error:
        turns().predict(lists)
    again = pickle.loads(pickle.dumps(error.value))
    assert isinstance(again, sklearn.exceptions.NotFittedError)
    assert str(again) == str(error.value)
