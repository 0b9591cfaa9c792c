"""Measures of ranked lists."""

from rankwright.measures.base import REGISTRY, Measure, measure_all
from rankwright.measures.dcg import nDCG
from rankwright.measures.parse import MeasureLike, measure
from rankwright.measures.precision import AP

__all__ = ["AP", "REGISTRY", "Measure", "MeasureLike", "measure", "measure_all", "nDCG"]
