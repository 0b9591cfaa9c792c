"""Measures of ranked lists."""

from rankwright.measures.base import REGISTRY, Decomposition, KernelSpec, Measure, mean_of
from rankwright.measures.dcg import DCG, MeanNDCG, nDCG
from rankwright.measures.err import ERR
from rankwright.measures.order import AUC, KendallTau, Overlap
from rankwright.measures.parse import MeasureLike, measure
from rankwright.measures.precision import AP, WTA, P, Recall
from rankwright.measures.presets import PRESETS, preset
from rankwright.measures.reciprocal import RR
from rankwright.measures.table import table
from rankwright.measures.values import measure_all

__all__ = [
    "AP",
    "AUC",
    "DCG",
    "ERR",
    "PRESETS",
    "REGISTRY",
    "RR",
    "WTA",
    "Decomposition",
    "KendallTau",
    "KernelSpec",
    "MeanNDCG",
    "Measure",
    "MeasureLike",
    "Overlap",
    "P",
    "Recall",
    "mean_of",
    "measure",
    "measure_all",
    "nDCG",
    "preset",
    "table",
]
