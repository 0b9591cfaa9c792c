"""Is the mean difference of two rankings, query by query, more than chance? Pure functions of the differences.

    paired t         differences are about normal in the mean; fast, good with many queries
    Wilcoxon         only the order of the sizes of the differences counts; robust to a few wild queries
    randomisation    if the systems were equal, each difference could as well have had the other sign: no assumption
                     on their distribution, and a test of the mean itself; the one to trust (Smucker et al. 2007)

All are two-sided. Without any difference, or with one query only, there is no evidence, and p = 1.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

EXACT_SIGNS = 20  # up to this many differences all 2^n sign vectors are tried
EXACT_RANKS = 50  # up to this many the signed-rank distribution is counted, not approximated
RELATIVE = 1e-10  # sums that differ by less than this share are equal: they were added in another order


def paired_t(differences: npt.ArrayLike) -> float:
    """p of Student's t-test that the mean difference is 0."""
    from scipy.special import stdtr

    d = np.asarray(differences, dtype=np.float64)
    n = len(d)
    if n < 2 or not d.any():
        return 1.0
    mean, sd = float(d.mean()), float(d.std(ddof=1))
    if sd <= abs(mean) * 1e-15:
        return 0.0  # the same difference on every query: t is infinite
    return float(2.0 * stdtr(n - 1, -abs(mean) / (sd / math.sqrt(n))))


def wilcoxon(differences: npt.ArrayLike) -> float:
    """p of Wilcoxon's signed-rank test that the differences lie symmetrically about 0.

    Queries without a difference are dropped (Wilcoxon's own rule); equal sizes share their mean rank. Up to 50
    queries the distribution is exact, ties included; beyond, normal with the variance corrected for ties.
    """
    from scipy.special import ndtr

    d = np.asarray(differences, dtype=np.float64)
    d = d[d != 0]
    n = len(d)
    if n == 0:
        return 1.0
    doubled = doubled_ranks(np.abs(d))
    w = int(doubled[d > 0].sum())
    total = n * (n + 1)  # of the doubled ranks
    if n <= EXACT_RANKS:
        ways = _subset_sums(doubled.tolist(), total)
        tail = ways[: min(w, total - w) + 1].sum()
        return float(min(1.0, 2.0 * tail))
    _, tied = np.unique(doubled, return_counts=True)
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((tied.astype(np.float64) ** 3 - tied).sum()) / 48
    return float(2.0 * ndtr(-abs(w / 2 - total / 4) / math.sqrt(variance)))


def doubled_ranks(sizes: Floats) -> npt.NDArray[np.int64]:
    """Twice the rank of each value from 1, equal values sharing their mean rank; whole numbers."""
    _, group, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (2 * last - counts + 1)[group].astype(np.int64)


def _subset_sums(parts: list[int], total: int) -> Floats:
    """The probability of each sum 0..total, when every part is taken or left with equal chance."""
    ways = np.zeros(total + 1)
    ways[0] = 1.0
    for part in parts:
        ways[part:] += ways[: total + 1 - part].copy()
        ways /= 2.0
    return ways


def randomisation(differences: npt.ArrayLike, n_resamples: int = 10_000, rng: int | np.random.Generator = 0) -> Floats:
    """p of the paired randomisation test that the mean difference is 0, for each column of differences.

    p = P(|Σ ±d_q| ≥ |Σ d_q|) over the signs. Up to 20 differences that are not 0, over all signs; beyond, over
    `n_resamples` random ones, the observed one counted among them, so that p is never 0 and the test never lies.

    Parameters
    ----------
    differences : queries × comparisons, or one comparison; a 0 says nothing for or against.
    n_resamples : random sign vectors; the same ones for every comparison.
    rng : seed or generator.
    """
    d = np.asarray(differences, dtype=np.float64)
    columns = d[:, None] if d.ndim == 1 else d
    p = np.ones(columns.shape[1])
    exact = np.count_nonzero(columns, axis=0) <= EXACT_SIGNS
    for j in np.flatnonzero(exact):
        p[j] = _every_sign(columns[columns[:, j] != 0, j])
    if not exact.all():
        p[~exact] = _random_signs(columns[:, ~exact], n_resamples, np.random.default_rng(rng))
    return p


def _every_sign(d: Floats) -> float:
    if len(d) == 0:
        return 1.0
    sums = d[:1]  # the first sign is fixed: turning all signs gives the same size
    for x in d[1:]:
        sums = np.concatenate([sums + x, sums - x])
    return float(np.mean(np.abs(sums) >= abs(d.sum()) - RELATIVE * np.abs(d).sum()))


def _random_signs(d: Floats, n_resamples: int, rng: np.random.Generator) -> Floats:
    n = len(d)
    sums = d.sum(axis=0)
    least = np.abs(sums) - RELATIVE * np.abs(d).sum(axis=0)
    reached = np.zeros(d.shape[1])
    chunk = max(1, (1 << 21) // n)
    for start in range(0, n_resamples, chunk):
        rows = min(chunk, n_resamples - start)
        flips = np.unpackbits(rng.integers(0, 256, (rows, -(-n // 8)), dtype=np.uint8), axis=1, count=n)
        reached += (np.abs(2.0 * (flips.astype(np.float64) @ d) - sums) >= least).sum(axis=0)
    return np.asarray((1.0 + reached) / (1.0 + n_resamples))


def holm(p: npt.ArrayLike) -> Floats:
    """p-values corrected so that the chance of any false alarm among them stays below the level (Holm 1979)."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    out = np.empty_like(values)
    out[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return out


def effect_size(differences: npt.ArrayLike) -> float:
    """Cohen's d of paired samples: the mean difference in standard deviations of the differences; 0 without any."""
    d = np.asarray(differences, dtype=np.float64)
    if len(d) < 2 or not d.any():
        return 0.0
    sd = float(d.std(ddof=1))
    mean = float(d.mean())
    return mean / sd if sd > abs(mean) * 1e-15 else math.copysign(math.inf, mean)
