"""Sums of gains discounted by rank: DCG, nDCG (Järvelin & Kekäläinen 2000) and the LETOR scripts' MeanNDCG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from rankwright.errors import InputError
from rankwright.measures.base import Decomposition, Floats, KernelSpec, Labels, Measure, one_of

Gain = Literal["exp2", "identity"] | tuple[float, ...]
Discount = Literal["log2", "letor"]

LARGEST_EXPONENT = 1000.0  # 2^y of larger labels, summed over a list, is no longer a finite number


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
class _Discounted(Measure):
    """What DCG, nDCG and MeanNDCG share.

    Parameters
    ----------
    gain : what a label is worth: ``exp2`` is 2^y − 1, ``identity`` is y, or one value per label 0, 1, ...
    discount : what a rank is worth: ``log2`` is 1/log2(1 + rank); ``letor`` is 1 at ranks 1 and 2, then 1/log2(rank).
    """

    gain: Gain = "exp2"
    discount: Discount = "log2"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "discount", get_args(Discount))
        if isinstance(self.gain, str):
            one_of(self, "gain", ("exp2", "identity"))
            return
        table = tuple(float(g) for g in self.gain)
        if not table or not np.isfinite(table).all() or min(table) < 0 or list(table) != sorted(table):
            raise InputError(f"a gain table must be finite, at least 0, and never fall. Got {list(table)}.")
        object.__setattr__(self, "gain", table)

    def is_empty(self, labels: Labels) -> bool:
        return not bool((gains(labels, self.gain) > 0).any())

    def check_labels(self, labels: Labels, largest: float) -> None:
        if isinstance(self.gain, tuple):
            if largest > len(self.gain) - 1 or (labels != np.floor(labels)).any():
                raise InputError(
                    f"labels must be whole numbers that the gain table of {self} has a value for, 0 to "
                    f"{len(self.gain) - 1}. Got labels up to {largest:g}. Give a longer table."
                )
        elif self.gain == "exp2" and largest > LARGEST_EXPONENT:
            raise InputError(
                f"labels must be at most {LARGEST_EXPONENT:g} for gain 2^y − 1. Got {largest:g}. "
                "Use gain='identity' or a gain table."
            )

    def _spec(self, kind: str, short: str = "pad") -> KernelSpec:
        table = self.gain if isinstance(self.gain, tuple) else ()
        return self.spec(
            kind,
            gain="table" if table else str(self.gain),
            gain_table=table,
            discount=self.discount,
            short=short,
        )


@dataclass(frozen=True)
class DCG(_Discounted):
    """Discounted cumulative gain: the sum over the first k ranks of gain(y) · discount(rank)."""

    bounds = (0.0, float("inf"))
    formula = "Σ gain(y) · discount(rank) over ranks ≤ k"

    def of_ranking(self, labels: Labels) -> float:
        g = gains(labels, self.gain)
        return float(g[: self.k] @ discounts(len(g), self.discount)[: self.k])

    def kernel_spec(self) -> KernelSpec:
        return self._spec("dcg")

    def decomposition(self, labels: Labels) -> Decomposition:
        g = gains(labels, self.gain)
        return Decomposition(g, self.above_cut(discounts(len(g), self.discount)), 1.0)


@dataclass(frozen=True)
class nDCG(_Discounted):
    """DCG divided by the DCG of the best order of the same documents.

    Parameters
    ----------
    short : what a list of fewer than k documents is worth: its nDCG over the documents it has (``pad``), or ``zero``,
        as the LETOR scripts count.
    """

    short: Literal["pad", "zero"] = "pad"
    formula = "DCG@k / DCG@k of the best order"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "short", ("pad", "zero"))

    def of_ranking(self, labels: Labels) -> float:
        g = gains(labels, self.gain)
        if self.counts_zero(len(g)):
            return 0.0
        d = discounts(len(g), self.discount)[: self.k]
        return float(g[: self.k] @ d) / float(np.sort(g)[::-1][: self.k] @ d)

    def kernel_spec(self) -> KernelSpec:
        return self._spec("ndcg", self.short)

    def decomposition(self, labels: Labels) -> Decomposition:
        g = gains(labels, self.gain)
        d = self.above_cut(discounts(len(g), self.discount))
        if self.counts_zero(len(g)):
            d[:] = 0.0
        return Decomposition(g, d, float(np.sort(g)[::-1] @ d) or 1.0)


@dataclass(frozen=True)
class MeanNDCG(_Discounted):
    """The mean of nDCG@1, nDCG@2, ..., nDCG@n over a list of n documents, as the LETOR scripts print it."""

    formula = "mean of nDCG@i over i ≤ min(k, n)"

    def of_ranking(self, labels: Labels) -> float:
        g = gains(labels, self.gain)
        d = discounts(len(g), self.discount)
        return float(np.mean((np.cumsum(g * d) / np.cumsum(np.sort(g)[::-1] * d))[: self.k]))

    def kernel_spec(self) -> KernelSpec:
        return self._spec("mean_ndcg")

    def decomposition(self, labels: Labels) -> Decomposition:
        g = gains(labels, self.gain)
        d = discounts(len(g), self.discount)
        ideal = np.cumsum(np.sort(g)[::-1] * d)
        per_cut = self.above_cut(np.divide(1.0, ideal, out=np.zeros_like(ideal), where=ideal > 0))
        return Decomposition(g, d * np.cumsum(per_cut[::-1])[::-1], float(min(self.k or len(g), len(g))))
