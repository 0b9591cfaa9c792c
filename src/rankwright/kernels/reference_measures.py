"""The NumPy twin of `measure_queries`: every measure under every tie policy, in closed form.

Notation: a query's tie groups are ranges [t, t + g) of ranks counted from 0; a strict list is groups of one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


class Ranked(NamedTuple):
    """Labels, best-ranked first, and the tie groups (t, t + g) to average over."""

    labels: Floats
    groups: list[tuple[int, int]]


def measure_queries(
    specs: list[Any], scores: Floats, labels: Labels, qptr: Rows, tiebreak: Rows | None = None, n_threads: int = 1
) -> Floats:
    """Values of all measures on all queries, measures × queries; `specs` as `rankwright.measures.KernelSpec`."""
    out = np.empty((len(specs), len(qptr) - 1))
    for q, (a, b) in enumerate(pairwise(qptr)):
        for row, spec in enumerate(specs):
            broken = tiebreak[a:b] if spec.ties == "docid" and tiebreak is not None else np.zeros(b - a)
            ranked = rank(scores[a:b], labels[a:b].astype(np.float64), broken, spec.ties)
            value = KINDS[spec.kind](spec, ranked) if b > a else None
            out[row, q] = spec.empty if value is None else value
    return out


def measure_columns(
    spec: Any, x: Labels, labels: Labels, qptr: Rows, both: bool, tiebreak: Rows | None = None, n_threads: int = 1
) -> Floats:
    """Values of a measure on all queries under every column of `x` as the score, a missing one counting 0; with
    `both`, then under every column with its sign turned. Columns × queries."""
    columns = np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf).T
    scores = [*columns, *(-columns if both else ())]
    values = [measure_queries([spec], score, labels, qptr, tiebreak) for score in scores]
    return np.concatenate(values) if values else np.empty((0, len(qptr) - 1))


def rank(scores: Floats, labels: Floats, tiebreak: npt.NDArray[Any], ties: str) -> Ranked:
    """Labels by descending score; only `expected` leaves groups of more than one."""
    inside = labels if ties in ("expected", "worst") else tiebreak
    order = np.lexsort((np.arange(len(scores)), inside, -scores))
    ranked = scores[order]
    ends = np.flatnonzero(ranked[1:] != ranked[:-1]) + 1 if ties == "expected" else np.arange(1, len(scores))
    return Ranked(labels[order], list(pairwise([0, *ends.tolist(), len(scores)])))


def gains(spec: Any, labels: Floats) -> Floats:
    if spec.gain == "table":
        return np.asarray(spec.gain_table, dtype=np.float64)[labels.astype(np.int64)]
    return labels if spec.gain == "identity" else np.exp2(labels) - 1.0


def discounts(spec: Any, n: int) -> Floats:
    ranks = np.arange(1, n + 1, dtype=np.float64)
    return 1.0 / np.log2(np.maximum(ranks, 2.0) if spec.discount == "letor" else ranks + 1.0)


def cut(spec: Any, n: int) -> int:
    return min(spec.k or n, n)


def group_means(values: Floats, groups: list[tuple[int, int]]) -> Floats:
    """Every document gets the mean of its tie group: the expectation of a sum of value × f(rank)."""
    return np.concatenate([np.full(b - a, values[a:b].sum() / (b - a)) for a, b in groups])


# -- sums of gains times discounts ------------------------------------------------------------------------------------


def dcg(spec: Any, ranked: Ranked) -> float | None:
    gain, top = gains(spec, ranked.labels), cut(spec, len(ranked.labels))
    if not (gain > 0).any():
        return None
    return float(group_means(gain, ranked.groups)[:top] @ discounts(spec, top))


def ndcg(spec: Any, ranked: Ranked) -> float | None:
    gained = dcg(spec, ranked)
    if gained is None:
        return None
    if spec.short == "zero" and len(ranked.labels) < spec.k:
        return 0.0
    top = cut(spec, len(ranked.labels))
    return gained / float(np.sort(gains(spec, ranked.labels))[::-1][:top] @ discounts(spec, top))


def mean_ndcg(spec: Any, ranked: Ranked) -> float | None:
    gain, discount = gains(spec, ranked.labels), discounts(spec, len(ranked.labels))
    if not (gain > 0).any():
        return None
    reached = np.cumsum(group_means(gain, ranked.groups) * discount)
    return float((reached / np.cumsum(np.sort(gain)[::-1] * discount))[: cut(spec, len(gain))].mean())


# -- relevant documents found -----------------------------------------------------------------------------------------


def average_precision(spec: Any, ranked: Ranked) -> float | None:
    relevant = ranked.labels >= spec.rel
    if not relevant.any():
        return None
    found, total = 0, 0.0
    for t, end in ranked.groups:
        g, r = end - t, int(relevant[t:end].sum())
        i = np.arange(1, min(end, cut(spec, len(relevant))) - t + 1)
        others = (i - 1) * (r - 1) / (g - 1) if g > 1 else 0.0 * i  # relevant ones of the group above, in the mean
        total += float((r / g * (found + 1 + others) / (t + i)).sum())
        found += r
    return total / (min(found, spec.k) if spec.norm == "cut" and spec.k else found)


def found_above(spec: Any, ranked: Ranked) -> tuple[float, int] | None:
    relevant = (ranked.labels >= spec.rel).astype(np.float64)
    if not relevant.any():
        return None
    top = cut(spec, len(relevant))
    found = sum(relevant[a:b].sum() * ((min(b, top) - a) / (b - a)) for a, b in ranked.groups if a < top)
    return float(found), int(relevant.sum())


def precision(spec: Any, ranked: Ranked) -> float | None:
    found = found_above(spec, ranked)
    if found is None:
        return None
    n = len(ranked.labels)
    if spec.short == "zero" and n < spec.k:
        return 0.0
    return found[0] / (cut(spec, n) if spec.short == "cut" else spec.k or n)


def recall(spec: Any, ranked: Ranked) -> float | None:
    found = found_above(spec, ranked)
    return None if found is None else found[0] / found[1]


def reciprocal_rank(spec: Any, ranked: Ranked) -> float | None:
    relevant = ranked.labels >= spec.rel
    if not relevant.any():
        return None
    t, end = next((a, b) for a, b in ranked.groups if relevant[a:b].any())
    g, r = end - t, int(relevant[t:end].sum())
    i = np.arange(1, g - r + 2)
    # P(first relevant at i) = C(g − i, r − 1)/C(g, r) = r/g · Π_{j<i} (g − j − r + 1)/(g − j)
    chance = r / g * np.cumprod(np.concatenate([[1.0], (g - i[:-1] - r + 1) / (g - i[:-1])]))
    return float(np.where(t + i <= cut(spec, len(relevant)), chance / (t + i), 0.0).sum())


def err(spec: Any, ranked: Ranked) -> float | None:
    """In a tie group, P(no stop among its first i) is the mean product of 1 − R over its subsets of i documents."""
    if not (ranked.labels > 0).any():
        return None
    passes = 1.0 - (np.exp2(ranked.labels) - 1.0) / np.exp2(spec.max_label)
    going, total = 1.0, 0.0
    for t, end in ranked.groups:
        none_stopped = mean_products(passes[t:end])
        i = np.arange(1, min(end, cut(spec, len(passes))) - t + 1)
        total += going * float(((none_stopped[i - 1] - none_stopped[i]) / (t + i)).sum())
        going *= float(none_stopped[-1])
    return total


def mean_products(values: Floats) -> Floats:
    """e_i(values)/C(n, i) for i = 0..n, e_i the elementary symmetric polynomial, one value at a time."""
    out = np.zeros(len(values) + 1)
    out[0] = 1.0
    for j, value in enumerate(values, start=1):
        i = np.arange(1, j + 1)
        out[1 : j + 1] = ((j - i) * out[i] + i * value * out[i - 1]) / j
    return out


# -- pairs and sets ---------------------------------------------------------------------------------------------------


def kendall(spec: Any, ranked: Ranked) -> float | None:
    y = ranked.labels
    different = int(np.triu(y[:, None] != y[None, :], 1).sum())
    if not different:
        return None
    group = np.repeat(np.arange(len(ranked.groups)), [b - a for a, b in ranked.groups])
    tied = group[:, None] == group[None, :]
    wrong = np.where(tied, 0.5 * (y[:, None] != y[None, :]), y[:, None] < y[None, :])
    return float(np.triu(wrong, 1).sum()) / different


def auc(spec: Any, ranked: Ranked) -> float | None:
    relevant = ranked.labels >= spec.rel
    pairs = int(relevant.sum()) * int((~relevant).sum())
    if not pairs:
        return None
    right, above = 0.0, 0
    for a, b in ranked.groups:
        r, others = int(relevant[a:b].sum()), int((~relevant[a:b]).sum())
        right += others * (above + r / 2)
        above += r
    return right / pairs


def overlap(spec: Any, ranked: Ranked) -> float | None:
    y = ranked.labels
    if not len(y) or (y == y[0]).all():
        return None
    top = cut(spec, len(y))
    edge = np.sort(y)[::-1][top - 1]
    share = (top - (y > edge).sum()) / (y == edge).sum()
    member = np.where(y > edge, 1.0, np.where(y == edge, share, 0.0))
    return float(group_means(member, ranked.groups)[:top].sum()) / (spec.k or len(y))


KINDS: dict[str, Callable[[Any, Ranked], float | None]] = {
    "dcg": dcg,
    "ndcg": ndcg,
    "mean_ndcg": mean_ndcg,
    "ap": average_precision,
    "precision": precision,
    "recall": recall,
    "rr": reciprocal_rank,
    "err": err,
    "kendall": kendall,
    "auc": auc,
    "overlap": overlap,
}
