"""NumPy twins of the kernels that grow trees: codes by rows, gradients as whole numbers, histograms, splits, leaves.

A histogram has two whole numbers per cell, in two rows: Σ g, and (Σ h)·2^count_bits + the number of documents. The
cells of feature f are `cell_ptr[f]:cell_ptr[f + 1]`: one per code, the last for missing values, and, for a categorical
feature, the last but one for the categories that have no code of their own.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Features = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint8]
Quantised = npt.NDArray[np.int16]
Cells = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
Found = tuple[float, int, int, bool, int, int, bytes]
Bounds = tuple[float, float]
Limits = tuple[int, float, float, bool, float, bool]
Known = tuple[Rows, Rows, npt.NDArray[np.int8], npt.NDArray[np.bool_], Limits]

NONE: Found = (0.0, -1, -1, False, 0, 0, bytes(256))
NOTHING_GAINED = 1e-10  # of the score before the split: what is below is rounding


# -- codes -------------------------------------------------------------------------------------------------------


def code_rows(x: Features, cuts: Features, cut_ptr: Rows, columns: Rows, codes: Codes, n_threads: int = 1) -> None:
    """Writes the codes of some columns, by rows: the number of thresholds below a value; one more than all where it
    is missing."""
    for code, k in zip(codes.T, columns, strict=True):
        thresholds = cuts[cut_ptr[k] : cut_ptr[k + 1]]
        code[:] = np.where(np.isnan(x[:, k]), len(thresholds) + 1, np.searchsorted(thresholds, x[:, k]))


# -- gradients ---------------------------------------------------------------------------------------------------


def extents(gradients: Floats, hessians: Floats, n_threads: int = 1) -> tuple[float, float, float]:
    """The largest |gradient|, the smallest and the largest hessian; NaN where any is NaN."""
    top, high = (float(numbers.max(initial=0.0)) for numbers in (np.abs(gradients), hessians))
    return top, float(hessians.min(initial=np.inf)), high


def quantise(
    gradients: Floats, hessians: Floats, scales: tuple[float, float], seed: int, n_threads: int = 1
) -> Quantised:
    """⌊scale · number + u⌋ of both, u in [0, 1) a hash of the numbers and the seed: right in the mean, and the same
    wherever a document stands."""
    bits = gradients.view(np.uint64) ^ (hessians.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    u = _mixed(bits + np.uint64(seed))
    low, high = (u & np.uint64(0xFFFFFFFF)).astype(np.float64), (u >> np.uint64(32)).astype(np.float64)
    out = np.empty((len(gradients), 2), np.int16)
    out[:, 0] = np.floor(gradients * scales[0] + low * 2.0**-32)
    out[:, 1] = np.floor(hessians * scales[1] + high * 2.0**-32)
    return out


def _mixed(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finaliser of splitmix64: every bit of the input moves every bit of the output."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


# -- histograms --------------------------------------------------------------------------------------------------


def leaf_cells(
    codes: Codes,
    quantised: Quantised,
    rows: Numbers,
    cell_ptr: Rows,
    features: Rows,
    count_bits: int,
    n_threads: int = 1,
) -> Cells:
    """The histograms of some features over some rows; those of the others are empty."""
    cells = np.zeros((2, cell_ptr[-1]), np.int64)
    g, h = quantised[rows].astype(np.int64).T
    for f in features:
        np.add.at(cells[0], cell_ptr[f] + codes[rows, f], g)
        np.add.at(cells[1], cell_ptr[f] + codes[rows, f], (h << count_bits) + 1)
    return cells


# -- splits ------------------------------------------------------------------------------------------------------


def best_split(cells: Cells, known: Known, bounds: Bounds, count_bits: int, n_threads: int = 1) -> Found:
    """The split of a leaf that betters its score most: gain, feature, code, missing left, its left cells' sums, and
    which codes go left; feature −1 where no split betters it.

    `known`: the cells' offsets; the features to try; each feature's sign, where it is monotone; whether it is
    categorical; limits. These are: the least documents of a side, its least hessian, l2, whether the criterion is
    MSE, what smooths the order of categories, whether that order is by frequency; hessians and values are in the
    units of the cells. `bounds`: where the leaf's value must stay. Of equally good splits the first feature's is
    taken, then the one that sends missing values right, then the lowest code.
    """
    cell_ptr, features, monotone, categorical, limits = known
    best = NONE
    if len(features) == 0:
        return best
    G, H, C = _sums(cells[:, cell_ptr[features[0]] : cell_ptr[features[0] + 1]].sum(axis=1), count_bits)
    rule = _Rule(limits, bounds)
    bounded = bounds != (-np.inf, np.inf)
    for f in features:
        of_f = cells[:, cell_ptr[f] : cell_ptr[f + 1]]
        n_codes = of_f.shape[1]
        has_missing = bool(of_f[:, -1].any())
        for missing_left in (False, True) if has_missing else (False,):
            start = of_f[:, -1:] * int(missing_left)
            for order in _orders(of_f, rule, count_bits) if categorical[f] else (np.arange(n_codes - 2),):
                left = start + np.cumsum(of_f[:, order], axis=1)
                gains = rule.gains(_sums(left, count_bits), (G, H, C), int(monotone[f]), bounded or bool(monotone[f]))
                i = int(np.argmax(gains)) if len(gains) else 0
                if len(gains) and gains[i] > best[0]:
                    to_left = np.zeros(256, np.uint8)
                    to_left[order[: i + 1]] = 1
                    g, counted = (int(v) for v in left[:, i])
                    towards = missing_left if has_missing else 2 * (counted & ((1 << count_bits) - 1)) >= C
                    to_left[n_codes - 1] = towards
                    best = float(gains[i]), int(f), i, bool(towards), g, counted, to_left.tobytes()
    return best


def _sums(cells: Cells, count_bits: int) -> tuple[Cells, Cells, Cells]:
    """Σ g, Σ h and the number of documents of cells: pairs of numbers, or of arrays."""
    return cells[0], cells[1] >> count_bits, cells[1] & ((1 << count_bits) - 1)


def _orders(of_f: Cells, rule: _Rule, count_bits: int) -> list[npt.NDArray[np.intp]]:
    """The categories seen in the leaf, in an order and its reverse; left goes where each begins."""
    g, h, c = _sums(of_f[:, :-2], count_bits)
    seen = np.flatnonzero(c)
    if not rule.by_frequency:
        seen = seen[np.argsort((g / ((h + rule.smoothing) + 1.0))[seen], kind="stable")]
    return [seen, seen[::-1]]


class _Rule:
    """What a split gains, and which splits are allowed."""

    def __init__(self, limits: Limits, bounds: Bounds) -> None:
        self.min_docs, self.min_hessian, self.l2, self.mse, self.smoothing, self.by_frequency = limits
        self.low, self.high = bounds

    def gains(
        self, left: tuple[Cells, Cells, Cells], whole: tuple[Cells, Cells, Cells], sign: int, bounded: bool
    ) -> Floats:
        """By how much each way to divide a leaf betters its score; −∞ where it is not allowed or nothing is gained."""
        right = tuple(w - part for w, part in zip(whole, left, strict=True))
        (gl, hl, cl), (gr, hr, cr), (g, h, c) = ([s.astype(np.float64) for s in sums] for sums in (left, right, whole))
        a, b, both = (cl, cr, c) if self.mse else (hl + self.l2, hr + self.l2, h + self.l2)
        allowed = (cl >= self.min_docs) & (cr >= self.min_docs) & (hl >= self.min_hessian) & (hr >= self.min_hessian)
        allowed &= (a > 0) & (b > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            if bounded:
                vl, vr = self._value(gl, hl), self._value(gr, hr)
                allowed &= sign * vl <= sign * vr
            if bounded and not self.mse:
                v = self._value(g, h)
                before = 2.0 * g * v - both * v * v
                after = (2.0 * gl * vl - a * vl * vl) + (2.0 * gr * vr - b * vr * vr)
            else:
                before = g * g / both
                after = (gl * gl * b + gr * gr * a) / (a * b)
            gains = np.where(allowed, after - before, -np.inf)
        return np.where(gains > NOTHING_GAINED * before, gains, -np.inf)

    def _value(self, g: Floats, h: Floats) -> Floats:
        value: Floats = np.minimum(np.maximum(g / (h + self.l2), self.low), self.high)
        return value


# -- rows --------------------------------------------------------------------------------------------------------


def divide_rows(codes: Codes, rows: Numbers, spare: Numbers, feature: int, to_left: bytes, n_threads: int = 1) -> int:
    """Puts the rows whose code goes left before the others, each side in its order; returns how many go left.
    `spare` is as long as the rows, and written over."""
    left = np.frombuffer(to_left, np.uint8)[codes[rows, feature]] > 0
    rows[:] = np.concatenate([rows[left], rows[~left]])
    return int(left.sum())


def split_leaf(
    documents: tuple[Codes, Quantised],
    division: tuple[Codes, int, bytes],
    rows: tuple[Numbers, Numbers],
    cells: tuple[Cells, Cells, bool],
    known: Known,
    bounds: tuple[Bounds | None, Bounds | None],
    count_bits: int,
    n_threads: int = 1,
) -> tuple[int, Found, Found]:
    """Divides the rows of a leaf; then, unless both bounds are None, finds the best splits of its children.

    `cells`: the leaf's histograms, which become those of its larger child; where the smaller child's are written;
    whether that is the left one. Returns the number of rows that go left, too.
    """
    n_left = divide_rows(division[0], *rows, *division[1:])
    if bounds == (None, None):
        return n_left, NONE, NONE
    held, fresh, left_is_small = cells
    small = rows[0][:n_left] if left_is_small else rows[0][n_left:]
    fresh[:] = leaf_cells(*documents, small, known[0], known[1], count_bits)
    held -= fresh
    found = [
        NONE if within is None else best_split(its_cells, known, within, count_bits)
        for within, its_cells in zip(bounds, (fresh, held) if left_is_small else (held, fresh), strict=True)
    ]
    return n_left, found[0], found[1]


def settle_leaves(
    rows: Numbers,
    begins: Rows,
    ends: Rows,
    gradients: Floats,
    hessians: Floats,
    scales: tuple[float, float],
    leaf_of: Numbers,
    n_threads: int = 1,
) -> Cells:
    """Writes the leaf of every row, leaf l having `rows[begins[l]:ends[l]]`; returns Σ scale · gradient and
    Σ scale · hessian of each leaf, every term rounded to a whole number."""
    sums = np.zeros((len(begins), 2), np.int64)
    for leaf, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        mine = rows[begin:end]
        leaf_of[mine] = leaf
        sums[leaf, 0] = np.rint(gradients[mine] * scales[0]).astype(np.int64).sum()
        sums[leaf, 1] = np.rint(hessians[mine] * scales[1]).astype(np.int64).sum()
    return sums


def code_leaves(
    codes: Codes, features: Rows, to_left: Codes, left: Numbers, right: Numbers, n_threads: int = 1
) -> Numbers:
    """The leaf of every row by its codes: at split s a row goes to left[s] where to_left[s, code of features[s]], else
    to right[s]; ~c is a leaf."""
    at = np.full(len(codes), 0 if len(features) else ~0, np.int32)
    rows = np.flatnonzero(at >= 0)
    while len(rows):
        s = at[rows]
        at[rows] = np.where(to_left[s, codes[rows, features[s]]] > 0, left[s], right[s])
        rows = rows[at[rows] >= 0]
    return ~at


def add_leaves(scores: Floats, leaf_of: npt.NDArray[np.int32], values: Floats, n_threads: int = 1) -> None:
    """scores[row] += values[leaf_of[row]], in place."""
    scores += values[leaf_of]
