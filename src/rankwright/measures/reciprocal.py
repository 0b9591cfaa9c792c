"""Reciprocal rank of the first relevant document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankwright.measures.base import Floats, KernelSpec, Labels
from rankwright.measures.precision import _Binary


@dataclass(frozen=True)
class RR(_Binary):
    """Reciprocal rank: 1/rank of the first relevant document, 0 when it is beyond the cut. Its mean is MRR."""

    aliases = ("mrr", "recip_rank", "reciprocalrank")
    formula = "1 / rank of the first relevant document; 0 if that is beyond k"

    def of_ranking(self, labels: Labels) -> float:
        first = np.flatnonzero(self.relevant(labels)[: self.k])[:1]
        return 1.0 / (int(first[0]) + 1) if len(first) else 0.0

    def kernel_spec(self) -> KernelSpec:
        return self.spec("rr", rel=self.rel)

    def swap_deltas(self, labels: Labels) -> Floats:
        n = len(labels)
        relevant = self.relevant(labels)
        out = np.zeros((n, n))
        ranks = np.flatnonzero(relevant)
        if not len(ranks):
            return out
        worth = self.above_cut(1.0 / np.arange(1, n + 1))
        first, second = int(ranks[0]), int(ranks[1]) if len(ranks) > 1 else n
        out[:first, ranks] = (worth[:first] - worth[first])[:, None]  # a relevant document comes to i < first
        others = np.flatnonzero(~relevant[first:]) + first
        new_first = np.minimum(others, second)  # the first one goes down to j, or below the second
        out[first, others] = worth[first] - worth[new_first]
        return np.maximum(out, out.T)
