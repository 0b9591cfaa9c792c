"""How good a ranking is, and whether one is better than another."""

from rankwright.evaluation.compare import compare
from rankwright.evaluation.comparison import Comparison
from rankwright.evaluation.evaluate import Evaluation, evaluate
from rankwright.evaluation.table import Table

__all__ = ["Comparison", "Evaluation", "Table", "compare", "evaluate"]
