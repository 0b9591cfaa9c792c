"""Features made comparable between queries: each scaled within its own query, as the LETOR collections do it."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data.dataset import Dataset
from rankwright.errors import InputError, unknown

Floats = npt.NDArray[np.float64]
How = Literal["minmax", "z", "rank"]


def scale_queries(data: Dataset, how: How = "minmax") -> Dataset:
    """The same data with every feature scaled within each query.

    Parameters
    ----------
    data : dense data; sparse data is refused, since absent entries would not stay 0.
    how : ``"minmax"``: (x − min)/(max − min), from 0 to 1. ``"z"``: (x − mean)/standard deviation.
        ``"rank"``: the share of the query's other documents below x, ties counting one half.

    Notes
    -----
    A feature that is constant in a query becomes 0 there; missing values stay missing and do not count. A model
    trained on scaled data must be given scaled data.

    Examples
    --------
    >>> import rankwright as rw
    >>> from rankwright.data.scaling import scale_queries
    >>> scale_queries(rw.Dataset([[10.0], [30.0], [20.0], [7.0]], qid=[1, 1, 1, 2])).X[:, 0].tolist()
    [0.0, 1.0, 0.5, 0.0]
    """
    if data.is_sparse:
        raise InputError(
            "data must be dense to be scaled by query. Got a sparse X. Use data.with_features(data.X.toarray())."
        )
    if how not in _HOW:
        raise unknown("how", how, _HOW)
    if data.n_docs == 0 or data.n_features == 0:
        return data
    scaled = np.empty_like(data.X)
    for k in range(data.n_features):  # a column at a time: no second copy in float64
        scaled[:, k] = _HOW[how](data.X[:, k].astype(np.float64), data)
    return data.with_features(scaled, data.feature_names)


def _minmax(x: Floats, data: Dataset) -> Floats:
    low, high = (f.reduceat(x, data.qptr[:-1]) for f in (np.fmin, np.fmax))
    return _quotient(x - _each(low, data), _each(high - low, data))


def _z(x: Floats, data: Dataset) -> Floats:
    present = ~np.isnan(x)
    n = np.maximum(_sums(present.astype(np.float64), data), 1.0)
    deviation = x - _each(_sums(np.where(present, x, 0.0), data) / n, data)
    constant = np.fmin.reduceat(x, data.qptr[:-1]) == np.fmax.reduceat(x, data.qptr[:-1])
    variance = _sums(np.where(present, deviation**2, 0.0), data) / n
    return _quotient(deviation, _each(np.where(constant, 0.0, np.sqrt(variance)), data))


def _rank(x: Floats, data: Dataset) -> Floats:
    column = np.ascontiguousarray(x, dtype=np.float32)[:, None]
    missing = np.isnan(x)
    n_missing = _each(_sums(missing.astype(np.float64), data), data)
    below = kernels.mean_positions(column, data.qptr, 1)[0] - n_missing / 2.0
    others = _each(data.group_sizes.astype(np.float64), data) - n_missing - 1.0
    constant = np.fmin.reduceat(x, data.qptr[:-1]) == np.fmax.reduceat(x, data.qptr[:-1])
    return _quotient(np.where(missing, np.nan, below), np.where(_each(constant, data), 0.0, others))


_HOW: dict[str, Any] = {"minmax": _minmax, "z": _z, "rank": _rank}


def _sums(x: Floats, data: Dataset) -> Floats:
    sums: Floats = np.add.reduceat(x, data.qptr[:-1])
    return sums


def _each(per_query: npt.NDArray[Any], data: Dataset) -> npt.NDArray[Any]:
    """A query's value for each of its documents."""
    return np.repeat(per_query, data.group_sizes)


def _quotient(above: Floats, below: Floats) -> Floats:
    """above / below; 0 where below is 0 (a constant feature), NaN where above is (a missing value)."""
    return np.divide(above, below, out=np.where(np.isnan(above), np.nan, 0.0), where=below > 0)
