"""Fitted models, each imported when first used."""

from typing import TYPE_CHECKING

from rankwright.on_demand import on_demand

if TYPE_CHECKING:
    from rankwright.models.base import Model
    from rankwright.models.blend import BlendModel
    from rankwright.models.class_forests import ClassForestModel
    from rankwright.models.expected_label import ExpectedLabelModel
    from rankwright.models.forest import ForestModel
    from rankwright.models.linear import LinearModel
    from rankwright.models.network import NetworkModel
    from rankwright.models.positions import PositionModel
    from rankwright.models.stumps import StumpModel
    from rankwright.models.submodel import SubmodelForest

__all__ = [
    "BlendModel",
    "ClassForestModel",
    "ExpectedLabelModel",
    "ForestModel",
    "LinearModel",
    "Model",
    "NetworkModel",
    "PositionModel",
    "StumpModel",
    "SubmodelForest",
]

__getattr__ = on_demand(
    __name__,
    {
        "Model": "base",
        "BlendModel": "blend",
        "ClassForestModel": "class_forests",
        "ExpectedLabelModel": "expected_label",
        "ForestModel": "forest",
        "LinearModel": "linear",
        "NetworkModel": "network",
        "PositionModel": "positions",
        "StumpModel": "stumps",
        "SubmodelForest": "submodel",
    },
)
