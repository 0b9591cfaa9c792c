"""The graphs that :mod:`rankwright.exports.onnx` writes, evaluated operator by operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
    "Gather": lambda given, attributes: np.take(given[0], given[1], axis=attributes["axis"]),
    "Identity": lambda given, _: given[0],
    "IsNaN": lambda given, _: np.isnan(given[0]),
    "MatMul": lambda given, _: given[0] @ given[1],
    "Softmax": lambda given, attributes: _softmax(given[0], attributes),
    "Squeeze": lambda given, _: np.squeeze(given[0], axis=tuple(given[1].tolist())),
    "TreeEnsembleRegressor": lambda given, attributes: ensemble_of(attributes).scores(given[0])[:, None],
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

    @classmethod
    def of(cls, data: bytes) -> Self:
        """The graph of a file."""
        onnx = onnx_package()
        graph = onnx.load_model_from_string(data).graph
        nodes = []
        for node in graph.node:
            attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            if "to" in attributes:
                attributes["to"] = onnx.helper.tensor_dtype_to_np_dtype(attributes["to"])
            nodes.append((node.op_type, tuple(node.input), node.output[0], attributes))
        constants = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
        ensembles = [attributes for operator, _, _, attributes in nodes if operator == "TreeEnsembleRegressor"]
        return cls(tuple(nodes), constants, ensemble_of(ensembles[0]).trees if ensembles else ())

    def scores(self, X: npt.NDArray[Any]) -> Floats:
        """One score per row of float32 features."""
        known: dict[str, Any] = {**self.constants, "features": X}
        for operator, inputs, output, attributes in self.nodes:
            known[output] = _OPERATORS[operator]([known[name] for name in inputs], attributes)
        return np.asarray(known["scores"], dtype=np.float64)


def ensemble_of(attributes: Attributes) -> EngineModel:
    """The trees of a TreeEnsembleRegressor."""
    node_trees, leaf_trees = np.array(attributes["nodes_treeids"]), np.array(attributes["target_treeids"])
    trees = (_tree(attributes, node_trees == t, leaf_trees == t) for t in range(int(node_trees.max()) + 1))
    return EngineModel(tuple(trees), base=attributes["base_values"][0], single=True, knows_missing=True)


def _tree(attributes: Attributes, of_nodes: npt.NDArray[Any], of_leaves: npt.NDArray[Any]) -> EngineTree:
    column = {name: np.array(attributes[f"nodes_{name}"])[of_nodes] for name in _COLUMNS}
    is_leaf = column["modes"] == b"LEAF"
    splits, leaves = np.flatnonzero(~is_leaf), np.array(attributes["target_nodeids"])[of_leaves]
    number = np.zeros(len(is_leaf), dtype=np.int64)
    number[splits], number[leaves] = np.arange(len(splits)), ~np.arange(len(leaves))
    return EngineTree(
        feature=column["featureids"][splits],
        threshold=column["values"][splits].astype(np.float32).astype(np.float64),
        left=number[column["truenodeids"][splits]],
        right=number[column["falsenodeids"][splits]],
        value=np.array(attributes["target_weights"])[of_leaves],
        missing_left=column["missing_value_tracks_true"][splits] == 1,
    )


_COLUMNS = ("modes", "featureids", "values", "truenodeids", "falsenodeids", "missing_value_tracks_true")
