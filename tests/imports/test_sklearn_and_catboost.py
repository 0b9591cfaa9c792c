"""scikit-learn's and CatBoost's models score here as they do there, to the last bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import ensemble, linear_model, tree
from tests.imports.given import data, groups, rows_for

import rankwright as rw
from rankwright.imports.cityhash import hashes_of, numbers_of
from rankwright.models import ForestModel, LinearModel

ESTIMATORS: list[tuple[Any, bool]] = [
    (tree.DecisionTreeRegressor(random_state=0), True),
    (ensemble.RandomForestRegressor(12, random_state=0), True),
    (ensemble.ExtraTreesRegressor(12, random_state=0), True),
    (ensemble.GradientBoostingRegressor(n_estimators=20), False),
    (ensemble.GradientBoostingRegressor(n_estimators=20, init="zero"), False),
    (ensemble.GradientBoostingRegressor(n_estimators=20, loss="quantile"), False),
    (ensemble.GradientBoostingClassifier(n_estimators=20), False),
    (ensemble.HistGradientBoostingRegressor(max_iter=20), True),
    (ensemble.HistGradientBoostingClassifier(max_iter=20), True),
]


@pytest.mark.parametrize(("estimator", "gaps"), ESTIMATORS, ids=lambda value: str(value)[:60])
def test_sklearn(estimator: Any, gaps: bool) -> None:
    X, y = data(gaps)
    classifier = type(estimator).__name__.endswith("Classifier")
    estimator.fit(X, y > 0 if classifier else y)
    model = rw.read_model(estimator)
    rows = rows_for(model, gaps, infinite=False)
    expected = estimator.decision_function(rows) if classifier else estimator.predict(rows)
    assert model.scores(rows).tolist() == expected.tolist()


@pytest.mark.parametrize("chosen", [[0], [3, 0]])
@pytest.mark.parametrize("kind", [ensemble.HistGradientBoostingRegressor, ensemble.HistGradientBoostingClassifier])
def test_categories_of_sklearn(chosen: list[int], kind: Any) -> None:
    X, y = data()
    rng = np.random.default_rng(2)
    X[:, 3] = rng.choice(np.float32([0, 7, 700, 2**20, np.nan]), len(X))
    estimator = kind(max_iter=30, categorical_features=chosen).fit(X, y > 0 if "Class" in kind.__name__ else y)
    model = rw.read_model(estimator)
    assert isinstance(model, ForestModel)
    assert sum(len(t.categories) for t in model.trees) > 20
    rows = rows_for(model, infinite=False)
    for k in chosen:  # known categories, unknown ones, and what is no category
        rows[:, k] = rng.choice(np.float32([*range(14), 700, 2**20, 2**20 + 1, 255, 256, -1, -7, np.nan]), len(rows))
    expected = estimator.decision_function(rows) if "Class" in kind.__name__ else estimator.predict(rows)
    assert model.scores(rows).tolist() == expected.tolist()


def test_categories_of_sklearn_that_are_no_numbers() -> None:
    X, y = data()
    X[:, 0] -= 0.5
    with pytest.raises(rw.InputError, match="whole numbers"):
        rw.read_model(ensemble.HistGradientBoostingRegressor(max_iter=2, categorical_features=[0]).fit(X, y))
    texts = np.array([["b"], ["a"]] * 30, dtype=object)
    with pytest.raises(rw.InputError, match="are no numbers"):
        rw.read_model(ensemble.HistGradientBoostingRegressor(max_iter=2, categorical_features=[0]).fit(texts, y[:60]))


def test_linear_models_of_sklearn() -> None:
    X, y = data(gaps=False)
    ridge = linear_model.Ridge().fit(X, y)
    model = rw.read_model(ridge)
    assert isinstance(model, LinearModel)
    assert np.allclose(model.scores(X), ridge.predict(X.astype(np.float64)), rtol=1e-12)


@pytest.mark.parametrize(
    ("estimator", "reason"),
    [
        (ensemble.RandomForestClassifier(2), "is a RandomForestClassifier"),
        (ensemble.RandomForestRegressor(2), "not fitted"),
        (ensemble.GradientBoostingClassifier(n_estimators=2), "several scores"),
        (ensemble.GradientBoostingRegressor(n_estimators=2, init=linear_model.Ridge()), "starts from another"),
    ],
)
def test_what_sklearn_has_beside(estimator: Any, reason: str) -> None:
    X, y = data(gaps=False)
    if "not fitted" not in reason:
        estimator.fit(X, y)
    with pytest.raises(rw.InputError, match=reason):
        rw.read_model(estimator)


@pytest.mark.parametrize("nan_mode", ["Min", "Max", "Forbidden"])
@pytest.mark.parametrize("grow_policy", ["SymmetricTree", "Lossguide", "Depthwise"])
def test_catboost(grow_policy: str, nan_mode: str, tmp_path: Path) -> None:
    catboost = pytest.importorskip("catboost")
    gaps = nan_mode != "Forbidden"
    X, y = data(gaps)
    options = {"loss_function": "YetiRank", "iterations": 20, "grow_policy": grow_policy, "nan_mode": nan_mode}
    theirs = catboost.CatBoost({**options, "verbose": 0, "allow_writing_files": False, "thread_count": 1})
    theirs.fit(X, y, group_id=np.repeat(np.arange(len(groups())), groups()))
    theirs.save_model(str(tmp_path / "m.json"), format="json")
    model = rw.read_model(tmp_path / "m.json")
    rows = rows_for(model, gaps)
    assert model.scores(rows).tolist() == theirs.predict(rows).tolist()
    theirs.set_scale_and_bias(1.7, 0.3)
    assert rw.read_model(theirs).scores(rows).tolist() == theirs.predict(rows).tolist()


def oblivious(**changes: Any) -> dict[str, Any]:
    """A model by hand, as CatBoost writes them."""
    splits = [
        {"border": 0.5, "float_feature_index": 0, "split_type": "FloatFeature"},
        {"border": -1.0, "float_feature_index": 1, "split_type": "FloatFeature"},
    ]
    features = [
        {"flat_feature_index": 0, "feature_index": 0, "nan_value_treatment": "AsFalse"},
        {"flat_feature_index": 2, "feature_index": 1, "nan_value_treatment": "AsTrue"},
    ]
    document: dict[str, Any] = {
        "features_info": {"float_features": features},
        "oblivious_trees": [{"splits": splits, "leaf_values": [1.0, 2.0, 4.0, 8.0], "leaf_weights": [1, 2, 3, 4]}],
        "scale_and_bias": [1, [0.25]],
    }
    return {**document, **changes}


def test_bits_of_oblivious_trees() -> None:
    import json

    model = rw.read_model(json.dumps(oblivious()).encode())
    nan = np.nan
    X = np.float32([[0.5, 9, -1], [0.6, 9, -1], [0.5, 9, 0], [0.6, 9, 0], [nan, 9, -1], [0.5, 9, nan]])
    assert model.scores(X).tolist() == [1.25, 2.25, 4.25, 8.25, 1.25, 4.25]


def mixed(X: Any, columns: tuple[int, ...]) -> Any:
    """Rows as CatBoost takes them: categories are integers."""
    rows = X.astype(object)
    for k in columns:
        rows[:, k] = X[:, k].astype(int)
    return rows


@pytest.mark.parametrize("grow_policy", ["SymmetricTree", "Lossguide", "Depthwise"])
def test_catboosts_categories(grow_policy: str) -> None:
    catboost = pytest.importorskip("catboost")
    X, y = data(gaps=False)
    rng = np.random.default_rng(3)
    X[:, 4] = rng.choice(np.float32([3, 70, 1234, 65_432]), len(X))
    options = {"iterations": 30, "grow_policy": grow_policy, "one_hot_max_size": 255, "cat_features": [0, 4]}
    theirs = catboost.CatBoostRegressor(**options, verbose=0, allow_writing_files=False, thread_count=1)
    theirs.fit(mixed(X, (0, 4)), y + (X[:, 4] == 70) + np.isin(X[:, 0], [2, 5, 11]))
    model = rw.read_model(theirs)
    assert isinstance(model, ForestModel)
    assert sum(len(t.categories) for t in model.trees) > 20
    rows = rows_for(model, gaps=False)
    rows[:, 0] = rng.integers(-3, 16, len(rows))  # known and unknown ones
    rows[:, 4] = rng.choice(np.float32([3, 70, 1234, 65_432, 9, 2**24, -70]), len(rows))
    assert model.scores(rows).tolist() == theirs.predict(mixed(rows, (0, 4))).tolist()


def test_hashes_of_catboost() -> None:
    """Recorded from the splits of a model that CatBoost 1.2.10 trained on the categories 1, 5 and 7."""
    assert hashes_of(np.array([1, 5, 7])).tolist() == [1121341681, -1280163355, -17943309]
    assert numbers_of([-17943309, 1121341681]) == {-17943309: 7, 1121341681: 1}


@pytest.mark.parametrize(
    ("split", "reason"),
    [
        ({"split_type": "OneHotFeature", "cat_feature_index": 0, "value": 12345}, "no whole number"),
        ({"split_type": "OneHotFeature", "cat_feature_index": 1, "value": 12345}, "cat_feature_index"),
        ({"split_type": "OneHotFeature", "cat_feature_index": 0, "value": "red"}, "no whole number"),
        ({"split_type": "OnlineCtr", "ctr_target_border_idx": 0, "border": 1.0}, "one_hot_max_size"),
    ],
)
def test_what_catboost_knows_of_categories_beside(split: dict[str, Any], reason: str) -> None:
    import json

    features = {"float_features": [], "categorical_features": [{"flat_feature_index": 0, "values": [12345]}]}
    tree = {"splits": [split], "leaf_values": [1.0, 2.0]}
    with pytest.raises(rw.InputError, match=reason):
        rw.read_model(json.dumps(oblivious(features_info=features, oblivious_trees=[tree])).encode())
