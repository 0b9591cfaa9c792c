"""Weak learners: bins, stumps, trees. They fit numbers to features and know nothing of ranking.

Each is imported when first used.
"""

from typing import TYPE_CHECKING

from rankwright.on_demand import on_demand

if TYPE_CHECKING:
    from rankwright.learners.binning import Bins
    from rankwright.learners.coding import Coding
    from rankwright.learners.grower import Grower
    from rankwright.learners.growing import grow_over
    from rankwright.learners.growth import Growth
    from rankwright.learners.part import Part
    from rankwright.learners.stump import Stump, best_stump, stump_apart
    from rankwright.learners.tree import Tree

__all__ = ["Bins", "Coding", "Grower", "Growth", "Part", "Stump", "Tree", "best_stump", "grow_over", "stump_apart"]

__getattr__ = on_demand(
    __name__,
    {
        "Bins": "binning",
        "Coding": "coding",
        "Grower": "grower",
        "grow_over": "growing",
        "Growth": "growth",
        "Part": "part",
        "Stump": "stump",
        "best_stump": "stump",
        "stump_apart": "stump",
        "Tree": "tree",
    },
)
