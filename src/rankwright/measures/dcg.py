"""DCG and nDCG (Järvelin & Kekäläinen 2000): gains of the labels, discounted by rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankwright.measures.base import Floats, KernelSpec, Labels, Measure

Gain = Literal["exp2", "identity"] | tuple[float, ...]
Discount = Literal["log2", "letor"]


def gains(labels: Labels, gain: Gain) -> Floats:
    """2^y − 1, y itself, or a table indexed by the label."""
    y = np.asarray(labels, dtype=np.float64)
    if isinstance(gain, tuple):
        return np.asarray(gain, dtype=np.float64)[y.astype(np.int64)]
    return y if gain == "identity" else np.exp2(y) - 1.0


def discounts(n: int, discount: Discount) -> Floats:
    """1/log2(1 + rank); LETOR's scripts give ranks 1 and 2 the discount 1, then 1/log2(rank)."""
    rank = np.arange(1, n + 1, dtype=np.float64)
    return 1.0 / np.log2(1.0 + rank) if discount == "log2" else 1.0 / np.log2(np.maximum(rank, 2.0))


@dataclass(frozen=True)
class nDCG(Measure):
    """DCG divided by the DCG of the best order of the same documents."""

    gain: Gain = "exp2"
    discount: Discount = "log2"
    aliases = ("ndcg",)

    def is_empty(self, labels: Labels) -> bool:
        return not bool((gains(labels, self.gain) > 0).any())

    def of_ranking(self, labels: Labels) -> float:
        g = gains(labels, self.gain)
        d = discounts(len(g), self.discount)[: self.k]
        return float(g[: self.k] @ d) / float(np.sort(g)[::-1][: self.k] @ d)

    def kernel_spec(self) -> KernelSpec | None:
        return None
