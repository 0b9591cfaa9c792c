"""rankwright: learning to rank in Python.

Names are imported when they are first used, so that ``import rankwright`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same table, for type checkers
    from rankwright.adaptation.adapt import Adaptation as Adaptation, adapt as adapt
    from rankwright.adaptation.target_weights import TargetWeights as TargetWeights, target_weights as target_weights
    from rankwright.checks import (
        CheckFailed as CheckFailed,
        check_measure as check_measure,
        check_ranker as check_ranker,
    )
    from rankwright.combination import (
        Combination as Combination,
        CombinedRuns as CombinedRuns,
        combine_runs as combine_runs,
        interpolate as interpolate,
        optimal_combination as optimal_combination,
    )
    from rankwright.data import (
        Dataset as Dataset,
        read_comments as read_comments,
        read_letor as read_letor,
        write_letor as write_letor,
    )
    from rankwright.data.artificial import artificial as artificial, artificial_fold as artificial_fold
    from rankwright.data.describe import describe as describe
    from rankwright.data.kfold import QueryKFold as QueryKFold
    from rankwright.data.reading import read as read, write as write
    from rankwright.data.run_features import from_runs as from_runs
    from rankwright.data.splits import concat as concat, letor_folds as letor_folds, random_splits as random_splits
    from rankwright.data.tables import from_frame as from_frame
    from rankwright.data.trec import read_qrels as read_qrels, read_run as read_run, write_run as write_run
    from rankwright.errors import FormatError as FormatError, InputError as InputError
    from rankwright.evaluation.compare import compare as compare
    from rankwright.evaluation.comparison import Comparison as Comparison
    from rankwright.evaluation.cross_validate import cross_validate as cross_validate
    from rankwright.evaluation.diagnose import diagnose as diagnose
    from rankwright.evaluation.evaluate import Evaluation as Evaluation, evaluate as evaluate
    from rankwright.evaluation.explain import Explanation as Explanation, explain as explain
    from rankwright.evaluation.scorer import make_ranking_scorer as make_ranking_scorer
    from rankwright.exports import Exported as Exported, export as export
    from rankwright.imports import read_model as read_model
    from rankwright.measures import Measure as Measure, measure as measure
    from rankwright.rankers import (
        MART as MART,
        AdaRank as AdaRank,
        AddWRB as AddWRB,
        CoordinateAscent as CoordinateAscent,
        DiffRank as DiffRank,
        ExpWRB as ExpWRB,
        LambdaMART as LambdaMART,
        LambdaRank as LambdaRank,
        LambdaSMART as LambdaSMART,
        LinWRB as LinWRB,
        ListMLE as ListMLE,
        ListNet as ListNet,
        McRank as McRank,
        Pointwise as Pointwise,
        RankBoost as RankBoost,
        Ranker as Ranker,
        RankingSVM as RankingSVM,
        RankNet as RankNet,
        SampledQueries as SampledQueries,
        SingleFeature as SingleFeature,
        SVMAuc as SVMAuc,
        SVMMap as SVMMap,
        SVMMrr as SVMMrr,
        SVMNdcg as SVMNdcg,
        load as load,
    )
    from rankwright.report.report import write_report as write_report
    from rankwright.text.assembly import text_features as text_features
    from rankwright.transforms import QueryScaler as QueryScaler, ThresholdFeatures as ThresholdFeatures

_HOME = {
    "Adaptation": "rankwright.adaptation.adapt",
    "TargetWeights": "rankwright.adaptation.target_weights",
    "adapt": "rankwright.adaptation.adapt",
    "target_weights": "rankwright.adaptation.target_weights",
    "CheckFailed": "rankwright.checks",
    "Comparison": "rankwright.evaluation.comparison",
    "Combination": "rankwright.combination",
    "CombinedRuns": "rankwright.combination",
    "combine_runs": "rankwright.combination",
    "interpolate": "rankwright.combination",
    "optimal_combination": "rankwright.combination",
    "Dataset": "rankwright.data",
    "Evaluation": "rankwright.evaluation.evaluate",
    "QueryKFold": "rankwright.data.kfold",
    "artificial": "rankwright.data.artificial",
    "artificial_fold": "rankwright.data.artificial",
    "concat": "rankwright.data.splits",
    "describe": "rankwright.data.describe",
    "from_frame": "rankwright.data.tables",
    "from_runs": "rankwright.data.run_features",
    "letor_folds": "rankwright.data.splits",
    "random_splits": "rankwright.data.splits",
    "read": "rankwright.data.reading",
    "read_qrels": "rankwright.data.trec",
    "read_run": "rankwright.data.trec",
    "write": "rankwright.data.reading",
    "write_run": "rankwright.data.trec",
    "read_comments": "rankwright.data",
    "read_letor": "rankwright.data",
    "write_letor": "rankwright.data",
    "FormatError": "rankwright.errors",
    "InputError": "rankwright.errors",
    "Exported": "rankwright.exports",
    "export": "rankwright.exports",
    "read_model": "rankwright.imports",
    "Measure": "rankwright.measures",
    "check_measure": "rankwright.checks",
    "check_ranker": "rankwright.checks",
    "compare": "rankwright.evaluation.compare",
    "cross_validate": "rankwright.evaluation.cross_validate",
    "diagnose": "rankwright.evaluation.diagnose",
    "Explanation": "rankwright.evaluation.explain",
    "explain": "rankwright.evaluation.explain",
    "evaluate": "rankwright.evaluation.evaluate",
    "make_ranking_scorer": "rankwright.evaluation.scorer",
    "measure": "rankwright.measures",
    "AdaRank": "rankwright.rankers",
    "AddWRB": "rankwright.rankers",
    "CoordinateAscent": "rankwright.rankers",
    "Pointwise": "rankwright.rankers",
    "DiffRank": "rankwright.rankers",
    "ExpWRB": "rankwright.rankers",
    "LambdaMART": "rankwright.rankers",
    "LambdaSMART": "rankwright.rankers",
    "LinWRB": "rankwright.rankers",
    "LambdaRank": "rankwright.rankers",
    "ListMLE": "rankwright.rankers",
    "ListNet": "rankwright.rankers",
    "MART": "rankwright.rankers",
    "McRank": "rankwright.rankers",
    "RankBoost": "rankwright.rankers",
    "RankNet": "rankwright.rankers",
    "Ranker": "rankwright.rankers",
    "RankingSVM": "rankwright.rankers",
    "SVMMap": "rankwright.rankers",
    "SVMAuc": "rankwright.rankers",
    "SVMNdcg": "rankwright.rankers",
    "SVMMrr": "rankwright.rankers",
    "SampledQueries": "rankwright.rankers",
    "SingleFeature": "rankwright.rankers",
    "load": "rankwright.rankers",
    "write_report": "rankwright.report.report",
    "QueryScaler": "rankwright.transforms",
    "ThresholdFeatures": "rankwright.transforms",
    "text_features": "rankwright.text.assembly",
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
