"""Fitted models."""

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
