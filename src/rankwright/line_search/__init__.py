"""The exact line search, which combination, boosting and coordinate ascent share."""

from rankwright.line_search.search import (
    Curve,
    Form,
    Found,
    Interval,
    Objective,
    best_step,
    combined,
    line_search,
    weighted_mean,
)
from rankwright.line_search.steps import StepTable

__all__ = [
    "Curve",
    "Form",
    "Found",
    "Interval",
    "Objective",
    "StepTable",
    "best_step",
    "combined",
    "line_search",
    "weighted_mean",
]
