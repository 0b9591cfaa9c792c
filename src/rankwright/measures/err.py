"""Expected reciprocal rank (Chapelle, Metzler, Zhang & Grinspan 2009)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from rankwright.errors import InputError
from rankwright.measures.base import Floats, KernelSpec, Labels, Measure


@dataclass(frozen=True)
class ERR(Measure):
    """The expectation of 1/rank where a reader stops, who stops at a document with probability R(y).

    R(y) = (2^y − 1)/2^ymax; ERR = Σ_r (1/r) R(y_r) Π_{s<r} (1 − R(y_s)).

    Parameters
    ----------
    max_label : ymax. None takes the largest label of the whole data set.
    """

    max_label: float | None = None
    formula = "Σ R(y_r)/r · Π_{s<r} (1 − R(y_s)) over ranks ≤ k, R(y) = (2^y − 1)/2^ymax"

    def stops(self, labels: Labels) -> Floats:
        """R(y) of each label."""
        y = np.asarray(labels, dtype=np.float64)
        largest = float(y.max(initial=0.0)) if self.max_label is None else self.max_label
        return np.asarray((np.exp2(y) - 1.0) / np.exp2(largest))

    def of_ranking(self, labels: Labels) -> float:
        stop = self.stops(labels)
        reached = np.cumprod(np.concatenate([[1.0], 1.0 - stop]))[:-1]
        return float((stop * reached / np.arange(1, len(stop) + 1))[: self.k].sum())

    def bind(self, labels: Labels) -> Self:
        return self if self.max_label is not None else replace(self, max_label=float(np.max(labels, initial=0.0)))

    def check_labels(self, labels: Labels, largest: float) -> None:
        top = largest if self.max_label is None else self.max_label
        if largest > top or top > 1000:
            raise InputError(
                f"labels must be at most max_label, and that at most 1000, for {self}. Got labels up to {largest:g}. "
                "Give ERR(max_label=...) the largest label there is."
            )

    def kernel_spec(self) -> KernelSpec:
        return self.spec("err", max_label=0.0 if self.max_label is None else self.max_label)

    def swap_deltas(self, labels: Labels) -> Floats:
        stop = self.stops(labels)
        reached = np.cumprod(np.concatenate([[1.0], 1.0 - stop]))[:-1]
        worth = self.above_cut(1.0 / np.arange(1, len(stop) + 1)) * reached
        summed = np.cumsum(worth * stop)
        between = (summed - worth * stop)[None, :] - summed[:, None]  # the terms strictly between i and j
        factor = (1.0 - stop)[None, :] / (1.0 - stop)[:, None]  # what the swap does to the reader who comes past i
        change = (
            worth[:, None] * (stop[None, :] - stop[:, None])
            + between * (factor - 1.0)
            + worth[None, :] * (stop[:, None] * factor - stop[None, :])
        )
        upper = np.abs(np.triu(change, 1))
        return upper + upper.T
