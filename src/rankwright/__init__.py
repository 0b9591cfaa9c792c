"""rankwright: learning to rank in Python.

Names are imported when they are first used, so that ``import rankwright`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same table, for type checkers
    from rankwright.combination import Combination as Combination
    from rankwright.combination import interpolate as interpolate
    from rankwright.combination import optimal_combination as optimal_combination
    from rankwright.data import Dataset as Dataset
    from rankwright.errors import FormatError as FormatError
    from rankwright.errors import InputError as InputError
    from rankwright.evaluation.compare import compare as compare
    from rankwright.evaluation.comparison import Comparison as Comparison
    from rankwright.evaluation.cross_validate import cross_validate as cross_validate
    from rankwright.evaluation.diagnose import diagnose as diagnose
    from rankwright.evaluation.evaluate import Evaluation as Evaluation
    from rankwright.evaluation.evaluate import evaluate as evaluate
    from rankwright.evaluation.scorer import make_ranking_scorer as make_ranking_scorer
    from rankwright.measures import Measure as Measure
    from rankwright.measures import measure as measure
    from rankwright.rankers import AdaRank as AdaRank
    from rankwright.rankers import Ranker as Ranker
    from rankwright.rankers import SampledQueries as SampledQueries
    from rankwright.rankers import SingleFeature as SingleFeature
    from rankwright.rankers import load as load

_HOME = {
    "Comparison": "rankwright.evaluation.comparison",
    "Combination": "rankwright.combination",
    "interpolate": "rankwright.combination",
    "optimal_combination": "rankwright.combination",
    "Dataset": "rankwright.data",
    "Evaluation": "rankwright.evaluation.evaluate",
    "FormatError": "rankwright.errors",
    "InputError": "rankwright.errors",
    "Measure": "rankwright.measures",
    "compare": "rankwright.evaluation.compare",
    "cross_validate": "rankwright.evaluation.cross_validate",
    "diagnose": "rankwright.evaluation.diagnose",
    "evaluate": "rankwright.evaluation.evaluate",
    "make_ranking_scorer": "rankwright.evaluation.scorer",
    "measure": "rankwright.measures",
    "AdaRank": "rankwright.rankers",
    "Ranker": "rankwright.rankers",
    "SampledQueries": "rankwright.rankers",
    "SingleFeature": "rankwright.rankers",
    "load": "rankwright.rankers",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value
    if name == "__version__":
        from importlib.metadata import version

        return version("rankwright")
    raise AttributeError(f"rankwright has no {name!r}. It has {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
