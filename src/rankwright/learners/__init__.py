"""Weak learners: bins, stumps. They fit numbers to features and know nothing of ranking."""

from rankwright.learners.binning import Bins
from rankwright.learners.stump import Stump, best_stump, stump_apart
from rankwright.learners.tree import Tree

__all__ = ["Bins", "Stump", "Tree", "best_stump", "stump_apart"]
