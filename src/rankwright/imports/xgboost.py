"""XGBoost's models: JSON and UBJSON as `Booster.save_model` writes them; :mod:`rankwright.exports.xgboost` says how.

x < t goes left in float32, which is x ≤ the float32 before t; sums are float32 from the base score on. What a split by
categories lists goes right there, and left here. A linear booster is one weight per feature.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError
from rankwright.imports.arrays import below, of_nodes, whole
from rankwright.imports.base import Found, part, refused
from rankwright.imports.ubjson import parsed
from rankwright.learners import Tree
from rankwright.models import ForestModel, LinearModel
from rankwright.models.forest import MAX_FEATURES
from rankwright.models.reading import json_of

ENGINE = "XGBoost"
IDENTITY = ("rank:", "reg:squarederror", "reg:absoluteerror", "reg:pseudohubererror", "reg:quantileerror")
LOGIT = ("binary:logistic", "reg:logistic", "binary:logitraw")
LOGARITHM = ("count:poisson", "reg:gamma", "reg:tweedie")


def read_json(name: str, data: bytes) -> Found:
    """The model of a JSON file."""
    return of_document(name, json_of(name, data))


def read_ubjson(name: str, data: bytes) -> Found:
    """The model of a UBJSON file."""
    with part(name, "the file"):
        document = parsed(data)
    return of_document(name, document)


def bytes_of(model: Any) -> bytes:
    """A Booster, or the one of a scikit-learn-like estimator up to its best round, as UBJSON."""
    if not hasattr(model, "save_raw"):
        best = getattr(model, "best_iteration", None) if hasattr(model, "get_booster") else None
        if not hasattr(model, "get_booster"):
            raise InputError(f"a fitted XGBoost model or a Booster must be passed. Got {type(model).__name__}. Fit it.")
        model = model.get_booster()
        model = model if best is None else model[: best + 1]
    return bytes(model.save_raw("ubj"))


def of_document(name: str, document: Any) -> Found:
    """The model of a document, whichever way it was written."""
    with part(name, "the model's head"):
        learner = document["learner"]
        size, booster = learner["learner_model_param"], learner["gradient_booster"]
        kind = booster["name"]
        if kind not in ("gbtree", "dart", "gblinear"):
            raise refused(ENGINE, f"is a {kind!s:.20}", "Train a tree booster.")
        if int(size.get("num_class", "0")) > 1 or int(size.get("num_target", "1")) > 1:
            raise refused(ENGINE, "has several scores per row", "Train it for one score per row.")
        n_features = int(size["num_feature"])
        if not 0 <= n_features <= MAX_FEATURES:
            raise InputError(f"num_feature must be in 0..{MAX_FEATURES}")
        objective = str(learner["objective"]["name"])
        base = _margin(size["base_score"], objective)
        features = tuple(learner.get("feature_names") or ())
        if features and (len(features) != n_features or not all(isinstance(f, str) for f in features)):
            raise InputError(f"feature_names must be {n_features} names")
        notes = () if objective.startswith(IDENTITY) else (f"Scores are margins, before {objective}'s function.",)
        if kind == "gblinear":
            return Found(ENGINE, _linear(booster["model"], n_features, base), features or None, notes)
        listed = (booster["gbtree"] if kind == "dart" else booster)["model"]["trees"]
        weights = np.array(booster["weight_drop"] if kind == "dart" else np.ones(len(listed)), dtype=np.float32)
        if weights.shape != (len(listed),):
            raise InputError(f"weight_drop must be {len(listed)} numbers")
    trees = []
    for number, tree in enumerate(listed):
        with part(name, f"tree {number}"):
            trees.append(_tree(tree, n_features, weights[number]))
    with part(name, "the model"):
        forest = ForestModel(tuple(trees), n_features, base=base, arithmetic="single")
    return Found(ENGINE, forest, features or None, notes)


def _margin(stated: Any, objective: str) -> float:
    """Where sums begin: the base score, before the objective's function."""
    numbers = str(stated).strip("[]").split(",")
    if len(numbers) != 1:
        raise refused(ENGINE, "has several base scores", "Train it for one score per row.")
    with np.errstate(over="ignore"):
        base = np.float32(float(numbers[0]))
    one = np.float32(1)
    if objective in LOGIT and 0 < base < 1:
        base = np.float32(-np.log(np.float64(one / base - one)))
    elif objective in LOGARITHM and base > 0:
        base = np.float32(np.log(np.float64(base)))
    elif not objective.startswith(IDENTITY):
        known = ", ".join((*LOGIT, *LOGARITHM, *IDENTITY))
        raise refused(ENGINE, f"has the objective {objective:.40} and base score {base}", f"Known are {known}.")
    if not np.isfinite(base):
        raise InputError(f"base_score must be finite. Got {base}")
    return float(base)


def _linear(found: dict[str, Any], n_features: int, base: float) -> LinearModel:
    """The weights and, last, the bias, to which the base score is added first."""
    numbers = _numbers(found, "weights").astype(np.float32)
    if numbers.shape != (n_features + 1,) or not np.isfinite(numbers).all():
        raise InputError(f"weights must be {n_features + 1} finite numbers")
    return LinearModel(numbers[:-1].astype(np.float64), float(numbers[-1] + np.float32(base)), arithmetic="single")


def _tree(found: dict[str, Any], n_features: int, weight: np.float32) -> Tree:
    """One tree; the product of weight and value is rounded to float32 there."""
    if int(found.get("tree_param", {}).get("size_leaf_vector", "1")) > 1:
        raise refused(ENGINE, "tree has several values in a leaf", "Train it for one score per row.")
    left, right = np.asarray(found["left_children"]), np.asarray(found["right_children"])
    conditions = _numbers(found, "split_conditions").astype(np.float64)
    default_left = _numbers(found, "default_left") == 1
    categories = _categories(found)
    if categories:
        left, right, default_left = (a.copy() for a in (left, right, default_left))
        nodes = np.array(list(categories))
        left[nodes], right[nodes] = right[nodes], left[nodes]
        default_left[nodes] = ~default_left[nodes]
    is_leaf = whole(left, "children") < 0
    return of_nodes(
        n_features,
        left,
        right,
        feature=_numbers(found, "split_indices"),
        threshold=below(conditions),
        missing_left=default_left,
        value=np.where(is_leaf, conditions.astype(np.float32) * weight, 0.0).astype(np.float64),
        gain=_numbers(found, "loss_changes").astype(np.float64),
        categories=categories,
    )


def _numbers(found: dict[str, Any], name: str) -> npt.NDArray[Any]:
    values = np.asarray(found[name])
    if values.ndim != 1 or (values.dtype.kind not in "iufb" and values.size):
        raise InputError(f"{name} must be numbers")
    return values.astype(np.float32) if values.dtype.kind == "f" else values


def _categories(found: dict[str, Any]) -> dict[int, tuple[int, ...]]:
    """What each split by categories lists, by node."""
    if "categories_nodes" not in found:
        return {}
    n = len(found["left_children"])
    nodes = whole(found["categories_nodes"], "categories_nodes", 0, n - 1)
    listed = whole(found["categories"], "categories", 0)
    starts = whole(found["categories_segments"], "categories_segments", 0, len(listed))
    sizes = whole(found["categories_sizes"], "categories_sizes", 0, len(listed))
    by_category = np.flatnonzero(_numbers(found, "split_type") == 1)
    if not (len(nodes) == len(starts) == len(sizes)) or set(nodes.tolist()) != set(by_category.tolist()):
        raise InputError("every split by categories must have a set of categories, and no other node")
    if len(nodes) and (starts + sizes).max() > len(listed):
        raise InputError("sets of categories must lie inside the list of categories")
    bounds = zip(nodes.tolist(), starts.tolist(), sizes.tolist(), strict=True)
    return {node: tuple(listed[start : start + size].tolist()) for node, start, size in bounds}
