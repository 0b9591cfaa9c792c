"""Rankers: one paper, one file."""

from rankwright.rankers.base import REGISTRY, Ranker, load
from rankwright.rankers.callbacks import Callback, Checkpoint, EarlyStopping, Progress
from rankwright.rankers.rounds import Rounds
from rankwright.rankers.single_feature import SingleFeature

__all__ = [
    "REGISTRY",
    "Callback",
    "Checkpoint",
    "EarlyStopping",
    "Progress",
    "Ranker",
    "Rounds",
    "SingleFeature",
    "load",
]
