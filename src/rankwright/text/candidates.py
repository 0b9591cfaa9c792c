"""Which documents of a collection are ranked for a query: the best of every retrieval function, joined."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]


def best_of_rows(scores: npt.NDArray[Any], matched: Bools, n: int) -> Bools:
    """Per query, the `n` matched documents with the highest scores; equal scores in the documents' order.

    Parameters
    ----------
    scores : queries × documents.
    matched : the documents that share a term with the query; others are never found, as in any index.
    n : how many.
    """
    out = matched.copy()
    many = np.flatnonzero(np.count_nonzero(matched, axis=1) > n)
    found = np.where(matched[many], scores[many], -np.inf)
    last = np.partition(found, -n, axis=1)[:, [-n]] if len(many) else found[:, :1]  # the n-th best
    above = found > last
    level = (found == last) & matched[many]
    room = n - np.count_nonzero(above, axis=1)[:, None]
    out[many] = above | (level & (np.cumsum(level, axis=1) <= room))
    return np.asarray(out)
