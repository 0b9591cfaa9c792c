from __future__ import annotations

import pickle

import numpy as np
import pytest

import rankwright as rw

sklearn = pytest.importorskip("sklearn")


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    order = rng.permutation(90)
    return (
        X[order],
        (X[:, 1] + rng.normal(0, 0.4, 90) > 0.5).astype(int)[order],
        np.repeat(list("abcdefghi"), 10)[order],
    )


def folds(X, y, qid):
    from sklearn.model_selection import GroupKFold

    return list(GroupKFold(3).split(X, y, qid))


def by_hand(estimator, X, y, qid, measure):
    return [
        rw.evaluate(estimator.fit(X[i], y[i], qid=qid[i]).predict(X[j]), y[j], measure, qid=qid[j])[measure]
        for i, j in folds(X, y, qid)
    ]


@pytest.mark.usefixtures("routing")
def test_cross_val_score_scores_per_query(data):
    from sklearn.model_selection import GroupKFold, cross_val_score

    X, y, qid = data
    params = {"qid": qid, "groups": qid}
    found = cross_val_score(
        rw.SingleFeature(),
        X,
        y,
        cv=GroupKFold(3),
        scoring=rw.make_ranking_scorer("AP"),
        params=params,
        error_score="raise",
    )
    assert found.tolist() == by_hand(rw.SingleFeature(), X, y, qid, "AP")


@pytest.mark.usefixtures("routing")
def test_grid_search_with_one_scorer_and_with_several(data):
    from sklearn.model_selection import GridSearchCV, GroupKFold

    X, y, qid = data
    grid = {"feature": [0, 1, 2]}
    scoring = {"map": rw.make_ranking_scorer("AP"), "top": rw.make_ranking_scorer("nDCG@1")}
    how = {"cv": GroupKFold(3), "error_score": "raise"}
    one = GridSearchCV(rw.SingleFeature(), grid, scoring=scoring["map"], **how)
    one.fit(X, y, qid=qid, groups=qid)
    assert one.best_params_ == {"feature": 1}
    assert one.best_score_ == pytest.approx(np.mean(by_hand(rw.SingleFeature(feature=1), X, y, qid, "AP")))
    several = GridSearchCV(
        rw.SingleFeature(), grid, cv=GroupKFold(3), scoring=scoring, refit="map", error_score="raise"
    )
    several.fit(X, y, qid=qid, groups=qid)
    top = np.mean(by_hand(rw.SingleFeature(feature=1), X, y, qid, "nDCG@1"))
    assert several.cv_results_["mean_test_top"][1] == pytest.approx(top)


@pytest.mark.usefixtures("routing")
def test_it_scores_any_regressor(data):
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GroupKFold, cross_val_score

    X, y, qid = data
    params = {"qid": qid, "groups": qid}
    found = cross_val_score(
        Ridge(), X, y, cv=GroupKFold(3), scoring=rw.make_ranking_scorer(), params=params, error_score="raise"
    )
    expected = [
        rw.evaluate(Ridge().fit(X[i], y[i]).predict(X[j]), y[j], "nDCG@10", qid=qid[j])["nDCG@10"]
        for i, j in folds(X, y, qid)
    ]
    assert found.tolist() == expected


def test_lower_is_better_is_negated(data):
    class Misses(rw.Measure):
        name = "_misses"
        lower_is_better = True

        def of_ranking(self, labels):
            return 1.0 - float(labels[0] > 0)

    X, y, qid = data
    ranker = rw.SingleFeature(feature=0).fit(X, y, qid=qid)
    value = rw.evaluate(ranker.predict(X), y, Misses(), qid=qid).means["_misses"]
    assert value > 0
    assert rw.make_ranking_scorer(Misses())(ranker, X, y, qid=qid) == -value


def test_it_takes_a_dataset_and_survives_pickle(data):
    X, y, qid = data
    both = rw.Dataset(X, y, qid=qid)
    ranker = rw.SingleFeature().fit(both)
    scorer = pickle.loads(pickle.dumps(rw.make_ranking_scorer("AP")))
    assert scorer == rw.make_ranking_scorer("map")
    assert scorer(ranker, both) == scorer(ranker, X, y, qid=qid) == rw.evaluate(ranker, both, "AP")["AP"]


def test_without_qid_it_says_what_to_do(data):
    X, y, qid = data
    with pytest.raises(rw.InputError, match="enable_metadata_routing=True"):
        rw.make_ranking_scorer("AP")(rw.SingleFeature().fit(X, y, qid=qid), X, y)


def test_an_unknown_measure_is_told_at_once():
    with pytest.raises(rw.InputError, match="measure must be one of"):
        rw.make_ranking_scorer("XYZ")
