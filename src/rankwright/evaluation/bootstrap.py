"""Confidence intervals of means over queries, by resampling the queries.

BCa (Efron 1987), not the percentile interval: values of AP, RR and nDCG are bounded and skewed, and with 50 to 500
queries that moves the percentile interval off centre by O(1/m). BCa corrects for bias and skewness, its error is
O(1/m), and for a mean its one extra need, the jackknife, is a closed form that costs nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def bca_intervals(
    values: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> tuple[Floats, Floats]:
    """Lower and upper ends for the mean of each column.

    Parameters
    ----------
    values : queries × columns; NaN where a query is left out of a column.
    weights : one per query; None for equal ones.
    confidence : the share of such intervals that hold the true mean.
    n_resamples : bootstrap samples of the queries; the same ones for every column.
    rng : seed or generator.

    Returns
    -------
    low, high : NaN for a column with fewer than two queries, of which nothing can be known.
    """
    v = np.asarray(values, dtype=np.float64)
    w = np.ones(len(v)) if weights is None else np.asarray(weights, dtype=np.float64)
    W = np.where(np.isnan(v), 0.0, w[:, None])
    V = np.nan_to_num(v)
    low, high = np.full(v.shape[1], np.nan), np.full(v.shape[1], np.nan)
    known = np.flatnonzero((W > 0).sum(axis=0) >= 2)
    if len(known) == 0:
        return low, high
    W, V = W[:, known], V[:, known]
    means = resampled_means(V, W, n_resamples, np.random.default_rng(rng))
    for j, column in enumerate(known):
        low[column], high[column] = _bca(V[:, j], W[:, j], means[:, j], confidence)
    return low, high


def resampled_means(V: Floats, W: Floats, n_resamples: int, rng: np.random.Generator) -> Floats:
    """Weighted means over queries drawn with replacement, resamples × columns; NaN where only zero weights came."""
    m = len(V)
    alike = bool((W[:, :1] == W).all())  # no gaps: one sum of weights serves all columns
    summed = np.concatenate([V * W, W[:, :1] if alike else W], axis=1)
    out = np.empty((n_resamples, V.shape[1]))
    chunk = max(64, (1 << 20) // m)
    for start in range(0, n_resamples, chunk):
        sums = _times_drawn(min(chunk, n_resamples - start), m, rng) @ summed
        total, weight = np.hsplit(sums, [V.shape[1]])
        weight = np.broadcast_to(weight, total.shape)
        part = out[start : start + len(sums)]
        part[:] = np.nan
        np.divide(total, weight, out=part, where=weight > 0)
    return out


def _times_drawn(n_resamples: int, m: int, rng: np.random.Generator) -> Floats:
    """How often each of m queries comes in m draws with replacement, resamples × queries."""
    drawn = rng.integers(0, m, (n_resamples, m)) + (np.arange(n_resamples) * m)[:, None]
    return np.bincount(drawn.ravel(), minlength=n_resamples * m).reshape(n_resamples, m).astype(np.float64)


def _bca(v: Floats, w: Floats, means: Floats, confidence: float) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    v, w, means = v[w > 0], w[w > 0], means[~np.isnan(means)]
    mean = float(v @ w / w.sum())
    if np.ptp(v) == 0:
        return mean, mean
    near = 1e-12 * max(float(np.abs(v).max()), 1e-300)  # resampled means are summed in another order
    below = float(np.mean(means < mean - near)) + 0.5 * float(np.mean(np.abs(means - mean) <= near))
    margin = 0.5 / len(means)
    bias = ndtri(min(max(below, margin), 1 - margin))
    left_out = (v @ w - v * w) / (w.sum() - w)  # the jackknife: each query left out in turn
    t = left_out.mean() - left_out
    acceleration = float((t**3).sum()) / (6.0 * float((t**2).sum()) ** 1.5)
    z = bias + np.array([-1.0, 1.0]) * ndtri(0.5 + confidence / 2)
    low, high = np.quantile(means, ndtr(bias + z / (1.0 - acceleration * z)))
    return float(low), float(high)
