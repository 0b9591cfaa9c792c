"""scikit-learn's trees: single ones, random and extra-trees forests, gradient boosting, histogram gradient boosting.

They compare float32 features (histogram gradient boosting: float64) with float64 thresholds, x ≤ t going left, and
add float64 values. Categories are whole numbers. Of classifiers only those of two classes by boosting have one score
per row: their decision_function.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankwright.errors import InputError
from rankwright.imports.arrays import Ints, at_most, of_nodes, whole
from rankwright.imports.base import Found, part, refused
from rankwright.learners import Tree
from rankwright.learners.tree import MAX_CATEGORY
from rankwright.models import ForestModel, LinearModel, Model

ENGINE = "scikit-learn"
TREES = ("DecisionTreeRegressor", "ExtraTreeRegressor")
FORESTS = ("RandomForestRegressor", "ExtraTreesRegressor")
BOOSTED = ("GradientBoostingRegressor", "GradientBoostingClassifier")
BINNED = ("HistGradientBoostingRegressor", "HistGradientBoostingClassifier")
LINEAR = ("LinearRegression", "Ridge", "Lasso", "ElasticNet", "LinearSVR", "SGDRegressor", "BayesianRidge")


def read(estimator: Any) -> Found:
    """The model of a fitted estimator."""
    kind = type(estimator).__name__
    known = {**dict.fromkeys(TREES, _one), **dict.fromkeys(FORESTS, _averaged), **dict.fromkeys(BOOSTED, _boosted)}
    known |= {**dict.fromkeys(BINNED, _binned), **dict.fromkeys(LINEAR, _linear)}
    if kind not in known:
        raise refused(ENGINE, f"is a {kind}", f"Known are {', '.join(known)}.")
    if not hasattr(estimator, "n_features_in_"):
        raise InputError(f"a fitted {kind} must be passed. This is not fitted. Fit it.")
    with part(kind, "the estimator"):
        model = known[kind](estimator, int(estimator.n_features_in_))
    names = getattr(estimator, "feature_names_in_", None)
    notes = ("Scores are those of decision_function.",) if kind.endswith("Classifier") else ()
    return Found(ENGINE, model, None if names is None else tuple(map(str, names)), notes)


def _one(estimator: Any, n_features: int) -> Model:
    return ForestModel((_tree(estimator.tree_, n_features),), n_features)


def _averaged(estimator: Any, n_features: int) -> Model:
    trees = tuple(_tree(one.tree_, n_features) for one in estimator.estimators_)
    return ForestModel(trees, n_features, average=True)


def _boosted(estimator: Any, n_features: int) -> Model:
    if estimator.estimators_.shape[1] != 1:
        raise refused(ENGINE, "has several scores per row", "Train it for two classes.")
    rows = np.zeros((2, n_features), dtype=np.float32)
    rows[1] = 1.0
    start = np.asarray(estimator._raw_predict_init(rows), dtype=np.float64).ravel()
    if type(estimator.init_).__name__ not in ("DummyRegressor", "DummyClassifier", "str"):
        raise refused(ENGINE, "starts from another estimator", "Train it with init=None or 'zero'.")
    trees = tuple(_tree(one.tree_, n_features) for one in estimator.estimators_[:, 0])
    return ForestModel(trees, n_features, np.full(len(trees), float(estimator.learning_rate)), float(start[0]))


def _tree(tree: Any, n_features: int) -> Tree:
    if tree.value.shape[1:] != (1, 1):
        raise refused(ENGINE, "tree has several values in a leaf", "Train it for one score per row.")
    return of_nodes(
        n_features,
        tree.children_left,
        tree.children_right,
        feature=np.maximum(tree.feature, 0),
        threshold=at_most(tree.threshold),
        missing_left=np.asarray(tree.missing_go_to_left, dtype=np.bool_),
        value=tree.value[:, 0, 0],
        counts=tree.n_node_samples,
    )


def _binned(estimator: Any, n_features: int) -> Model:
    if estimator.n_trees_per_iteration_ != 1:
        raise refused(ENGINE, "has several scores per row", "Train it for two classes.")
    columns, known = _remapped(estimator, n_features)
    trees = tuple(_binned_tree(predictors[0], columns, known) for predictors in estimator._predictors)
    base = float(np.asarray(estimator._baseline_prediction).ravel()[0])
    return ForestModel(trees, n_features, base=base)


def _remapped(estimator: Any, n_features: int) -> tuple[Ints, list[Ints]]:
    """The column of each feature of the trees, and the numbers of the categories of the first of them."""
    flags = getattr(estimator, "is_categorical_", None)
    if flags is None:
        return np.arange(n_features), []
    encoder = estimator._preprocessor.named_transformers_["encoder"]
    known = []
    for values in encoder.categories_:
        if np.asarray(values).dtype.kind not in "iuf":
            raise refused(ENGINE, "has categories that are no numbers", "Number them 0, 1, 2, ....")
        numbers = np.asarray(values, dtype=np.float64)
        known.append(whole(numbers[~np.isnan(numbers)], "categories", 0, MAX_CATEGORY - 1))
    return np.r_[np.flatnonzero(flags), np.flatnonzero(~flags)], known


def _binned_tree(predictor: Any, columns: Ints, known: list[Ints]) -> Tree:
    """Unknown categories go where missing values go. Ours go to the right; where theirs go to the left, what is known
    and does not is listed, and the sides change places."""
    nodes = predictor.nodes
    inner = nodes["is_leaf"] == 0
    feature = np.where(inner, nodes["feature_idx"], 0)
    left, right = (np.where(inner, nodes[side].astype(np.int64), -1) for side in ("left", "right"))
    missing_left = nodes["missing_go_to_left"].astype(np.bool_)
    categories = {}
    for node in np.flatnonzero(inner & (nodes["is_categorical"] > 0)).tolist():
        bits = predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]].astype("<u4")
        numbers = known[feature[node]]
        goes_left = np.unpackbits(bits.view(np.uint8), bitorder="little")[: len(numbers)] > 0
        if missing_left[node]:
            goes_left, missing_left[node] = ~goes_left, False
            left[node], right[node] = right[node], left[node]
        categories[node] = tuple(numbers[goes_left].tolist())
    return of_nodes(
        len(columns),
        left,
        right,
        feature=columns[feature],
        threshold=at_most(np.where(inner, nodes["num_threshold"], 0.0)),
        missing_left=missing_left,
        value=nodes["value"].astype(np.float64),
        gain=np.where(inner, nodes["gain"], 0.0).astype(np.float64),
        counts=nodes["count"].astype(np.int64),
        categories=categories,
    )


def _linear(estimator: Any, n_features: int) -> Model:
    weights = np.asarray(estimator.coef_, dtype=np.float64).ravel()
    intercept = np.asarray(estimator.intercept_, dtype=np.float64).ravel()
    if len(weights) != n_features or len(intercept) != 1:
        raise refused(ENGINE, "has several scores per row", "Train it for one score per row.")
    return LinearModel(weights, float(intercept[0]))
