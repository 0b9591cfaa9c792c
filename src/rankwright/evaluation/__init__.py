"""How good a ranking is, and whether one is better than another."""

from rankwright.evaluation.compare import compare
from rankwright.evaluation.comparison import Comparison
from rankwright.evaluation.cross_validate import CrossValidation, cross_validate
from rankwright.evaluation.diagnose import Diagnosis, by_pairs, diagnose, learning_curves, pair_errors
from rankwright.evaluation.evaluate import Evaluation, evaluate
from rankwright.evaluation.scorer import RankingScorer, make_ranking_scorer
from rankwright.evaluation.table import Table

__all__ = [
    "Comparison",
    "CrossValidation",
    "Diagnosis",
    "Evaluation",
    "RankingScorer",
    "Table",
    "by_pairs",
    "compare",
    "cross_validate",
    "diagnose",
    "evaluate",
    "learning_curves",
    "make_ranking_scorer",
    "pair_errors",
]
