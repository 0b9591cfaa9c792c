"""ONNX: a graph from float32 features to float32 scores, for ONNX Runtime and what embeds it.

    trees     TreeEnsembleRegressor (ai.onnx.ml 3): x ≤ t goes left, in float32; a missing value has its side
    linear    gathers the features that weigh anything, fills in NaN, multiplies and adds in float64
    softmax   the same for every label, then Softmax, then the labels weighted by it
    classes   a TreeEnsembleRegressor for each label, then Softmax or Sigmoid, then the labels weighted by it
    network   features in standard deviations, as float32; then MatMul, Add and Tanh, layer by layer, in float64

The input is "features" [documents, features], the output "scores" [documents]. Writing needs the package onnx.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankwright.errors import InputError
from rankwright.exports.base import Engine, Format, Wanted
from rankwright.exports.dump import numbering
from rankwright.exports.numbers import inclusive, single
from rankwright.exports.onnx_graph import ML, Graph
from rankwright.exports.onnx_reading import OnnxModel
from rankwright.exports.plain import Plain, plain
from rankwright.learners import Tree
from rankwright.models import ClassForestModel, ExpectedLabelModel, NetworkModel
from rankwright.models.network import FURTHEST


class Onnx(Format):
    """A graph of ONNX operators: trees, linear models, both, softmaxes over labels, forests per label, and networks."""

    name = "onnx"
    about = "ONNX Runtime, and what embeds it"
    ending = ".onnx"

    def write(self, model: Any, wanted: Wanted) -> bytes:
        graph = Graph(model.n_features)
        if isinstance(model, ExpectedLabelModel):
            return graph.finished(graph.cast(_softmax(graph, model), np.float32), wanted.name)
        if isinstance(model, ClassForestModel):
            return graph.finished(graph.cast(_classes(graph, model), np.float32), wanted.name)
        if isinstance(model, NetworkModel):
            return graph.finished(graph.cast(_network(graph, model), np.float32), wanted.name)
        if not model.trees:
            return graph.finished(graph.cast(_linear(graph, model, model.base), np.float32), wanted.name)
        scores = _trees(graph, model)
        if model.used:
            both = [graph.cast(scores, np.float64), _linear(graph, model, 0.0)]
            scores = graph.cast(graph.add("Add", both), np.float32)
        return graph.finished(scores, wanted.name)

    def read(self, data: bytes, wanted: Wanted) -> Engine:
        return OnnxModel.of(data)


def _filled(graph: Graph, columns: list[int], missing: float) -> str:
    """Some features in float64, without gaps."""
    gathered = graph.add("Gather", ["features", graph.constant(columns, np.int64)], axis=1)
    x = graph.cast(gathered, np.float64)
    return graph.add("Where", [graph.add("IsNaN", [x]), graph.constant(missing), x])


def _linear(graph: Graph, model: Plain, base: float) -> str:
    used = model.used or [0]
    x = _filled(graph, used, model.missing)
    products = graph.add("MatMul", [x, graph.constant(model.weights[used])])
    return graph.add("Add", [products, graph.constant(base)])


def _softmax(graph: Graph, model: ExpectedLabelModel) -> str:
    x = _filled(graph, list(range(model.n_features)), model.missing)
    products = graph.add("MatMul", [x, graph.constant(model.weights.T)])
    votes = graph.add("Add", [products, graph.constant(model.intercepts)])
    return graph.add("MatMul", [graph.add("Softmax", [votes], axis=1), graph.constant(model.labels)])


def _classes(graph: Graph, model: ClassForestModel) -> str:
    votes = []
    for part in map(plain, model.forests):
        assert isinstance(part, Plain)
        scores = graph.cast(_trees(graph, part), np.float64) if part.trees else _linear(graph, part, part.base)
        votes.append(graph.add("Unsqueeze", [scores, graph.constant([1], np.int64)]))
    joined = graph.add("Concat", votes, axis=1)
    if not model.ordinal:
        return graph.add("MatMul", [graph.add("Softmax", [joined], axis=1), graph.constant(model.labels)])
    steps = graph.add("MatMul", [graph.add("Sigmoid", [joined]), graph.constant(np.diff(model.labels))])
    return graph.add("Add", [steps, graph.constant(model.labels[0])])


def _network(graph: Graph, model: NetworkModel) -> str:
    z = graph.add("Sub", [graph.cast("features", np.float64), graph.constant(model.center)])
    z = graph.add("Div", [z, graph.constant(model.spread)])
    z = graph.add("Clip", [z, graph.constant(-FURTHEST), graph.constant(FURTHEST)])
    z = graph.add("Where", [graph.add("IsNaN", [z]), graph.constant(0.0), z])
    made = graph.cast(graph.cast(z, np.float32), np.float64)
    for i, (weights, biases) in enumerate(model.layers):
        made = graph.add("Tanh", [made]) if i else made
        made = graph.add("Add", [graph.add("MatMul", [made, graph.constant(weights)]), graph.constant(biases)])
    return graph.add("Squeeze", [made, graph.constant([1], np.int64)])


def _trees(graph: Graph, model: Plain) -> str:
    if any(tree.categories for tree in model.trees):
        raise InputError(
            "ONNX has splits by thresholds. This model has splits by categories. Export it to lightgbm or xgboost, or "
            "train it without categories."
        )
    columns: dict[str, list[Any]] = {}
    for t, tree in enumerate(model.trees):
        for name, values in _tree_columns(t, tree).items():
            columns.setdefault(name, []).extend(values)
    ensemble = graph.add(
        "TreeEnsembleRegressor",
        ["features"],
        domain=ML,
        n_targets=1,
        aggregate_function="SUM",
        post_transform="NONE",
        base_values=single([model.base]),
        **columns,
    )
    return graph.add("Squeeze", [ensemble, graph.constant([1], np.int64)])


def _tree_columns(t: int, tree: Tree) -> dict[str, list[Any]]:
    """One tree's rows of the operator's attributes, node by node and leaf by leaf."""
    ids, _ = numbering(tree)
    thresholds, values = inclusive(tree.threshold), single(tree.value)
    nodes, n = list(ids), len(ids)
    return {
        "nodes_treeids": [t] * n,
        "nodes_nodeids": list(range(n)),
        "nodes_featureids": [int(tree.feature[c]) if c >= 0 else 0 for c in nodes],
        "nodes_values": [thresholds[c] if c >= 0 else 0.0 for c in nodes],
        "nodes_modes": ["BRANCH_LEQ" if c >= 0 else "LEAF" for c in nodes],
        "nodes_truenodeids": [ids[int(tree.left[c])] if c >= 0 else 0 for c in nodes],
        "nodes_falsenodeids": [ids[int(tree.right[c])] if c >= 0 else 0 for c in nodes],
        "nodes_missing_value_tracks_true": [int(tree.missing_left[c]) if c >= 0 else 0 for c in nodes],
        "target_treeids": [t] * len(values),
        "target_nodeids": [ids[~i] for i in range(len(values))],
        "target_ids": [0] * len(values),
        "target_weights": values,
    }
