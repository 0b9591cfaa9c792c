"""Checks anyone may run on a ranker or measure of their own."""

from rankwright.checks.measures import MEASURE_CHECKS, check_measure
from rankwright.checks.outcome import CheckFailed
from rankwright.checks.rankers import RANKER_CHECKS, check_ranker

__all__ = ["MEASURE_CHECKS", "RANKER_CHECKS", "CheckFailed", "check_measure", "check_ranker"]
