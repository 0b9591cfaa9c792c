"""NumPy twins of the kernels of boosting: bins and histograms, potentials of pairs, positions, stumps."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.float32]
Features = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint8]
Levels = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

MISSING = 255
LOWEST = np.finfo(np.float32).min


# -- bins --------------------------------------------------------------------------------------------------------


def bin_cuts(x: Features, max_bins: int, n_threads: int = 1) -> tuple[Features, Rows]:
    """Thresholds that divide each column into at most `max_bins` bins; and the offsets of each column's."""
    cuts = [_cuts_of(x[:, k], min(max(max_bins, 2), MISSING)) for k in range(x.shape[1])]
    ptr = np.concatenate([[0], np.cumsum([len(c) for c in cuts])]).astype(np.int64)
    return np.array([c for column in cuts for c in column], dtype=np.float32), ptr


def _cuts_of(column: Features, max_bins: int) -> list[np.float32]:
    """Every value a bin where there are few enough; else bins of about equal size, never inside a value. A value
    that fills more than its share gets a bin of its own, and the rest is shared out anew."""
    values, counts = np.unique(column[~np.isnan(column)] + np.float32(0.0), return_counts=True)
    cuts = []
    bins_left, docs_left, in_bin = max_bins, int(counts.sum()), 0
    if len(values) and docs_left < len(column) and values[0] > LOWEST:
        cuts.append(LOWEST)  # below every value: tells present from missing
        bins_left -= 1
    for i, count in enumerate(counts.tolist()[:-1]):
        in_bin += count
        if bins_left > 1 and (len(values) <= max_bins or in_bin * bins_left >= docs_left):
            cuts.append(_between(values[i], values[i + 1]))
            docs_left, bins_left, in_bin = docs_left - in_bin, bins_left - 1, 0
    return cuts


def _between(below: np.float32, above: np.float32) -> np.float32:
    """A threshold t with below ≤ t < above, halfway where float32 has such a number."""
    middle = np.float32((np.float64(below) + np.float64(above)) / 2.0)
    return middle if middle < above else below


def bin_codes(x: Features, cuts: Features, cut_ptr: Rows, n_threads: int = 1) -> Codes:
    """The number of its column's thresholds below each value, 255 where it is missing; one row per column of `x`."""
    codes = np.empty(x.shape[::-1], np.uint8)
    for k, code in enumerate(codes):
        code[:] = np.searchsorted(cuts[cut_ptr[k] : cut_ptr[k + 1]], x[:, k], side="left")
        code[np.isnan(x[:, k])] = MISSING
    return codes


def bin_histograms(codes: Codes, numbers: Floats, scale: float, n_threads: int = 1) -> Rows:
    """For each column and code, Σ scale · numbers over its rows, each term cut to a whole number."""
    cells = np.zeros((len(codes), MISSING + 1), np.int64)
    for k, code in enumerate(codes):
        np.add.at(cells[k], code, np.trunc(numbers * scale).astype(np.int64))
    return cells


def add_by_code(numbers: Floats, codes: Codes, table: Floats, n_threads: int = 1) -> None:
    """numbers += table[codes], in place."""
    numbers += table[codes]


# -- pairs -------------------------------------------------------------------------------------------------------


def label_levels(y: Labels, qptr: Rows, n_threads: int = 1) -> Levels:
    """The rank of each label among the different labels of its query, 0 for the lowest."""
    levels = np.empty(len(y), np.int32)
    for a, b in itertools.pairwise(qptr):
        levels[a:b] = np.unique(y[a:b], return_inverse=True)[1]
    return levels


def pair_potentials(
    scores: Floats, levels: Levels, better: Floats, worse: Floats, qptr: Rows, n_threads: int = 1
) -> tuple[Floats, Floats]:
    """Potentials of the documents and masses of the queries under D(i, j) = a_i b_j exp(−(F_i − F_j)), y_i > y_j.

    π(d) = a_d e^{−F_d} Σ_{j: y_j < y_d} b_j e^{F_j} − b_d e^{F_d} Σ_{i: y_i > y_d} a_i e^{−F_i}, and Σ_d of the first
    term is the mass Σ D. Each sum over j is one over levels, so that a query costs its number of documents. Sums are
    kept as logarithms here; the native kernel does so only where exp(F) could overflow.
    """
    potentials = np.zeros(len(scores))
    mass = np.zeros(len(qptr) - 1)
    for q, (a, b) in enumerate(itertools.pairwise(qptr)):
        F, level = scores[a:b], levels[a:b]
        with np.errstate(divide="ignore"):  # log(0) = −∞: the document takes no part
            log_a, log_b = np.log(better[a:b]), np.log(worse[a:b])
        n_levels = int(level.max(initial=-1)) + 1
        below, above = np.full(n_levels, -np.inf), np.full(n_levels, -np.inf)
        np.logaddexp.at(below, level, log_b + F)
        np.logaddexp.at(above, level, log_a - F)
        as_better = np.exp(log_a - F + _before(below)[level])
        as_worse = np.exp(log_b + F + _before(above[::-1])[::-1][level])
        potentials[a:b] = as_better - as_worse
        mass[q] = as_better.sum()
    return potentials, mass


def _before(logarithms: Floats) -> Floats:
    """The logarithm of the sum of all earlier ones, for each."""
    return np.concatenate([[-np.inf], np.logaddexp.accumulate(logarithms)[:-1]]) if len(logarithms) else logarithms


# -- positions ---------------------------------------------------------------------------------------------------


def mean_positions(x: Features, qptr: Rows, n_threads: int = 1) -> Features:
    """The position from the bottom of every value in its query, ties at their mean; one row per column of `x`.

    A missing value ties with every other, so that it stands in the middle and leaves the others' order alone.
    """
    out = np.empty(x.shape[::-1], np.float32)
    for a, b in itertools.pairwise(qptr):
        for k in range(x.shape[1]):
            values = x[a:b, k]
            present = np.sort(values[~np.isnan(values)])
            below = np.searchsorted(present, values, side="left")
            not_above = np.searchsorted(present, values, side="right")
            half = (below + not_above - 1 + (b - a - len(present))) / 2.0
            out[k, a:b] = np.where(np.isnan(values), (b - a - 1) / 2.0, half)
    return out


def query_dots(columns: Features, numbers: Floats, qptr: Rows, scale: float, n_threads: int = 1) -> Rows:
    """scale · Σ_d numbers(d) · columns(k, d) for each k; every query's sum is cut to a whole number."""
    sums = np.zeros(len(columns), np.int64)
    for a, b in itertools.pairwise(qptr):
        sums += np.trunc((columns[:, a:b].astype(np.float64) @ numbers[a:b]) * scale).astype(np.int64)
    return sums


# -- stumps ------------------------------------------------------------------------------------------------------


def stump_scores(
    x: Features,
    features: Rows,
    thresholds: Features,
    weights: Floats,
    if_missing: Flags,
    width: int = 512,
    n_threads: int = 1,
) -> Floats:
    """Σ_t weight_t · 1[x_k > threshold_t], or the weight where `if_missing` and x_k is missing; k is `features[t]`."""
    scores = np.zeros(len(x))
    for k, threshold, weight, missing_fires in zip(features, thresholds, weights, if_missing, strict=True):
        fires = (x[:, k] > threshold) | (np.isnan(x[:, k]) & missing_fires)
        scores += np.where(fires, weight, 0.0)
    return scores
