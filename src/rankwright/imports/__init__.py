"""Models of other engines, read into ours: one file per engine."""

from rankwright.imports.base import Found
from rankwright.imports.reading import found_in, of_bytes, read_model

__all__ = ["Found", "found_in", "of_bytes", "read_model"]
