"""What was exported is read again: the same model where the format can say all of it, the same scores in any case."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from tests.exports.given import NAMES, N, documents, forest
from tests.imports.given import rows_for
from tests.models.forests import random_forest

import rankwright as rw
from rankwright.imports import found_in, of_bytes
from rankwright.learners import Stump
from rankwright.models import ForestModel, LinearModel, Model, StumpModel
from rankwright.models.base import document_bytes, model_to_dict


def single(model: ForestModel) -> ForestModel:
    """The same forest in float32 numbers and sums, its weights multiplied out."""
    pairs = zip(model.trees, model.weights, strict=True)
    trees = [dataclasses.replace(t, value=np.float32(w * t.value).astype(float)) for t, w in pairs]
    return model.replace(trees=tuple(trees), weights=np.ones(len(trees)), arithmetic="single")


def away_from_zero(thresholds: Any) -> Any:
    """What LightGBM takes for 0 is written as 1e-35, which decides alike."""
    return np.where(np.abs(thresholds) <= 1e-35, np.float32(1e-35), thresholds).astype(np.float32)


def shape(model: Model) -> dict[str, Any]:
    """A model's document without what formats do not keep: gains, counts, names of arithmetic."""
    document = model_to_dict(model)
    for tree in document.get("trees", ()):
        for name in ("gain", "split_count", "leaf_count"):
            del tree[name]
    return document


def by_path(model: ForestModel) -> list[dict[Any, Any]]:
    """Every tree as a mapping from paths to nodes, whatever the order of its arrays."""
    out = []
    for t in model.trees:
        nodes: dict[Any, Any] = {}
        waiting = [("", 0 if t.n_splits else ~0)]
        while waiting:
            path, c = waiting.pop()
            if c < 0:
                nodes[path] = float(t.value[~c])
                continue
            kind = t.categories.get(c) or float(t.threshold[c])
            nodes[path] = (int(t.feature[c]), kind, bool(t.missing_left[c]))
            waiting += [(path + "l", int(t.left[c])), (path + "r", int(t.right[c]))]
        out.append(nodes)
    return out


@pytest.mark.parametrize("categories", [False, True])
def test_lightgbm_gives_the_model_back(categories: bool) -> None:
    model = forest(1, categories=categories)
    model = model.replace(
        trees=tuple(
            dataclasses.replace(t, value=w * t.value, threshold=away_from_zero(t.threshold))
            for t, w in zip(model.trees, model.weights, strict=True)
        ),
        weights=np.ones(5),
    )  # fmt: skip
    made = rw.export(model, "lightgbm", features=NAMES)
    found = of_bytes("m.txt", made.data)
    assert found.features == tuple(NAMES)
    for ours, theirs in zip(by_path(model), by_path(found.model), strict=True):
        for path, node in ours.items():
            by_set = isinstance(node, tuple) and isinstance(node[1], tuple)
            assert theirs[path][:2] == node[:2] if by_set else theirs[path] == node
    assert found.model.scores(documents()).tolist() == model.scores(documents()).tolist()


@pytest.mark.parametrize("categories", [False, True])
def test_xgboost_gives_the_model_back(categories: bool) -> None:
    model = single(forest(2, categories=categories, base=0.5))
    made = rw.export(model, "xgboost", features=NAMES)
    found = of_bytes("m.json", made.data)
    assert found.features == tuple(NAMES)
    assert by_path(found.model) == by_path(model)
    assert (found.model.base, found.model.arithmetic) == (0.5, "single")
    assert found.model.scores(documents()).tolist() == model.scores(documents()).tolist()


def test_ranklib_gives_the_model_back() -> None:
    linear = LinearModel([0.5, 0.0, -1.25, 7e-3], 0.0)
    again = of_bytes("m", rw.export(linear, "ranklib").data).model
    assert model_to_dict(again) == model_to_dict(linear)
    shifted = LinearModel([0.5, 0.0, -1.25, 7e-3], 1.5)
    assert model_to_dict(of_bytes("m", rw.export(shifted, "ranklib").data).model) == model_to_dict(shifted)
    stumps = StumpModel(((0.5, Stump(0, 1.5)), (-0.25, Stump(1, -0.1, True)), (1.0, Stump(0, 3.0))), 2)
    stumps = dataclasses.replace(
        stumps,
        steps=tuple((a, dataclasses.replace(h, threshold=float(np.float32(h.threshold)))) for a, h in stumps.steps),
    )
    assert model_to_dict(of_bytes("m", rw.export(stumps, "ranklib").data).model) == model_to_dict(stumps)
    model = single(forest(3))
    again = of_bytes("m", rw.export(model, "ranklib").data).model
    gaps_are_zero = np.nan_to_num(documents(n=200))
    assert again.scores(gaps_are_zero).tolist() == model.scores(gaps_are_zero).tolist()
    assert again.scores(documents(n=200)).tolist() == again.scores(gaps_are_zero).tolist()


@pytest.mark.parametrize("to", ["lightgbm", "xgboost"])
@pytest.mark.parametrize("seed", range(3))
def test_scores_come_back_on_everything_a_float32_may_be(to: str, seed: int) -> None:
    model = random_forest(np.random.default_rng(seed), 20, 12, N)
    model = model if to == "lightgbm" else single(model)
    rows = rows_for(model, infinite=to == "lightgbm")  # XGBoost has no number for what is at most infinity
    if to == "lightgbm":
        rows[np.abs(rows) <= 1e-35] = 0
    again = rw.read_model(rw.export(model, to).data)
    assert again.scores(rows).tolist() == model.scores(rows).tolist()


def test_our_own_files_and_rankers_are_models_too() -> None:
    model = forest(4, categories=True)
    data = document_bytes({"model": model_to_dict(model), "features": NAMES})
    found = of_bytes("m.json", data)
    assert (found.engine, found.features) == ("rankwright", tuple(NAMES))
    assert shape(found.model) == shape(model)
    ranker = rw.SingleFeature(feature=1).fit(rw.artificial(n_queries=5, docs_per_query=5, n_features=3, rng=0))
    assert found_in(ranker).model is ranker.model_
    assert rw.read_model(model) is model
