"""The graphs that :mod:`rankwright.exports.onnx` writes, evaluated operator by operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rankwright.exports.engine import EngineModel, EngineTree
from rankwright.exports.onnx_graph import onnx_package
from rankwright.exports.plain import SINGLE
from rankwright.models.base import Floats

Attributes = dict[str, Any]


def _softmax(votes: Any, attributes: Attributes) -> Any:
    powers = np.exp(votes - votes.max(axis=attributes["axis"], keepdims=True))
    return powers / powers.sum(axis=attributes["axis"], keepdims=True)


_OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": lambda given, _: given[0] + given[1],
    "Cast": lambda given, attributes: given[0].astype(attributes["to"]),
    "Clip": lambda given, _: np.clip(*given),
    "Concat": lambda given, attributes: np.concatenate(given, axis=attributes["axis"]),
    "Div": lambda given, _: given[0] / given[1],
    "Gather": lambda given, attributes: np.take(given[0], given[1], axis=attributes["axis"]),
    "Identity": lambda given, _: given[0],
    "IsNaN": lambda given, _: np.isnan(given[0]),
    "MatMul": lambda given, _: given[0] @ given[1],
    "Sub": lambda given, _: given[0] - given[1],
    "Sigmoid": lambda given, _: 1.0 / (1.0 + np.exp(-given[0])),
    "Softmax": lambda given, attributes: _softmax(given[0], attributes),
    "Squeeze": lambda given, _: np.squeeze(given[0], axis=tuple(given[1].tolist())),
    "Tanh": lambda given, _: np.tanh(given[0]),
    "TreeEnsembleRegressor": lambda given, attributes: attributes["ensemble"].scores(given[0])[:, None],
    "Unsqueeze": lambda given, _: np.expand_dims(given[0], tuple(given[1].tolist())),
    "Where": lambda given, _: np.where(*given),
}


@dataclass(frozen=True, eq=False)
class OnnxModel:
    """A graph as ONNX Runtime would run it.

    Parameters
    ----------
    nodes : operator, inputs, output and attributes of each node.
    constants : by name.
    trees : those of its TreeEnsembleRegressor, if it has one.
    """

    nodes: tuple[tuple[str, tuple[str, ...], str, Attributes], ...]
    constants: dict[str, npt.NDArray[Any]]
    trees: tuple[EngineTree, ...]

    unit = SINGLE
    knows_missing = True
    tiny = 0.0

    @classmethod
    def of(cls, data: bytes) -> Self:
        """The graph of a file."""
        onnx = onnx_package()
        graph = onnx.load_model_from_string(data).graph
        nodes = []
        trees: tuple[EngineTree, ...] = ()
        for node in graph.node:
            attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            if "to" in attributes:
                attributes["to"] = onnx.helper.tensor_dtype_to_np_dtype(attributes["to"])
            if node.op_type == "TreeEnsembleRegressor":
                attributes["ensemble"] = ensemble_of(attributes)
                trees = attributes["ensemble"].trees
            nodes.append((node.op_type, tuple(node.input), node.output[0], attributes))
        constants = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
        return cls(tuple(nodes), constants, trees)

    def scores(self, X: npt.NDArray[Any]) -> Floats:
        """One score per row of float32 features."""
        known: dict[str, Any] = {**self.constants, "features": X}
        for operator, inputs, output, attributes in self.nodes:
            known[output] = _OPERATORS[operator]([known[name] for name in inputs], attributes)
        return np.asarray(known["scores"], dtype=np.float64)


def ensemble_of(attributes: Attributes) -> EngineModel:
    """The trees of a TreeEnsembleRegressor."""
    columns = {name: np.array(values) for name, values in attributes.items() if isinstance(values, list)}
    columns["nodes_modes"] = columns["nodes_modes"] == b"LEAF"
    nodes, leaves = _starts(columns["nodes_treeids"]), _starts(columns["target_treeids"])
    trees = tuple(
        _tree(
            {
                name: values[slice(*(nodes if name.startswith("nodes") else leaves)[t])]
                for name, values in columns.items()
            }
        )
        for t in range(len(nodes))
    )
    return EngineModel(trees, base=attributes["base_values"][0], single=True, knows_missing=True)


def _starts(trees: npt.NDArray[Any]) -> list[tuple[int, int]]:
    """First and last row of each tree, whose rows stand together."""
    bounds = np.searchsorted(trees, np.arange(int(trees.max()) + 2)).tolist()
    return list(pairwise(bounds))


def _tree(columns: dict[str, npt.NDArray[Any]]) -> EngineTree:
    splits, leaves = np.flatnonzero(~columns["nodes_modes"]), columns["target_nodeids"]
    number = np.zeros(len(columns["nodes_modes"]), dtype=np.int64)
    number[splits], number[leaves] = np.arange(len(splits)), ~np.arange(len(leaves))
    return EngineTree(
        feature=columns["nodes_featureids"][splits],
        threshold=columns["nodes_values"][splits].astype(np.float32).astype(np.float64),
        left=number[columns["nodes_truenodeids"][splits]],
        right=number[columns["nodes_falsenodeids"][splits]],
        value=columns["target_weights"],
        missing_left=columns["nodes_missing_value_tracks_true"][splits] == 1,
    )
