"""Decision stumps h(x) = 1[x_k > θ], and the one that agrees best with a number given to each document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.learners.binning import MISSING, Bins

Histograms = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Stump:
    """h(x) = 1[x_k > θ]; where x_k is missing, h(x) = 1[`if_missing`].

    Parameters
    ----------
    feature : k.
    threshold : θ, a float32.
    if_missing : whether a missing value fires.
    """

    feature: int
    threshold: float
    if_missing: bool = False

    def __call__(self, X: Any) -> npt.NDArray[np.bool_]:
        """h of each row of an array."""
        column = X[:, self.feature]
        fires: npt.NDArray[np.bool_] = column > self.threshold
        return fires | np.isnan(column) if self.if_missing else fires

    def by_code(self, bins: Bins) -> npt.NDArray[np.bool_]:
        """h for each of the 256 codes of its feature."""
        fires = np.arange(MISSING + 1) > np.searchsorted(bins.of_feature(self.feature), self.threshold)
        fires[MISSING] = self.if_missing
        return fires


def best_stump(histograms: Histograms, bins: Bins, tie_bits: int = 0) -> tuple[Stump | None, int]:
    """The stump h with the largest |Σ_d π(d) h(d)|, and that sum; None where all sums are 0.

    Parameters
    ----------
    histograms : Σ π(d) over the documents of each code, in whole numbers: used features × 256.
    bins : the thresholds.
    tie_bits : sums that differ only in so many low bits are equal, so that the rounding of π decides nothing.

    Notes
    -----
    Of equally good stumps the one with the first feature wins, then the lowest threshold, then not firing where
    missing.
    """
    n_cuts = np.diff(bins.cut_ptr)[bins.used]
    widest = int(n_cuts.max(initial=0))
    if widest == 0:
        return None, 0
    # sums[k, b] = Σ over codes b + 1, b + 2, ... of feature k; 0 past its last threshold, since no code is there
    upto = np.cumsum(histograms[:, : widest + 1], axis=1)
    sums = upto[:, -1:] - upto[:, :-1]
    missing = histograms[:, MISSING, None]
    if missing.any():
        fires = np.where(np.arange(widest) < n_cuts[:, None], sums + missing, 0)
        sums = np.stack([sums, fires], axis=-1)
    else:
        sums = sums[:, :, None]
    row, b, if_missing = np.unravel_index(np.argmax(np.abs(sums) >> tie_bits), sums.shape)
    best = int(sums[row, b, if_missing])
    if abs(best) >> tie_bits == 0:
        return None, 0
    k = int(bins.used[row])
    return Stump(k, float(bins.of_feature(k)[b]), bool(if_missing)), best


def stump_apart(cells: Sequence[Histograms], bins: Bins, tie_bits: int = 0) -> tuple[Stump | None, int, int]:
    """The stump h with the smallest Z = R_0 + 2 √(R_+ R_−), and its R_+ and R_−; None where no stump tells anything.

    R_a is the weight of the pairs with h(i) − h(j) = a. As the weights of all pairs add up to a constant, Z is least
    where (√R_+ − √R_−)² is largest.

    Parameters
    ----------
    cells : for stumps that do not fire where a value is missing, and, if there are such values, for those that do:
        whole numbers, 2 × used features × 256, whose sums over the codes above b are R_+ and R_− of threshold b.
    bins : the thresholds.
    tie_bits : so many low bits of R are left out, so that rounding decides nothing.

    Notes
    -----
    Of equally good stumps the one that `best_stump` would take wins.
    """
    n_cuts = np.diff(bins.cut_ptr)[bins.used]
    widest = int(n_cuts.max(initial=0))
    if widest == 0:
        return None, 0, 0
    above = [np.cumsum(part[:, :, :0:-1], axis=2)[:, :, ::-1][:, :, :widest] for part in cells]
    R = np.where((np.arange(widest) < n_cuts[:, None])[:, :, None], np.stack(above, axis=-1), 0)
    R = np.maximum(R, 0) >> tie_bits
    gain = (np.sqrt(R[0]) - np.sqrt(R[1])) ** 2
    row, b, if_missing = np.unravel_index(np.argmax(gain), gain.shape)
    if gain[row, b, if_missing] == 0:
        return None, 0, 0
    k = int(bins.used[row])
    right, wrong = (int(side) << tie_bits for side in R[:, row, b, if_missing])
    return Stump(k, float(bins.of_feature(k)[b]), bool(if_missing)), right, wrong
