"""Exports in the engines they are for: the score is the one the proof's evaluator gives, to the last bit."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from tests.exports.given import NAMES, N, documents, forest
from tests.models.forests import adversarial_rows, random_forest

import rankwright as rw
from rankwright.exports import FORMATS
from rankwright.exports.base import Wanted
from rankwright.learners import Stump, Tree
from rankwright.models import (
    BlendModel,
    ClassForestModel,
    ExpectedLabelModel,
    ForestModel,
    LinearModel,
    Model,
    NetworkModel,
    StumpModel,
)

LINEAR = LinearModel([0.5, -1.25, 0.0, 3.5e-3, 0.1, 7.0], 0.0)
SHIFTED = LinearModel([0.5, -1.25, 0.0, 3.5e-3, 0.1, 7.0], 0.7, missing=-1.0)
STUMPS = StumpModel(((0.5, Stump(0, 1.5)), (-0.25, Stump(1, 0.1, True)), (1.0, Stump(0, 3.0))), N)
GRADES = ExpectedLabelModel([0, 1, 2], np.arange(3 * N).reshape(3, N) / 7 - 1, [0.1, 0, -0.2])
NETWORK = NetworkModel(
    np.arange(N) / 3, np.arange(1, N + 1) / 2,
    ((np.cos(np.arange(4 * N)).reshape(N, 4), np.arange(4) / 5), (np.sin(np.arange(4)).reshape(4, 1), np.array([0.3]))),
)  # fmt: skip
TREES: list[Model] = [forest(1), forest(2, base=0.7), forest(3, base=0.7, base_first=False), STUMPS, ForestModel((), N)]


CLASSES: list[Model] = [
    ClassForestModel([0, 1, 3], (forest(7), forest(8), forest(9))),
    ClassForestModel([0, 1, 3], (forest(7), forest(8)), ordinal=True),
    ClassForestModel([0, 1], (ForestModel((), N), ForestModel((), N, base=0.5))),
]


def evaluated(to: str, data: bytes, X: Any) -> Any:
    return FORMATS[to].read(data, Wanted(features=tuple(NAMES))).scores(X)


@pytest.mark.parametrize("model", [*TREES, forest(4, categories=True, base=0.5)])
def test_lightgbm_gives_our_scores(model: Model) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    made = rw.export(model, "lightgbm")
    booster = lightgbm.Booster(model_str=made.data.decode())
    X = documents()
    assert booster.predict(X).tolist() == model.scores(X).tolist()
    assert booster.num_feature() == N
    again = lightgbm.Booster(model_str=booster.model_to_string())  # its own text of it says the same
    assert again.predict(X).tolist() == model.scores(X).tolist()


@pytest.mark.parametrize("model", [*TREES, forest(4, categories=True, base=0.5), forest(5, arithmetic="single")])
@pytest.mark.parametrize("named", [True, False])
def test_xgboost_gives_our_scores(model: Model, named: bool) -> None:
    xgboost = pytest.importorskip("xgboost")
    made = rw.export(model, "xgboost", features=NAMES if named else None)
    booster = xgboost.Booster(model_file=bytearray(made.data))
    X = documents()
    types = json.loads(made.data)["learner"]["feature_types"] or None
    rows = xgboost.DMatrix(X, feature_types=types, feature_names=NAMES if named else None, enable_categorical=True)
    found = booster.predict(rows).astype(np.float64)
    assert found.tolist() == evaluated("xgboost", made.data, X).tolist()
    assert np.abs(found - model.scores(X)).max() <= 10 * 2.0**-24 * 10  # some ten float32 additions of numbers below 10


def test_a_float32_forest_comes_back_from_xgboost_to_the_last_bit() -> None:
    xgboost = pytest.importorskip("xgboost")
    trees = forest(6).trees
    values = [np.float64(np.float32(tree.value)) for tree in trees]
    single = ForestModel(
        tuple(with_values(tree, value) for tree, value in zip(trees, values, strict=True)),
        N, base=0.5, arithmetic="single",
    )  # fmt: skip
    booster = xgboost.Booster(model_file=bytearray(rw.export(single, "xgboost").data))
    X = documents()
    assert booster.inplace_predict(X).tolist() == single.scores(X).tolist()


def with_values(tree: Tree, values: Any) -> Tree:
    return dataclasses.replace(tree, value=values)


@pytest.mark.parametrize("seed", range(4))
def test_lightgbm_and_xgboost_on_adversarial_rows(seed: int) -> None:
    lightgbm, xgboost = pytest.importorskip("lightgbm"), pytest.importorskip("xgboost")
    rng = np.random.default_rng(seed)
    model = random_forest(rng, 20, 12, N)  # thresholds are infinities and denormals too
    X = adversarial_rows(rng, model, 300)
    X[np.abs(X) <= 1e-35] = 0  # to LightGBM they are
    booster = lightgbm.Booster(model_str=rw.export(model, "lightgbm").data.decode())
    assert booster.predict(X).tolist() == model.scores(X).tolist()
    made = rw.export(model, "xgboost")
    X[~np.isfinite(X)] = np.nan  # XGBoost takes no infinities in data
    found = xgboost.Booster(model_file=bytearray(made.data)).predict(xgboost.DMatrix(X))
    assert found.astype(np.float64).tolist() == evaluated("xgboost", made.data, X).tolist()


def test_lightgbm_takes_zeros_for_missing_where_the_model_does() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(7)
    wild = random_forest(rng, 20, 12, N, wild=True)
    for t in wild.trees:
        t.missing_left[list(t.categories)] = False  # LightGBM sends what is no category to the right
    X = adversarial_rows(rng, wild, 300)
    X[np.abs(X) <= 1e-35] = 0
    booster = lightgbm.Booster(model_str=rw.export(wild, "lightgbm").data.decode())
    assert booster.predict(X).tolist() == wild.scores(X).tolist()


@pytest.mark.parametrize(
    "model",
    [
        *TREES,
        LINEAR,
        SHIFTED,
        GRADES,
        *CLASSES,
        NETWORK,
        BlendModel(((0.3, TREES[1]), (-2.0, SHIFTED))),
        LinearModel([0.0] * N),
    ],
)
def test_onnx_runtime_gives_our_scores(model: Model) -> None:
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    made = rw.export(model, "onnx", name="m")
    session = runtime.InferenceSession(made.data, providers=["CPUExecutionProvider"])
    X = documents()
    (found,) = session.run(None, {"features": X})
    assert (found.dtype, found.shape) == (np.float32, (len(X),))
    # float32 additions, in an order that ONNX Runtime chooses
    allowed = 16 * 2.0**-24 * (1 + np.abs(documents()[:, :]).max(axis=1, initial=1, where=~np.isnan(X)) * 20)
    assert (np.abs(found - model.scores(X)) <= allowed).all()
    assert (np.abs(found - evaluated("onnx", made.data, X)) <= allowed).all()


@pytest.mark.slow
def test_ranklib_gives_our_scores(jars, java_scores) -> None:
    classes = jars("com.o19s:RankyMcRankFace:0.1.1")
    X = documents(n=100)
    models = [*TREES, LINEAR, SHIFTED, LinearModel([0.0] * N), forest(7, average=True)]
    written = [rw.export(model, "ranklib").data for model in models]
    written += [rw.export(STUMPS, "ranklib", variant="MART").data, rw.export(LINEAR, "ranklib", variant="AdaRank").data]
    found = java_scores("ScoreRankLib.java", classes, *((data, X) for data in written))
    for data, scores in zip(written, found, strict=True):
        assert scores.tolist() == evaluated("ranklib", data, X).tolist()


SOLR = (
    "org.apache.solr:solr-ltr:8.11.4",
    "org.apache.solr:solr-core:8.11.4",
    "org.apache.solr:solr-solrj:8.11.4",
    "org.apache.lucene:lucene-core:8.11.4",
    "org.apache.lucene:lucene-analyzers-common:8.11.4",
    "org.slf4j:slf4j-api:1.7.36",
    "com.google.guava:guava:25.1-jre",
)


@pytest.mark.slow
def test_solr_gives_our_scores(jars, java_scores) -> None:
    classes = jars(*SOLR)
    X = documents(n=100, missing=False)
    written = [rw.export(model, "solr", features=NAMES).data for model in [*TREES, LINEAR, LinearModel([0.0] * N)]]
    used = [[NAMES.index(feature["name"]) for feature in json.loads(data)["features"]] for data in written]
    pairs = ((data, X[:, columns]) for data, columns in zip(written, used, strict=True))
    for data, scores in zip(written, java_scores("ScoreSolr.java", classes, *pairs), strict=True):
        assert scores.astype(np.float32).tolist() == evaluated("solr", data, X).tolist()
