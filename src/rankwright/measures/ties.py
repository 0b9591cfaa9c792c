"""What equal scores are worth, for measures known only by their definition on a ranked list."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError

EXACT_ORDERS = 5_000  # up to this many different label orders are enumerated
SAMPLED_ORDERS = 1_000  # beyond it, so many seeded random orders are averaged

Labels = npt.NDArray[Any]


def descending_ids(doc_ids: npt.ArrayLike | None, n_docs: int) -> npt.NDArray[np.int64]:
    """A key per row that ascends where the document id descends, compared as text (trec_eval's rule)."""
    if doc_ids is None:
        raise InputError(
            "ties='docid' needs document ids. Got none. "
            "Give the data doc_ids, or use ties='expected', 'worst' or 'input'."
        )
    ids = np.asarray(doc_ids).astype(str)
    if len(ids) != n_docs:
        raise InputError(f"doc_ids must be one per row. Got {len(ids)} for {n_docs} rows.")
    _, place = np.unique(ids, return_inverse=True)
    return -place.astype(np.int64)


def value(of_ranking: Callable[[Labels], float], labels: Labels, scores: Labels, ties: str) -> float:
    """A definition applied to labels ordered by descending score, tied documents as the policy says."""
    starts = np.flatnonzero(np.concatenate([[True], scores[1:] != scores[:-1]]))
    if ties in ("input", "docid") or len(starts) == len(labels):
        return float(of_ranking(labels))
    groups = np.split(labels, starts[1:])
    if ties == "worst":
        return float(of_ranking(np.concatenate([np.sort(g) for g in groups])))
    if math.prod(map(_n_orders, groups)) <= EXACT_ORDERS:
        return _weighted_mean(of_ranking, groups)
    rng = np.random.default_rng(0)
    groups = [np.sort(g) for g in groups]  # so that the order of the rows cannot matter
    return (
        math.fsum(of_ranking(np.concatenate([rng.permutation(g) for g in groups])) for _ in range(SAMPLED_ORDERS))
        / SAMPLED_ORDERS
    )


def _n_orders(group: Labels) -> int:
    _, counts = np.unique(group, return_counts=True)
    return math.factorial(len(group)) // math.prod(math.factorial(int(c)) for c in counts)


def _weighted_mean(of_ranking: Callable[[Labels], float], groups: list[Labels]) -> float:
    orders = [list(_different_orders(np.sort(g).tolist())) for g in groups]
    values = [of_ranking(np.array([y for part in choice for y in part])) for choice in product(*orders)]
    return math.fsum(values) / len(values)


def _different_orders(pool: list[float]) -> Iterator[list[float]]:
    """Every distinct order of a sorted pool; all are equally likely."""
    if not pool:
        yield []
    for i, first in enumerate(pool):
        if i == 0 or first != pool[i - 1]:
            for rest in _different_orders(pool[:i] + pool[i + 1 :]):
                yield [first, *rest]
