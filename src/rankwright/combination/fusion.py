"""Fusion without judgements: reciprocal ranks and equal weights, the lines every learnt weight must beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rankwright.combination.normalise import Floats, Normalisation, Offsets, normalised, ranks_from
from rankwright.errors import InputError


def reciprocal_rank_fusion(scores: Sequence[npt.ArrayLike], qptr: Offsets, k: float = 60.0) -> Floats:
    """RRF (Cormack, Clarke & Büttcher 2009): Σ over rankers of 1/(k + rank); equal scores share their mean rank.

    Parameters
    ----------
    scores : of each ranker, one per document, queries together; NaN for documents it did not return: they get
        nothing from it.
    qptr : query offsets.
    k : what is added to ranks.
    """
    return np.asarray(sum(_reciprocal_ranks(column, qptr, k) for column in _columns(scores)))


def _reciprocal_ranks(column: Floats, qptr: Offsets, k: float) -> Floats:
    found = ~np.isnan(column)
    out = np.zeros(len(column))
    out[found] = 1.0 / (k + ranks_from(-column[found], np.concatenate([[0], np.cumsum(found)])[qptr]))
    return out


def equal_weights(scores: Sequence[npt.ArrayLike], qptr: Offsets, how: Normalisation = "minmax") -> Floats:
    """The mean of the rankers' normalised scores; see :func:`normalised`."""
    columns = _columns(scores)
    return np.asarray(sum(normalised(column, qptr, how) for column in columns)) / len(columns)


def _columns(scores: Sequence[npt.ArrayLike]) -> list[Floats]:
    columns = [np.asarray(column, dtype=np.float64) for column in scores]
    if not columns or len({column.shape for column in columns}) != 1:
        raise InputError(
            f"every ranker must score the same documents. Got scores of shapes {[c.shape for c in columns]}. "
            "Pass one score per document for each."
        )
    return columns
