"""Data: one type, many doors."""

from rankwright.data.dataset import Dataset

__all__ = ["Dataset"]
