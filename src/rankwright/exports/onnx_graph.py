"""The parts of an ONNX graph that exporters use: nodes and constants in, bytes out, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError

OPSET, ML_OPSET, IR_VERSION = 13, 3, 8  # old enough for engines in use, new enough for what is needed
ML = "ai.onnx.ml"


def onnx_package() -> Any:
    """The package onnx."""
    try:
        import onnx
    except ImportError:
        raise InputError(
            "exporting to ONNX needs the package onnx. It is not installed. Run pip install 'rankwright[onnx]'."
        ) from None
    return onnx


class Graph:
    """A graph being written, from float32 "features" [documents, n_features] to float32 "scores" [documents]."""

    def __init__(self, n_features: int) -> None:
        self.onnx = onnx_package()
        self.n_features = n_features
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, operator: str, inputs: list[str], domain: str = "", **attributes: Any) -> str:
        """A node; the name of its output."""
        output = f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def constant(self, values: npt.ArrayLike, dtype: Any = np.float64) -> str:
        """A constant; its name."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(self.onnx.numpy_helper.from_array(np.asarray(values, dtype=dtype), name))
        return name

    def cast(self, values: str, dtype: Any) -> str:
        """Values in another type."""
        return self.add("Cast", [values], to=int(self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))))

    def finished(self, scores: str, name: str) -> bytes:
        """The whole model as bytes."""
        helper, floats = self.onnx.helper, self.onnx.TensorProto.FLOAT
        self.nodes.append(helper.make_node("Identity", [scores], ["scores"]))
        graph = helper.make_graph(
            self.nodes,
            name,
            [helper.make_tensor_value_info("features", floats, ["documents", self.n_features])],
            [helper.make_tensor_value_info("scores", floats, ["documents"])],
            self.constants,
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(ML, ML_OPSET)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="rankwright", ir_version=IR_VERSION)
        self.onnx.checker.check_model(model)
        data: bytes = model.SerializeToString()
        return data
