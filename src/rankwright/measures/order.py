"""Measures of order: Kendall's distance, area under the ROC curve, overlap of the tops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankwright.measures.base import Decomposition, Floats, KernelSpec, Labels, Measure
from rankwright.measures.precision import _Binary


def _one_label_only(labels: Labels) -> bool:
    return len(labels) == 0 or bool((np.asarray(labels) == labels[0]).all())


@dataclass(frozen=True)
class KendallTau(Measure):
    """Kendall's distance: the share of pairs of documents with different labels that are ranked the wrong way round.

    A pair with equal scores counts ½ when ties are averaged. Lower is better.
    """

    has_cut = False
    lower_is_better = True
    aliases = ("kendall", "tau")
    formula = "discordant pairs / pairs with different labels"

    def is_empty(self, labels: Labels) -> bool:
        return _one_label_only(labels)

    def of_ranking(self, labels: Labels) -> float:
        y = np.asarray(labels)
        discordant = np.triu(y[:, None] < y[None, :], 1)
        different = np.triu(y[:, None] != y[None, :], 1)
        return float(discordant.sum()) / int(different.sum())

    def kernel_spec(self) -> KernelSpec:
        return self.spec("kendall")

    def swap_deltas(self, labels: Labels) -> Floats:
        y = np.asarray(labels, dtype=np.float64)
        if self.is_empty(y):
            return np.zeros((len(y), len(y)))
        wrong = np.sign(y[None, :] - y[:, None])  # +1 where i above j would be discordant
        summed = np.cumsum(wrong, axis=1)
        i, j = np.triu_indices(len(y), 1)
        change = summed[j, j] - summed[j, i] - summed[i, j] + summed[i, i]  # Σ_{i<r≤j} wrong(j, r) − wrong(i, r)
        out = np.zeros_like(wrong)
        out[i, j] = out[j, i] = np.abs(change) / np.triu(wrong != 0, 1).sum()
        return out


@dataclass(frozen=True)
class AUC(_Binary):
    """Area under the ROC curve: the share of pairs (relevant, other) in the right order; equal scores count ½."""

    has_cut = False
    aliases = ("rocarea", "roc_auc")
    formula = "pairs (relevant, other) in the right order / all such pairs"

    def is_empty(self, labels: Labels) -> bool:
        return _one_label_only(self.relevant(labels))

    def of_ranking(self, labels: Labels) -> float:
        relevant = self.relevant(labels)
        others_below = np.cumsum(~relevant[::-1])[::-1]
        return float(others_below[relevant].sum()) / (int(relevant.sum()) * int((~relevant).sum()))

    def kernel_spec(self) -> KernelSpec:
        return self.spec("auc", rel=self.rel)

    def decomposition(self, labels: Labels) -> Decomposition:
        gain = self.relevant(labels).astype(np.float64)
        n, n_relevant = len(gain), float(gain.sum())
        below = (
            n - np.arange(1, n + 1, dtype=np.float64) - (n_relevant - 1) / 2
        )  # documents below, less the relevant ones in the mean
        return Decomposition(gain, below, n_relevant * (n - n_relevant) or 1.0)


@dataclass(frozen=True)
class Overlap(Measure):
    """The documents that the first k by score and the first k by label share, over k.

    Documents with equal labels may stand in any order in the truth; a document counts with the share of those orders
    that put it among the first k. With all labels different that is 1 or 0.
    """

    aliases = ("toprate", "resistance")
    formula = "documents at ranks ≤ k by score and by label / k"

    def is_empty(self, labels: Labels) -> bool:
        return _one_label_only(labels)

    def members(self, labels: Labels) -> Floats:
        """The share of the orders of equal labels that put each document among the first k."""
        y = np.asarray(labels)
        top = min(self.k or len(y), len(y))
        edge = np.sort(y)[::-1][top - 1]
        share = (top - int((y > edge).sum())) / int((y == edge).sum())
        return np.where(y > edge, 1.0, np.where(y == edge, share, 0.0))

    def of_ranking(self, labels: Labels) -> float:
        return float(self.members(labels)[: self.k].sum()) / (self.k or len(labels))

    def kernel_spec(self) -> KernelSpec:
        return self.spec("overlap")

    def decomposition(self, labels: Labels) -> Decomposition:
        n = len(labels)
        return Decomposition(self.members(labels), self.above_cut(np.ones(n)), float(self.k or n))
