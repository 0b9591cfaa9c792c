"""Measures of relevant documents found: average precision, precision, recall, WTA."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankwright.measures.base import Labels, Measure


@dataclass(frozen=True)
class AP(Measure):
    """Average precision: the mean over relevant documents (y ≥ `rel`) of the precision at their rank."""

    rel: float = 1.0
    aliases = ("map", "averageprecision")

    def is_empty(self, labels: Labels) -> bool:
        return not bool((np.asarray(labels) >= self.rel).any())

    def of_ranking(self, labels: Labels) -> float:
        relevant = np.asarray(labels) >= self.rel
        precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
        return float(precision[: self.k][relevant[: self.k]].sum()) / int(relevant.sum())
