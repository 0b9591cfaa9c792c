"""Rankers: one paper, one file."""

from rankwright.rankers.adarank import AdaRank
from rankwright.rankers.base import REGISTRY, Ranker, load
from rankwright.rankers.callbacks import Callback, Checkpoint, EarlyStopping, Progress
from rankwright.rankers.diffrank import DiffRank
from rankwright.rankers.rankboost import RankBoost
from rankwright.rankers.rounds import Rounds
from rankwright.rankers.single_feature import SingleFeature
from rankwright.rankers.weak import SampledQueries

__all__ = [
    "REGISTRY",
    "AdaRank",
    "Callback",
    "Checkpoint",
    "DiffRank",
    "EarlyStopping",
    "Progress",
    "RankBoost",
    "Ranker",
    "Rounds",
    "SampledQueries",
    "SingleFeature",
    "load",
]
