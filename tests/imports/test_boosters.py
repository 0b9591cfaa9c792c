"""LightGBM's and XGBoost's models score here as they do there, to the last bit, on every float32 there is to try."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from tests.imports.given import data, groups, rows_for

import rankwright as rw
from rankwright.imports import found_in
from rankwright.imports.lightgbm import thresholds
from rankwright.models import ForestModel, LinearModel
from rankwright.models.base import model_from_dict, model_to_dict

lightgbm = pytest.importorskip("lightgbm")
xgboost = pytest.importorskip("xgboost")


def trained(rounds: int = 30, categories: bool = False, **options: Any) -> Any:
    X, y = data()
    common = {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 5, "min_data_per_group": 5, "max_cat_to_onehot": 2}
    wanted = {"objective": "regression", **common, **options}
    chosen: Any = [0] if categories else "auto"
    group = groups() if "rank" in wanted["objective"] else None
    return lightgbm.train(wanted, lightgbm.Dataset(X, y, group=group, categorical_feature=chosen), rounds)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"objective": "lambdarank"},
        {"boosting": "dart"},
        {"boosting": "rf", "bagging_fraction": 0.5, "bagging_freq": 1},
        {"zero_as_missing": True},
        {"use_missing": False},
        {"categories": True},
        {"objective": "binary"},
    ],
    ids=str,
)
def test_lightgbm(options: dict[str, Any], tmp_path: Path) -> None:
    booster = trained(**options)
    booster.save_model(tmp_path / "m.txt")
    model = rw.read_model(tmp_path / "m.txt")
    rows = rows_for(model)
    assert model.scores(rows).tolist() == booster.predict(rows, raw_score="binary" in options.values()).tolist()
    again = rw.read_model(booster)
    assert again.scores(rows).tolist() == model.scores(rows).tolist()


def test_thresholds_of_lightgbm_around_zero() -> None:
    t = [1e-36, 0.0, -0.0, -1e-36, -1e-35, 1e-35, 1.0000000180025095e-35, 0.1, -0.1, 1e300, -1e300, np.inf]
    tiny = np.float32(1e-35)
    x = np.float32([0, -0.0, 1e-45, -1e-45, tiny, -tiny, np.nextafter(tiny, np.float32(1)), 0.1, -0.1, 3e38, -3e38])
    as_lightgbm = np.where(np.abs(x) <= float(tiny), 0.0, x.astype(np.float64))
    for ours, theirs in zip(thresholds(np.array(t)), t, strict=True):
        assert (x <= ours).tolist() == (as_lightgbm <= theirs).tolist()


def test_an_estimator_is_read_up_to_its_best_round() -> None:
    X, y = data()
    worse = np.random.default_rng(5).permutation(y)
    early = lightgbm.early_stopping(3, verbose=False)
    ours = lightgbm.LGBMRanker(n_estimators=40, verbose=-1).fit(
        X, y, group=groups(), eval_X=X, eval_y=worse, eval_group=[groups()], callbacks=[early]
    )
    assert len(rw.read_model(ours).trees) == ours.best_iteration_ < 40
    theirs = xgboost.XGBRanker(n_estimators=40, early_stopping_rounds=3)
    theirs.fit(X, y, group=groups(), eval_set=[(X, worse)], eval_group=[groups()], verbose=False)
    model = rw.read_model(theirs)
    assert len(model.trees) == theirs.best_iteration + 1 < 40
    assert model.scores(X).tolist() == theirs.predict(X).astype(float).tolist()


@pytest.mark.parametrize("booster", ["gbtree", "dart"])
@pytest.mark.parametrize("objective", ["rank:ndcg", "reg:squarederror", "binary:logistic", "count:poisson"])
@pytest.mark.parametrize("ending", ["json", "ubj"])
def test_xgboost(booster: str, objective: str, ending: str, tmp_path: Path) -> None:
    X, y = data()
    rows = xgboost.DMatrix(X, np.minimum(y, 1))
    if objective.startswith("rank"):
        rows.set_group(groups())
    dropped = {"rate_drop": 0.3} if booster == "dart" else {}
    options = {"booster": booster, "objective": objective, "base_score": 0.3, "max_depth": 5, **dropped}
    theirs = xgboost.train(options, rows, 20)
    theirs.save_model(tmp_path / f"m.{ending}")
    model = rw.read_model(tmp_path / f"m.{ending}")
    asked = rows_for(model, infinite=False)
    expected = theirs.predict(xgboost.DMatrix(asked), output_margin=True).astype(np.float64)
    assert model.scores(asked).tolist() == expected.tolist()


def test_xgboost_with_categories_and_names() -> None:
    X, y = data()
    names = ["kind", "a", "b", "c", "d", "e"]
    how: dict[str, Any] = {"feature_types": ["c", *"qqqqq"], "enable_categorical": True, "feature_names": names}
    theirs = xgboost.train({"max_cat_to_onehot": 2, "max_depth": 5}, xgboost.DMatrix(X, y, **how), 20)
    found = found_in(theirs)
    assert found.features == tuple(names)
    assert isinstance(found.model, ForestModel)
    assert sum(len(tree.categories) for tree in found.model.trees) > 10
    asked = rows_for(found.model, infinite=False)
    asked[:, 0] = np.abs(asked[:, 0])
    assert found.model.scores(asked).tolist() == theirs.predict(xgboost.DMatrix(asked, **how)).astype(float).tolist()


@pytest.mark.parametrize("objective", ["reg:squarederror", "binary:logistic"])
def test_xgboosts_linear_booster(objective: str) -> None:
    X, y = data()
    rows = xgboost.DMatrix(X, np.minimum(y, 1))
    theirs = xgboost.train({"booster": "gblinear", "objective": objective, "base_score": 0.3}, rows, 8)
    model = rw.read_model(theirs)
    assert isinstance(model, LinearModel)
    size = np.random.default_rng(0).normal(size=(3000, 6)) * 10.0 ** np.arange(-30, 30)[np.arange(3000) % 60, None]
    asked = np.concatenate([X, -X, np.where(np.isnan(X), np.float32(-0.0), X), size]).astype(np.float32)
    asked[::7, 2] = np.float32(1e-45)
    expected = theirs.predict(xgboost.DMatrix(asked), output_margin=True).astype(np.float64)
    assert model.scores(asked).tolist() == expected.tolist()
    assert model.scores(sp.csr_matrix(np.nan_to_num(asked))).tolist() == model.scores(np.nan_to_num(asked)).tolist()
    again = model_from_dict(model_to_dict(model))
    assert again.scores(asked).tolist() == expected.tolist()


def test_notes_say_what_predict_adds() -> None:
    assert "binary's function" in found_in(trained(objective="binary")).notes[0]
    assert found_in(trained(objective="lambdarank")).notes == ()


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda X, y: trained(objective="multiclass", num_class=3), "has 3 classes"),
        (lambda X, y: trained(linear_tree=True), "linear models in its leaves"),
        (
            lambda X, y: xgboost.train({"objective": "multi:softmax", "num_class": 3}, xgboost.DMatrix(X, y), 2),
            "has several scores per row",
        ),
        (lambda X, y: lightgbm.LGBMRanker(), "Fit it"),
        (lambda X, y: xgboost.XGBRanker(), "[Ff]it"),
    ],
)
def test_what_is_no_sum_of_trees_is_refused(make: Any, reason: str) -> None:
    with pytest.raises((rw.InputError, Exception), match=reason):
        rw.read_model(make(*data(gaps=False)))
