"""Combining rankers: the exact optimum for two, Powell's method for more, and fusion without judgements."""

from rankwright.combination.combine import Combination, optimal_combination
from rankwright.combination.fusion import equal_weights, reciprocal_rank_fusion
from rankwright.combination.interpolation import Interpolation, interpolate
from rankwright.combination.normalise import normalised
from rankwright.combination.runs import RunScores, read_runs
from rankwright.combination.several import CombinedRuns, combine_runs

__all__ = [
    "Combination",
    "CombinedRuns",
    "Interpolation",
    "RunScores",
    "combine_runs",
    "equal_weights",
    "interpolate",
    "normalised",
    "optimal_combination",
    "read_runs",
    "reciprocal_rank_fusion",
]
