"""Rankers inside scikit-learn's model selection: queries stay whole, and scores are per query."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RandomizedSearchCV,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankwright as rw
from rankwright.errors import InputError


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture
def arrays(lists):
    """X, y and text qids, rows scattered."""
    places = np.random.default_rng(3).permutation(lists.n_docs)
    qid = np.array([f"query {q}" for q in lists.qid])
    return lists.X[places], lists.y[places], qid[places]


def _by_hand(ranker, X, y, qid, measure, weights=None) -> list[float]:
    """Fold by fold: fit, predict, and the measure of every query, without scikit-learn."""
    values = []
    for train, test in GroupKFold(3).split(X, y, groups=qid):
        scores = sklearn.base.clone(ranker).fit(X[train], y[train], qid=qid[train]).predict(X[test])
        names = list(dict.fromkeys(qid[test].tolist()))
        each = [rw.measure(measure).mean(y[test][qid[test] == q], scores[qid[test] == q]) for q in names]
        values.append(float(np.average(each, weights=None if weights is None else [weights[q] for q in names])))
    return values


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_grid_search_scores_per_query(arrays, n_jobs) -> None:
    X, y, qid = arrays
    search = GridSearchCV(rw.SingleFeature(measure="AP"), {"feature": [0, 1, 2]}, cv=GroupKFold(3), n_jobs=n_jobs)
    search.fit(X, y, qid=qid, groups=qid)
    for i in range(3):
        got = [search.cv_results_[f"split{fold}_test_score"][i] for fold in range(3)]
        assert got == pytest.approx(_by_hand(rw.SingleFeature(measure="AP", feature=i), X, y, qid, "AP"), abs=1e-15)
    assert search.best_params_ == {"feature": 1}
    assert search.score(X, y, qid=qid) == search.best_estimator_.score(X, y, qid=qid)


@pytest.mark.usefixtures("routing")
def test_cross_validation_scores_per_query(arrays) -> None:
    X, y, qid = arrays
    how = {"cv": GroupKFold(3), "params": {"qid": qid, "groups": qid}}
    ranker = rw.Pointwise(measure="nDCG@3")
    expected = _by_hand(ranker, X, y, qid, "nDCG@3")
    assert cross_val_score(ranker, X, y, **how).tolist() == pytest.approx(expected, abs=1e-15)
    assert cross_validate(ranker, X, y, **how)["test_score"].tolist() == pytest.approx(expected, abs=1e-15)


@pytest.mark.usefixtures("routing")
def test_in_a_pipeline_with_a_scaler(arrays) -> None:
    X, y, qid = arrays
    pipeline = make_pipeline(StandardScaler(), rw.Pointwise(estimator=Ridge()))
    search = GridSearchCV(pipeline, {"pointwise__estimator__alpha": [0.1, 1e6]}, cv=GroupKFold(3))
    search.fit(X * 1000 + 5, y, qid=qid, groups=qid)
    ranker = search.best_estimator_[-1]
    assert ranker.estimator.alpha == search.best_params_["pointwise__estimator__alpha"]
    scaled = search.best_estimator_[0].transform(X * 1000 + 5)
    assert search.score(X * 1000 + 5, y, qid=qid) == ranker.score(scaled, y, qid=qid)


@pytest.mark.usefixtures("routing")
def test_randomized_search(arrays, turns) -> None:
    X, y, qid = arrays
    search = RandomizedSearchCV(turns(), {"n_rounds": [1, 2, 3]}, n_iter=2, cv=GroupKFold(2), random_state=0)
    search.fit(X, y, qid=qid, groups=qid)
    assert len(search.cv_results_["params"]) == 2
    assert len(search.best_estimator_.history_) == search.best_params_["n_rounds"]


@pytest.mark.usefixtures("routing")
def test_weights_of_queries_and_documents_travel_along(arrays) -> None:
    X, y, qid = arrays
    weights = {q: 1.0 + i for i, q in enumerate(sorted(set(qid.tolist())))}
    params = {"qid": qid, "groups": qid, "query_weight": weights}
    got = cross_val_score(rw.SingleFeature(feature=1, measure="AP"), X, y, cv=GroupKFold(3), params=params)
    ranker = rw.SingleFeature(feature=1, direction="descending", measure="AP")
    assert got.tolist() == pytest.approx(_by_hand(ranker, X, y, qid, "AP", weights), abs=1e-15)
    heavy = np.where(y > 0, 10.0, 1.0)
    one, other = rw.Pointwise(), rw.Pointwise()
    search = GridSearchCV(one, {"rel": [None]}, cv=GroupKFold(3)).fit(X, y, qid=qid, groups=qid, sample_weight=heavy)
    other.fit(X, y, qid=qid, sample_weight=heavy)
    assert search.predict(X).tobytes() == other.predict(X).tobytes()


@pytest.mark.usefixtures("routing")
def test_other_measures_as_scorers(arrays) -> None:
    X, y, qid = arrays
    scoring = {name: rw.make_ranking_scorer(name) for name in ("AP", "nDCG@2")}
    how = {"cv": GroupKFold(3), "params": {"qid": qid, "groups": qid}, "scoring": scoring}
    got = cross_validate(rw.SingleFeature(feature=1), X, y, **how)
    for name in scoring:
        ranker = rw.SingleFeature(feature=1)
        assert got[f"test_{name}"].tolist() == pytest.approx(_by_hand(ranker, X, y, qid, name), abs=1e-15)
    assert "AP" in repr(scoring["AP"])


@pytest.mark.usefixtures("routing")
def test_any_estimator_can_be_scored_per_query(arrays) -> None:
    X, y, qid = arrays
    scorer, fitted = rw.make_ranking_scorer("AP"), LinearRegression().fit(X, y)
    ranker = rw.Pointwise(estimator="least_squares", measure="AP").fit(X, y, qid=qid)
    assert scorer(fitted, X, y, qid=qid) == pytest.approx(ranker.score(X, y, qid=qid), abs=1e-12)


def test_without_routing_the_error_names_the_remedy(arrays) -> None:
    X, y, qid = arrays
    search = GridSearchCV(rw.SingleFeature(), {"feature": [0]}, cv=GroupKFold(3), error_score="raise")
    with pytest.raises(InputError, match=r"sklearn.set_config\(enable_metadata_routing=True\)"):
        search.fit(X, y, qid=qid, groups=qid)
    with pytest.raises(InputError, match=r"sklearn.set_config\(enable_metadata_routing=True\)"):
        rw.make_ranking_scorer("AP")(LinearRegression().fit(X, y), X, y)


def test_without_routing_scikit_learns_default_warns_with_the_remedy(arrays) -> None:
    X, y, qid = arrays
    search = GridSearchCV(rw.SingleFeature(), {"feature": [0]}, cv=GroupKFold(3))
    with (
        pytest.warns(UserWarning, match="non-finite"),
        pytest.warns(UserWarning, match=r"set_config\(enable_metadata_routing=True\)"),
    ):
        search.fit(X, y, qid=qid, groups=qid)
    assert np.isnan(search.cv_results_["mean_test_score"]).all()  # never a number that mixes queries


@pytest.mark.usefixtures("routing")
def test_a_measure_where_lower_is_better_is_negated() -> None:
    class Depth(rw.Measure):
        """The rank of the first relevant document, over the length of the list."""

        name = "_depth_for_tests"
        lower_is_better = True

        def of_ranking(self, labels) -> float:
            return (int(np.argmax(labels > 0)) + 1) / len(labels)

    ranker = rw.SingleFeature(measure=Depth()).fit([[1.0, 3.0], [2.0, 4.0], [3.0, 1.0]], [1, 0, 0], qid=[1, 1, 1])
    assert ranker.model_.weights.tolist() == [-1.0, 0.0]
    assert ranker.score([[1.0, 3.0], [2.0, 4.0], [3.0, 1.0]], [0, 1, 0], qid=[1, 1, 1]) == -2 / 3
    scorer = rw.make_ranking_scorer(Depth())
    assert scorer(ranker, [[1.0, 3.0], [2.0, 4.0]], [0, 1], qid=[1, 1]) == -1.0
