"""The base of all rankers: fitted or not, its options, its score, its copies."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest
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


def test_options_are_named_and_known(turns) -> None:
    with pytest.raises(TypeError, match=r"takes its options by name: measure, .*Got 6 without a name"):
        turns(6)
    with pytest.raises(TypeError, match=r"an option of Turns must be one of .*Did you mean 'n_rounds'"):
        turns(rounds=6)
    assert list(inspect.signature(turns).parameters)[:2] == ["measure", "n_threads"]


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
