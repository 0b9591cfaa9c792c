"""Models of other engines, read into ours: one file per engine."""

from rankwright.imports.base import Found
from rankwright.imports.reading import found_in, is_model, of_bytes, read_model

__all__ = ["Found", "found_in", "is_model", "of_bytes", "read_model"]
