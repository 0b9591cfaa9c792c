"""Scores of different rankers made comparable, query by query."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from rankwright.data.grouping import rows_of_groups
from rankwright.errors import unknown

Floats = npt.NDArray[np.float64]
Offsets = npt.NDArray[np.int64]
Normalisation = Literal["none", "minmax", "z", "ranks"]


def normalised(scores: npt.ArrayLike, qptr: Offsets, how: Normalisation = "minmax") -> Floats:
    """Scores of every query on one scale; the order inside a query stays.

    Parameters
    ----------
    scores : one per document, queries together; NaN for a document that the ranker did not return. It takes no part
        in the scale and gets the lowest of the query's normalised scores (of all, where its query has none), or 1 less
        where these are all equal and it would be level with them.
    qptr : query offsets.
    how : ``minmax``: (s − min)/(max − min), in [0, 1]; ``z``: (s − mean)/standard deviation; ``ranks``: the share of
        the other documents below, ties half, in [0, 1]; ``none``. Where all scores of a query are equal, 0 (for
        ranks ½).
    """
    values = np.asarray(scores, dtype=np.float64)
    if how not in get_args(Normalisation):
        raise unknown("how", how, get_args(Normalisation))
    found = ~np.isnan(values)
    if not found.all():
        return _with_the_others_last(values, found, qptr, how)
    if how == "none" or not len(values):
        return values
    if how == "ranks":
        below = ranks_from(-values, qptr) - 1.0
        others = np.repeat(np.diff(qptr), np.diff(qptr)) - 1.0
        return np.asarray(1.0 - np.divide(below, others, out=np.full(len(values), 0.5), where=others > 0))
    query = rows_of_groups(qptr)
    first = qptr[:-1][np.diff(qptr) > 0]
    low, high = (np.repeat(edge.reduceat(values, first), np.diff(np.append(first, len(values)))) for edge in _EDGES)
    with np.errstate(over="ignore", under="ignore"):
        unit = np.divide(values / 2 - low / 2, high / 2 - low / 2, out=np.zeros(len(values)), where=high > low)
    if how == "minmax":
        return unit
    size, n_queries = np.diff(qptr)[query], len(qptr) - 1
    centred = unit - np.bincount(query, unit, n_queries)[query] / size  # z of scores is z of their min–max
    deviation = np.sqrt(np.bincount(query, centred**2, n_queries)[query] / size)
    return np.divide(centred, deviation, out=np.zeros(len(values)), where=high > low)


def _with_the_others_last(values: Floats, found: npt.NDArray[np.bool_], qptr: Offsets, how: Normalisation) -> Floats:
    """What was found, normalised, and everything else as low as the lowest of it."""
    among_found = np.concatenate([[0], np.cumsum(found)])[qptr]
    made = normalised(values[found], among_found, how)
    lowest = np.full(len(qptr) - 1, made.min(initial=np.inf) if len(made) else 0.0)
    some = np.diff(among_found) > 0
    if some.any():
        low, high = (edge.reduceat(made, among_found[:-1][some]) for edge in _EDGES)
        lowest[some] = low - ((low == high) & (how != "none"))
    out = lowest[rows_of_groups(qptr)]
    out[found] = made
    return out


_EDGES = (np.minimum, np.maximum)


def ranks_from(keys: Floats, qptr: Offsets) -> Floats:
    """Rank of every document of a query, 1 for the smallest key; equal keys share their mean rank."""
    query = rows_of_groups(qptr)
    order = np.lexsort((keys, query))
    new = np.ones(len(keys), dtype=bool)
    new[1:] = (np.diff(keys[order]) != 0) | (np.diff(query[order]) != 0)
    group = np.cumsum(new) - 1
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(keys))
    out = np.empty(len(keys))
    out[order] = ((starts + 1 + ends) / 2.0)[group] - qptr[:-1][query[order]]
    return out
