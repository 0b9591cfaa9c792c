"""Rankers: one paper, one file, imported when first used."""

from typing import TYPE_CHECKING

from rankwright.on_demand import on_demand
from rankwright.rankers.base import Ranker
from rankwright.rankers.callbacks import Callback, Checkpoint, EarlyStopping, Progress, Record
from rankwright.rankers.registry import HOMES, PACKAGE, REGISTRY
from rankwright.rankers.rounds import Rounds

if TYPE_CHECKING:
    from rankwright.rankers.adarank import AdaRank
    from rankwright.rankers.coordinate_ascent import CoordinateAscent
    from rankwright.rankers.diffrank import DiffRank
    from rankwright.rankers.lambdamart import LambdaMART
    from rankwright.rankers.lambdasmart import LambdaSMART
    from rankwright.rankers.loading import load
    from rankwright.rankers.mart import MART
    from rankwright.rankers.mcrank import McRank
    from rankwright.rankers.neural import LambdaRank, ListMLE, ListNet, RankNet
    from rankwright.rankers.pointwise import Pointwise
    from rankwright.rankers.rankboost import RankBoost
    from rankwright.rankers.ranking_svm import RankingSVM
    from rankwright.rankers.single_feature import SingleFeature
    from rankwright.rankers.svm_auc import SVMAuc
    from rankwright.rankers.svm_map import SVMMap
    from rankwright.rankers.svm_mrr import SVMMrr
    from rankwright.rankers.svm_ndcg import SVMNdcg
    from rankwright.rankers.weak import SampledQueries
    from rankwright.rankers.weighted_rankboost import AddWRB, ExpWRB, LinWRB

__all__ = [
    "MART",
    "REGISTRY",
    "AdaRank",
    "AddWRB",
    "Callback",
    "Checkpoint",
    "CoordinateAscent",
    "DiffRank",
    "EarlyStopping",
    "ExpWRB",
    "LambdaMART",
    "LambdaRank",
    "LambdaSMART",
    "LinWRB",
    "ListMLE",
    "ListNet",
    "McRank",
    "Pointwise",
    "Progress",
    "RankBoost",
    "RankNet",
    "Ranker",
    "RankingSVM",
    "Record",
    "Rounds",
    "SVMAuc",
    "SVMMap",
    "SVMMrr",
    "SVMNdcg",
    "SampledQueries",
    "SingleFeature",
    "load",
]

__getattr__ = on_demand(
    PACKAGE, {"SampledQueries": "weak", "load": "loading", **{name: module for module, name in HOMES.values()}}
)
