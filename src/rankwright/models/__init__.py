"""Fitted models."""

from rankwright.models.base import Model
from rankwright.models.linear import LinearModel

__all__ = ["LinearModel", "Model"]
