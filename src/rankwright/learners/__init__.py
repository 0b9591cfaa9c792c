"""Weak learners: bins, stumps, trees. They fit numbers to features and know nothing of ranking."""

from rankwright.learners.binning import Bins
from rankwright.learners.coding import Coding
from rankwright.learners.grower import Grower
from rankwright.learners.growing import grow_over
from rankwright.learners.growth import Growth
from rankwright.learners.part import Part
from rankwright.learners.stump import Stump, best_stump, stump_apart
from rankwright.learners.tree import Tree

__all__ = ["Bins", "Coding", "Grower", "Growth", "Part", "Stump", "Tree", "best_stump", "grow_over", "stump_apart"]
