"""Fusion without judgements: reciprocal ranks and equal weights, the lines every learnt weight must beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rankwright.combination.normalise import Floats, Normalisation, Offsets, normalised, ranks_from
from rankwright.errors import InputError


def reciprocal_rank_fusion(scores: Sequence[npt.ArrayLike], qptr: Offsets, k: float = 60.0) -> Floats:
    """RRF (Cormack, Clarke & Büttcher 2009): Σ over rankers of 1/(k + rank); equal scores share their mean rank."""
    columns = _columns(scores)
    return np.asarray(sum(1.0 / (k + ranks_from(-column, qptr)) for column in columns))


def equal_weights(scores: Sequence[npt.ArrayLike], qptr: Offsets, how: Normalisation = "minmax") -> Floats:
    """The mean of the rankers' normalised scores."""
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
