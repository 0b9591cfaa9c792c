"""Combining rankers: the exact optimum for two, Powell's method for more, and fusion without judgements."""

from rankwright.combination.combine import Combination, optimal_combination
from rankwright.combination.fusion import equal_weights, reciprocal_rank_fusion
from rankwright.combination.interpolation import Interpolation, interpolate
from rankwright.combination.normalise import normalised

__all__ = [
    "Combination",
    "Interpolation",
    "equal_weights",
    "interpolate",
    "normalised",
    "optimal_combination",
    "reciprocal_rank_fusion",
]
