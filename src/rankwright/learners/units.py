"""The units in which λ and w are whole numbers: coarse ones to find splits, fine ones for the values of leaves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError
from rankwright.learners.growth import Growth

Floats = npt.NDArray[np.float64]
Limits = tuple[int, float, float, bool, float, bool]

LEVELS = 2**13 - 1  # of |λ| and of w in histograms
CELL_BITS = 63
LARGEST = 1e100  # so that squares and products of sums stay finite
SMALLEST = 1e-100  # what stays below it is zero in histograms
FINE_BITS = 62  # of the sums behind the values of leaves


class Extent(NamedTuple):
    """What a part says of its gradients."""

    n_docs: int
    max_gradient: float  # max |λ|; NaN where any is NaN
    min_hessian: float
    max_hessian: float


@dataclass(frozen=True)
class Units:
    """What one unit is worth; the same in all parts.

    Parameters
    ----------
    n_docs : documents that are learned from.
    gradient, hessian : one unit of λ and of w in histograms.
    scales : units in λ = 1 and in w = 1.
    fine : the same for the sums behind the values of leaves.
    count_bits : bits for numbers of documents.
    any_gradient : whether any λ differs from 0.
    mse : whether the criterion is MSE.
    """

    n_docs: int
    gradient: float
    hessian: float
    scales: tuple[float, float]
    fine: tuple[float, float]
    count_bits: int
    any_gradient: bool
    mse: bool

    @classmethod
    def of(cls, extents: Sequence[Extent], growth: Growth) -> Units:
        """The units for the gradients of all parts."""
        some = [e for e in extents if e.n_docs > 0]
        n_docs = sum(e.n_docs for e in some)
        top = float(np.max([e.max_gradient for e in some], initial=0.0))
        high = float(np.max([e.max_hessian for e in some], initial=0.0))
        low = float(np.min([e.min_hessian for e in some], initial=high))
        if not (top < LARGEST and 0 <= low <= high < LARGEST):
            raise InputError(
                f"gradients must be finite and hessians finite and not negative, both below {LARGEST:g}. Got gradients "
                f"up to {top:g} in size and hessians from {low:g} to {high:g}. Check labels, weights and scores."
            )
        count_bits = max(n_docs, 1).bit_length()
        # Σ w and the number of documents share 63 bits of a cell; where all w are equal, Σ w is a number of documents
        room = min(LEVELS, (1 << (CELL_BITS - 2 * count_bits)) - 1) if 2 * count_bits < CELL_BITS else 0
        if room < 1:
            raise InputError(f"a tree must be grown on fewer than 2^{CELL_BITS // 2} documents. Got {n_docs:,}.")
        levels = (LEVELS, 1 if low == high else room)
        units = [size / n if size > SMALLEST else 0.0 for size, n in zip((top, high), levels, strict=True)]
        return cls(
            n_docs=n_docs,
            gradient=units[0],
            hessian=units[1] or 1.0,
            scales=(1.0 / units[0] if units[0] else 0.0, 1.0 / units[1] if units[1] else 0.0),
            fine=(_fine(top, count_bits), _fine(high, count_bits)),
            count_bits=count_bits,
            any_gradient=units[0] > 0,
            mse=growth.criterion == "mse",
        )

    @property
    def count_mask(self) -> int:
        return (1 << self.count_bits) - 1

    @property
    def gain(self) -> float:
        """What a gain of 1 in units is worth."""
        return self.gradient * self.gradient / (1.0 if self.mse else self.hessian)

    def limits(self, growth: Growth) -> Limits:
        """What limits splits, in units."""
        return (
            growth.min_docs,
            growth.min_hessian / self.hessian,
            growth.l2 / self.hessian,
            self.mse,
            growth.category_smoothing / self.hessian,
            growth.category_order == "frequency",
        )

    def values(self, sums: npt.NDArray[np.int64], l2: float, bounds: Floats) -> Floats:
        """G / (H + l2) of leaves from their fine sums, within their bounds; 0 where H + l2 is."""
        G, H = sums[:, 0] / self.fine[0], sums[:, 1] / self.fine[1] + l2
        values = np.divide(G, H, out=np.zeros(len(G)), where=H > 0)
        worth = self.gradient / self.hessian
        return np.clip(values, bounds[:, 0] * worth, bounds[:, 1] * worth) if np.isfinite(bounds).any() else values


def _fine(largest: float, count_bits: int) -> float:
    """A power of two by which so many numbers, no larger than this, can be multiplied and added in 64 bits."""
    return math.ldexp(1.0, min(max(FINE_BITS - count_bits - math.frexp(largest)[1], -1000), 1000))
