"""Decision stumps h(x) = 1[x_k > θ], and the one that agrees best with a number given to each document."""

from __future__ import annotations

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
    sums = np.cumsum(histograms[:, widest:0:-1], axis=1)[:, ::-1]
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
