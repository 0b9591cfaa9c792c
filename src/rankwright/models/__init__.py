"""Fitted models."""

from rankwright.models.base import Model
from rankwright.models.blend import BlendModel
from rankwright.models.expected_label import ExpectedLabelModel
from rankwright.models.linear import LinearModel

__all__ = ["BlendModel", "ExpectedLabelModel", "LinearModel", "Model"]
