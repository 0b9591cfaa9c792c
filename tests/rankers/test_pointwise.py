"""scikit-learn estimators as rankers: how they score, what is saved, how weights and gaps are taken."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import (
    Lasso,
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import rankwright as rw
from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.models import ExpectedLabelModel, LinearModel
from rankwright.rankers.pointwise_model import NAMED, EstimatorModel


@pytest.fixture
def binary(lists) -> Dataset:
    return lists.replace(y=(lists.y >= 1).astype(np.float32))


def _wide(data: Dataset) -> np.ndarray:
    return data.X.astype(np.float64)


@pytest.mark.parametrize(
    "estimator",
    [LinearRegression(), Ridge(alpha=3.0), Lasso(alpha=0.01), SVR(kernel="linear"), DecisionTreeRegressor(max_depth=3)],
    ids=repr,
)
def test_regressors_score_by_their_prediction(lists, estimator) -> None:
    ranker = rw.Pointwise(estimator=estimator).fit(lists)
    alone = clone(estimator).set_params(**({"random_state": 0} if "random_state" in estimator.get_params() else {}))
    expected = alone.fit(_wide(lists), lists.y).predict(_wide(lists))
    assert np.allclose(ranker.predict(lists), expected, rtol=0, atol=1e-9)
    assert not hasattr(estimator, "n_features_in_")  # it was cloned


@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC(), RidgeClassifier(), SVC()], ids=repr)
def test_classifiers_of_two_labels_score_by_their_decision(binary, estimator) -> None:
    ranker = rw.Pointwise(estimator=estimator).fit(binary)
    alone = clone(estimator).set_params(random_state=0).fit(_wide(binary), binary.y)
    assert np.allclose(ranker.predict(binary), alone.decision_function(_wide(binary)), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "estimator",
    [LogisticRegression(), LinearDiscriminantAnalysis(), DecisionTreeClassifier(max_depth=2), KNeighborsClassifier()],
    ids=repr,
)
def test_classifiers_of_grades_score_by_the_expected_label(lists, estimator) -> None:
    ranker = rw.Pointwise(estimator=estimator).fit(lists)
    alone = clone(estimator).fit(_wide(lists), lists.y.astype(int))
    p = alone.predict_proba(_wide(lists))
    assert np.allclose(ranker.predict(lists), p[:, 0] * 0 + p[:, 1] * 1 + p[:, 2] * 2, rtol=0, atol=1e-9)


def test_classifiers_without_probabilities_need_two_labels(lists) -> None:
    with pytest.raises(InputError, match=r"LinearSVC must have predict_proba .* Use rel=\.\.\."):
        rw.Pointwise(estimator="linear_svc").fit(lists)
    ranker = rw.Pointwise(estimator="linear_svc", rel=2).fit(lists)
    alone = LinearSVC(dual="auto", max_iter=10_000, random_state=0).fit(_wide(lists), lists.y >= 2)
    assert np.allclose(ranker.predict(lists), alone.decision_function(_wide(lists)), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("estimator", "kind"),
    [
        ("ridge", LinearModel),
        ("least_squares", LinearModel),
        ("linear_svr", LinearModel),
        ("logistic", ExpectedLabelModel),
        (LinearDiscriminantAnalysis(), ExpectedLabelModel),
        (SGDClassifier(loss="log_loss"), EstimatorModel),  # one label against the rest: no softmax
        (PoissonRegressor(), EstimatorModel),  # coef_, but exp of it
        (make_pipeline(StandardScaler(), Ridge()), EstimatorModel),
        (RandomForestRegressor(n_estimators=3), EstimatorModel),
    ],
    ids=str,
)
def test_only_what_is_plain_numbers_is_saved(lists, tmp_path, estimator, kind) -> None:
    ranker, path = rw.Pointwise(estimator=estimator).fit(lists), tmp_path / "m.json"
    assert type(ranker.model_) is kind
    if kind is EstimatorModel:
        with pytest.raises(InputError, match="only linear estimators"):
            ranker.save(path)
        assert list(tmp_path.iterdir()) == []
    else:
        ranker.save(path)
        assert rw.load(path).predict(lists).tobytes() == ranker.predict(lists).tobytes()


def test_two_labels_of_logistic_regression_are_a_linear_model(binary) -> None:
    assert type(rw.Pointwise(estimator="logistic").fit(binary).model_) is LinearModel


@pytest.mark.parametrize("name", NAMED)
def test_named_estimators_rank_better_than_chance(lists, name) -> None:
    ranker = rw.Pointwise(estimator=name, rel=1.0).fit(lists)
    assert ranker.score(lists) > 0.9 > rw.measure("nDCG@10").mean(lists.y, np.zeros(60), lists.qptr)


@pytest.mark.parametrize("estimator", ["rigde", Ridge, 3, None, object()])
def test_what_is_no_estimator_is_refused(lists, estimator) -> None:
    with pytest.raises(InputError, match="estimator must be"):
        rw.Pointwise(estimator=estimator).fit(lists)


def test_document_and_query_weights_multiply(lists) -> None:
    rng = np.random.default_rng(2)
    of_docs, of_queries = rng.uniform(0.5, 2, 60), rng.uniform(0.5, 2, 10)
    ranker = rw.Pointwise().fit(lists.replace(doc_weight=of_docs, query_weight=of_queries))
    alone = Ridge().fit(_wide(lists), lists.y, sample_weight=of_docs * np.repeat(of_queries, 6))
    assert np.allclose(ranker.predict(lists), alone.predict(_wide(lists)), rtol=0, atol=1e-9)


def test_weights_for_an_estimator_that_takes_none_are_refused(lists) -> None:
    ranker = rw.Pointwise(estimator=KNeighborsClassifier())
    with pytest.raises(InputError, match="KNeighborsClassifier takes no weights"):
        ranker.fit(lists.replace(query_weight=np.ones(10)))


def test_missing_values_count_as_told(lists) -> None:
    X = np.array(lists.X)
    X[::5, 0] = np.nan
    gaps = lists.replace(X=X)
    filled = lists.replace(X=np.nan_to_num(X, nan=7.0))
    ranker = rw.Pointwise(missing=7.0).fit(gaps)
    assert np.allclose(ranker.predict(gaps), rw.Pointwise().fit(filled).predict(filled), rtol=0, atol=1e-12)
    assert np.isnan(X[0, 0])


def test_missing_values_may_be_left_to_the_estimator(lists, tmp_path) -> None:
    X = np.array(lists.X)
    X[::5, 0] = np.nan
    gaps = lists.replace(X=X)
    ranker = rw.Pointwise(estimator=HistGradientBoostingRegressor(max_iter=5), missing=None).fit(gaps)
    alone = HistGradientBoostingRegressor(max_iter=5, random_state=0).fit(X.astype(np.float64), lists.y)
    assert ranker.predict(gaps).tolist() == alone.predict(X.astype(np.float64)).tolist()
    with pytest.raises(InputError, match="Ridge takes no missing values"):
        rw.Pointwise(missing=None).fit(gaps)
    full = rw.Pointwise(missing=None).fit(lists)
    with pytest.raises(InputError, match="Ridge takes no missing values"):
        full.predict(gaps)


def test_missing_values_in_sparse_matrices(lists) -> None:
    X = np.array(lists.X)
    X[::5, 0] = np.nan
    dense = rw.Pointwise(missing=2.0).fit(lists.replace(X=X))
    sparse = rw.Pointwise(missing=2.0).fit(sp.csr_matrix(X), lists.y, qid=lists.qid)
    assert np.allclose(dense.predict(X), sparse.predict(sp.csr_matrix(X)), rtol=0, atol=1e-9)


def test_a_single_label_gives_a_classifier_nothing_to_learn(lists) -> None:
    for label in (0.0, 2.0):
        constant = lists.replace(y=np.full(60, label, np.float32))
        assert set(rw.Pointwise(estimator="logistic").fit(constant).predict(lists).tolist()) == {label}


def test_grades_of_a_classifier_must_be_whole(lists) -> None:
    half = lists.replace(y=lists.y / 2)
    with pytest.raises(InputError, match=r"whole numbers for LogisticRegression. Got 0.5"):
        rw.Pointwise(estimator="logistic").fit(half)
    assert rw.Pointwise(estimator="logistic", rel=0.5).fit(half).score(half) > 0.9


def test_unset_random_states_are_set_from_rng_and_others_kept(lists) -> None:
    def fit(**options):
        estimator = RandomForestClassifier(n_estimators=3, max_features=1, **options.pop("forest", {}))
        return rw.Pointwise(estimator=estimator, **options).fit(lists).predict(lists).tolist()

    assert fit(rng=1) == fit(rng=1)
    assert fit(rng=1) != fit(rng=2)
    assert fit(rng=1, forest={"random_state": 5}) == fit(rng=2, forest={"random_state": 5})


def test_nested_options_reach_the_estimator(lists) -> None:
    ranker = rw.Pointwise(estimator=Ridge(alpha=2.0))
    assert ranker.get_params()["estimator__alpha"] == 2.0
    ranker.set_params(estimator__alpha=5.0)
    assert ranker.estimator.alpha == 5.0
    assert rw.Pointwise().set_params(estimator=Ridge(), estimator__alpha=4.0).estimator.alpha == 4.0
    with pytest.raises(InputError, match=r"estimator__alpha needs an estimator .* Got estimator='ridge'"):
        rw.Pointwise().set_params(estimator__alpha=5.0)


def test_importances_are_the_models(lists) -> None:
    assert np.argmax(rw.Pointwise().fit(lists).feature_importances_) == 1
    assert np.argmax(rw.Pointwise(estimator="logistic").fit(lists).feature_importances_) == 1
    forest = rw.Pointwise(estimator=RandomForestRegressor(n_estimators=5)).fit(lists)
    assert forest.feature_importances_.sum() == pytest.approx(1.0)
    assert not hasattr(rw.Pointwise(estimator=KNeighborsClassifier()).fit(lists), "feature_importances_")


def test_on_real_data_it_beats_chance_and_saves(shared_data, tmp_path) -> None:
    path = shared_data("news2018/trec_news_2018.train")
    from sklearn.datasets import load_svmlight_file

    X, y, qid = load_svmlight_file(str(path), query_id=True)
    data = Dataset(X.toarray(), y, qid=qid)
    ranker = rw.Pointwise(estimator="logistic", rel=1).fit(data)
    ranker.save(tmp_path / "m.json")
    assert rw.load(tmp_path / "m.json").predict(data).tobytes() == ranker.predict(data).tobytes()
    assert ranker.score(data) > rw.measure("nDCG@10").mean(data.y, np.zeros(data.n_docs), data.qptr)
