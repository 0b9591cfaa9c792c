"""Artificial data: documents labelled by a random cubic polynomial.   Burges et al. ICML 2005; Wu et al. 2009

symbol     here          meaning
x          X             features of a document, uniform in [−1, 1]^K
f(x)       Cubic         Σ a_i x_i + Σ b_ij x_i x_j (i ≤ j) + Σ c_ijk x_i x_j x_k (i ≤ j ≤ k), normal coefficients,
                         each of the three sums scaled to variance 1
θ          shift · π/2   angle between the coefficients of a related domain and these
c          tilt          documents of a tilted domain have density ∝ exp(c · x), c = tilt · a random direction
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from rankwright import kernels
from rankwright.data.dataset import Dataset
from rankwright.data.splits import Fold
from rankwright.errors import InputError

Floats = npt.NDArray[np.float64]
Rng = int | np.random.Generator

WEB_LIKE = (0.52, 0.32, 0.13, 0.02, 0.01)  # close to the shares of labels 0..4 in MSLR-WEB
REFERENCE = 20_000  # documents of the domain that decide where the target is cut into labels
BLOCK = 512  # documents whose products x_i x_j stay near the processor
CHUNK = 64 * BLOCK  # documents that one thread takes
STRIP = 10  # features k whose cubic terms are one matrix product


def artificial(
    n_queries: int = 1000,
    *,
    docs_per_query: int = 50,
    n_features: int = 50,
    rng: Rng = 0,
    shift: float = 0.0,
    tilt: float = 0.0,
    noise: float = 0.0,
    labels: Literal["grades", "order"] = "grades",
    label_shares: Sequence[float] = WEB_LIKE,
    sample: int = 0,
) -> Dataset:
    """Judged documents whose true relevance is a random cubic polynomial of their features.

    The seed decides the polynomial, so ``artificial(rng=0, sample=1)`` is other data of the same kind, and
    ``artificial(rng=0, shift=0.3)`` is data of a related kind, to adapt to. Documents, labels and order are the
    same bits for the same arguments.

    Parameters
    ----------
    n_queries : the number of queries.
    docs_per_query : the number of documents of each.
    n_features : the number of features, K.
    rng : a seed; or a generator, which draws one.
    shift : how far the domain lies from that of `shift` 0. The coefficients are turned by an angle of
        ``shift · 90°`` towards others drawn independently (at 1 the targets have nothing in common), and feature k
        is uniform in [−1, 1] + shift · δ_k, with δ_k uniform in [−½, ½].
    tilt : documents crowd in one direction: their density is ∝ exp(tilt · u·x), u being a random unit vector. What is
        relevant stays the same function of the features, cut at the same values: a covariate shift, whose exact
        importance weights are log-linear.
    noise : the standard deviation of the noise added to the target before it is cut; each order of the
        polynomial has variance 1.
    labels : "grades": 0, 1, ..., by cutting the target of this domain at quantiles; "order": the number of documents
        of the query that lie below, a full order.
    label_shares : for grades, the share of each in the domain. By default a web-like (.52, .32, .13, .02, .01).
    sample : which sample of the domain; samples share the target and the cuts, and are independent.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.artificial(n_queries=20, n_features=10)
    Dataset(20 queries, 1000 documents, 10 dense features)
    """
    shares = _checked(n_queries, docs_per_query, n_features, shift, tilt, noise, labels, label_shares, sample)
    seed = int(rng.integers(2**63)) if isinstance(rng, np.random.Generator) else int(rng)
    domain = Domain.draw(n_features, shift, seed, tilt)
    drawn = np.random.default_rng([seed, 2, sample])
    X = domain.documents(n_queries * docs_per_query, drawn)
    target = domain.target(X) + noise * drawn.standard_normal(len(X))
    if labels == "order":
        y = target.reshape(n_queries, docs_per_query).argsort(axis=1).argsort(axis=1).ravel()
    else:
        reference = np.random.default_rng([seed, 3])
        known = replace(domain, tilt=None).documents(REFERENCE, reference)
        values = domain.target(known) + noise * reference.standard_normal(REFERENCE)
        y = np.searchsorted(np.quantile(values, np.cumsum(shares)[:-1]), target, side="right")
    return Dataset(X, y.astype(np.float32), qid=np.repeat(np.arange(1, n_queries + 1), docs_per_query))


def artificial_fold(
    n_queries: tuple[int, int, int] = (10_000, 5_000, 10_000),
    *,
    docs_per_query: int = 50,
    n_features: int = 50,
    rng: Rng = 0,
    shift: float = 0.0,
    tilt: float = 0.0,
    noise: float = 0.0,
    labels: Literal["grades", "order"] = "grades",
    label_shares: Sequence[float] = WEB_LIKE,
) -> Fold:
    """Training, validation and test data with one target function; query ids are distinct over the three.

    Parameters
    ----------
    n_queries : the queries of each; the LambdaSMART paper's sizes by default.
    docs_per_query, n_features, rng, shift, tilt, noise, labels, label_shares : as in :func:`artificial`.
    """
    if isinstance(rng, np.random.Generator):
        rng = int(rng.integers(2**63))
    parts, first = [], 0
    for sample, n in enumerate(n_queries):
        part = artificial(
            n,
            docs_per_query=docs_per_query,
            n_features=n_features,
            rng=rng,
            shift=shift,
            tilt=tilt,
            noise=noise,
            labels=labels,
            label_shares=label_shares,
            sample=sample,
        )
        parts.append(part.replace(query_ids=part.query_ids + first))
        first += n
    return Fold(*parts)


@dataclass(frozen=True)
class Cubic:
    """A cubic polynomial: `linear` a_i; `quadratic` b_ij by pairs (i ≤ j), j outermost; `cubic` c_ijk, pairs × k."""

    linear: Floats
    quadratic: Floats
    cubic: Floats

    @classmethod
    def draw(cls, n_features: int, rng: np.random.Generator) -> Cubic:
        i, j = pairs(n_features)
        drawn = cls(*(rng.standard_normal(shape) for shape in (n_features, len(i), (len(i), n_features))))
        return cls(drawn.linear, drawn.quadratic, np.where(j[:, None] <= np.arange(n_features), drawn.cubic, 0.0))

    def scaled(self) -> Cubic:
        """Each sum divided by its standard deviation under uniform features."""
        sums = (self.linear, self.quadratic, self.cubic)
        return Cubic(*(c / np.sqrt(v) for c, v in zip(sums, self.variances(), strict=True)))

    def turned(self, other: Cubic, angle: float) -> Cubic:
        """cos θ · these coefficients + sin θ · the others."""
        mine, others = np.cos(angle), np.sin(angle)
        return Cubic(
            mine * self.linear + others * other.linear,
            mine * self.quadratic + others * other.quadratic,
            mine * self.cubic + others * other.cubic,
        ).scaled()

    def variances(self) -> Floats:
        """Of the three sums, for x uniform in [−1, 1]^K: E x² = 1/3, Var x² = 4/45, E x⁴ = 1/5, E x⁶ = 1/7."""
        i, j = pairs(len(self.linear))
        square, b, c = i == j, self.quadratic, self.cubic
        linear = (self.linear**2).sum() / 3
        quadratic = (b[square] ** 2).sum() * 4 / 45 + (b[~square] ** 2).sum() / 9
        # s[k, i]: coefficient of x_k x_i². Terms that share x_k are correlated, all others are not.
        s = c[square].T.copy()
        s[i[~square], j[~square]] = c[~square, j[~square]]
        distinct = ((c**2).sum() - (s**2).sum()) / 27
        own = s.diagonal().copy()
        np.fill_diagonal(s, 0.0)
        mean, var = s.sum(axis=1) / 3, (s**2).sum(axis=1) * 4 / 45
        shared = own**2 / 7 + 2 * own * mean / 5 + (var + mean**2) / 3
        return np.array([linear, quadratic, distinct + shared.sum()])

    def __call__(self, X: npt.NDArray[np.float32]) -> Floats:
        """The polynomial of every row: the same bits for any number of threads."""
        out = np.empty(len(X))
        chunks = [slice(first, first + CHUNK) for first in range(0, len(X), CHUNK)]
        # One BLAS thread in each of ours: products this small lose more to its threads' waiting than they win.
        with threadpool_limits(1, "blas"), ThreadPoolExecutor(kernels.default_threads()) as threads:
            list(threads.map(lambda chunk: self._of_rows(X[chunk], out[chunk]), chunks))
        return out

    def _of_rows(self, X: npt.NDArray[np.float32], out: Floats) -> None:
        """Matrix products over blocks of rows: the cubic sum is Σ_k (Σ_{i≤j≤k} c_ijk x_i x_j) x_k."""
        K = X.shape[1]
        strips = [(k, min(k + STRIP, K)) for k in range(0, K, STRIP)]
        weights = [np.ascontiguousarray(self.cubic[: _n_pairs(end), start:end].T) for start, end in strips]
        products = np.empty((_n_pairs(K), BLOCK))
        for first in range(0, len(X), BLOCK):
            x = np.ascontiguousarray(X[first : first + BLOCK].T, dtype=np.float64)
            xx = products[:, : x.shape[1]]
            for j in range(K):
                np.multiply(x[: j + 1], x[j], out=xx[_n_pairs(j) : _n_pairs(j + 1)])
            value = self.linear @ x + self.quadratic @ xx
            for (start, end), weight in zip(strips, weights, strict=True):
                value += ((weight @ xx[: _n_pairs(end)]) * x[start:end]).sum(axis=0)
            out[first : first + BLOCK] = value


def _n_pairs(n: int) -> int:
    return n * (n + 1) // 2


def pairs(n_features: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """All i ≤ j, j outermost: the pairs below k come first, whatever k."""
    j, i = np.tril_indices(n_features)
    return i, j


@dataclass(frozen=True)
class Domain:
    """Where documents come from, and what makes them relevant."""

    target: Cubic
    offset: npt.NDArray[np.float32]
    tilt: Floats | None = None

    @classmethod
    def draw(cls, n_features: int, shift: float, seed: int, tilt: float = 0.0) -> Domain:
        target = Cubic.draw(n_features, np.random.default_rng([seed, 0])).scaled()
        offset = np.zeros(n_features, np.float32)
        if shift:
            other = np.random.default_rng([seed, 1])
            target = target.turned(Cubic.draw(n_features, other).scaled(), shift * np.pi / 2)
            offset = (shift * other.uniform(-0.5, 0.5, n_features)).astype(np.float32)
        c = np.random.default_rng([seed, 4]).standard_normal(n_features)
        return cls(target, offset, tilt * c / np.linalg.norm(c) if tilt else None)

    def documents(self, n: int, rng: np.random.Generator) -> npt.NDArray[np.float32]:
        X = rng.random((n, len(self.offset)), dtype=np.float32)
        if self.tilt is None:
            X *= 2
        else:  # the inverse of the distribution function (e^{cx} − e^{−c}) / (e^c − e^{−c}), plus 1
            X = (np.log1p(X * np.expm1(2 * self.tilt)) / self.tilt).astype(np.float32)
        X += self.offset - 1
        return X


def _checked(
    n_queries: int,
    docs_per_query: int,
    n_features: int,
    shift: float,
    tilt: float,
    noise: float,
    labels: str,
    label_shares: Sequence[float],
    sample: int,
) -> Floats:
    wholes = {"n_queries": n_queries, "docs_per_query": docs_per_query, "n_features": n_features, "sample": sample + 1}
    for name, value in wholes.items():
        if value < 1:
            raise InputError(f"{name} must be positive. Got {value - (name == 'sample')}. Pass a larger number.")
    if not 0 <= shift <= 1:
        raise InputError(f"shift must be in 0..1. Got {shift}. 0 is the same domain, 1 an unrelated one.")
    if not abs(tilt) <= 100:
        raise InputError(f"tilt must be in −100..100. Got {tilt}. 0 is the same domain, 3 a related one.")
    if not 0 <= noise < np.inf:
        raise InputError(f"noise must be a standard deviation of at least 0. Got {noise}. Use 0 for none.")
    if labels not in ("grades", "order"):
        raise InputError(f"labels must be grades or order. Got {labels!r}. Choose one.")
    shares = np.asarray(label_shares, dtype=np.float64)
    if shares.ndim != 1 or len(shares) < 2 or not (shares > 0).all() or abs(shares.sum() - 1) > 1e-6:
        raise InputError(f"label_shares must be two or more positive numbers that add up to 1. Got {label_shares}.")
    return shares
