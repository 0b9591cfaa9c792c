"""What each document is worth at each place: a measure in the form the line search follows.

Along the line s = a + αb only lines that cross change places, and for every built-in measure the value of a ranking
is a sum over its documents of a worth that depends only on the *set* of documents above: how many, how many of them
relevant, the chance of reading past them. See the kernel's twin, `rankwright.kernels.reference_sweep`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data.grouping import rows_of_groups
from rankwright.measures import KernelSpec, Measure
from rankwright.measures.base import Floats, Labels, Offsets
from rankwright.measures.dcg import discounts, gains

EVERY_RANK = 2**62
_BITS = 58  # of a query's value; the rest of 64 is room for passing sums


class Worth(NamedTuple):
    """The kernels' `worth`: kind, per-document value, per-query scale and offset, discounts, depth, units in 1."""

    kind: str
    value: Floats
    scale: Floats
    offset: Floats
    discount: Floats
    by_row: bool
    depth: int
    unit: float


class _Parts(NamedTuple):
    """A worth before weights and policies: `empty` queries have nothing to find; `fixed` is added to all others."""

    kind: str
    value: Floats
    scale: Floats
    empty: npt.NDArray[np.bool_]
    discount: Floats = np.empty(0)
    by_row: bool = False
    fixed: float = 0.0


def worth_of(m: Measure, y: Labels, qptr: Offsets, weight: Floats) -> Worth | None:
    """The worth of documents under a bound measure, larger being better; None when it is known by definition only.

    Queries with nothing to find have the scale 0 and the measure's own value for them; skipped ones count nothing.
    """
    spec = m.kernel_spec()
    per_query = _decomposed(m, y, qptr) if spec is None or spec.kind in ("mean_ndcg", "overlap") else None
    if per_query is None and spec is None:
        return None
    parts = per_query if per_query is not None else _parts(spec, m, y, qptr)  # type: ignore[arg-type]
    empty_value = {"zero": 0.0, "one": 1.0}.get(m.empty, 0.0)
    sign = -1.0 if m.lower_is_better else 1.0
    scale = np.where(parts.empty, 0.0, parts.scale) * weight * sign
    offset = np.where(parts.empty, empty_value, parts.fixed) * weight * sign
    depth = m.k or (spec.k if spec is not None and spec.k else EVERY_RANK)
    return Worth(
        parts.kind,
        parts.value,
        scale,
        offset,
        parts.discount,
        parts.by_row,
        depth,
        _unit(parts, scale, offset, qptr),
    )


def _unit(parts: _Parts, scale: Floats, offset: Floats, qptr: Offsets) -> float:
    """A power of two so that no query's value needs more than `_BITS` bits."""
    if parts.kind == "gain":
        total = np.bincount(rows_of_groups(qptr), np.abs(parts.value), len(scale))
        largest = np.abs(scale) * total * float(np.abs(parts.discount).max(initial=0.0))
    else:
        largest = np.abs(scale)  # every other kind has values of at most 1 per query
        if parts.kind in ("ap", "pairs"):
            largest = np.minimum(largest, 1.0)
    bound = max(float(largest.max(initial=0.0)), float(np.abs(offset).max(initial=0.0)), 2.0**-900)
    return float(np.ldexp(1.0, _BITS - int(np.ceil(np.log2(bound)))))


def _decomposed(m: Measure, y: Labels, qptr: Offsets) -> _Parts | None:
    """Sums over ranks whose discounts or gains differ by query, asked of the measure query by query."""
    n_queries = len(qptr) - 1
    gain, discount = np.zeros(len(y)), np.zeros(len(y))
    norm, empty = np.ones(n_queries), np.ones(n_queries, dtype=bool)
    for q in range(n_queries):
        rows = slice(int(qptr[q]), int(qptr[q + 1]))
        if rows.start == rows.stop or m.is_empty(y[rows]):
            continue
        parts = m.decomposition(y[rows])
        if parts is None:
            return None
        gain[rows], discount[rows], norm[q], empty[q] = parts.gain, parts.discount, parts.norm, False
    return _Parts("gain", gain, 1.0 / norm, empty, discount, by_row=True)


def _parts(spec: KernelSpec, m: Measure, y: Labels, qptr: Offsets) -> _Parts:
    if spec.kind in ("dcg", "ndcg"):
        return _discounted(spec, y, qptr)
    if spec.kind == "err":
        stop = m.stops(y)  # type: ignore[attr-defined]
        largest = _per_query(stop, qptr)
        return _Parts("err", stop, np.ones(len(largest)), largest <= 0)
    if spec.kind == "kendall":
        pairs = _differing_pairs(y, qptr)
        return _Parts("pairs", y.astype(np.float64), -1.0 / np.maximum(pairs, 1.0), pairs == 0, fixed=0.5)
    relevant = (y >= spec.rel).astype(np.float64)
    found, size = _per_query(relevant, qptr), np.diff(qptr).astype(np.float64)
    if spec.kind == "auc":
        pairs = found * (size - found)
        return _Parts("pairs", relevant, 1.0 / np.maximum(pairs, 1.0), pairs == 0, fixed=0.5)
    if spec.kind in ("precision", "recall"):
        whole = found if spec.kind == "recall" else np.full(len(found), float(spec.k)) if spec.k else size
        too_short = (size < spec.k) & (spec.short == "zero") & (spec.kind == "precision")
        scale = np.where(too_short, 0.0, 1.0 / np.maximum(whole, 1.0))
        return _Parts("gain", relevant, scale, found == 0, np.ones(int(size.max(initial=0.0))))
    if spec.kind == "ap" and spec.norm == "cut" and spec.k:
        return _Parts("ap", relevant, 1.0 / np.clip(found, 1.0, spec.k), found == 0)
    scale = 1.0 / np.maximum(found, 1.0) if spec.kind == "ap" else np.ones(len(found))
    return _Parts(spec.kind, relevant, scale, found == 0)


def _discounted(spec: KernelSpec, y: Labels, qptr: Offsets) -> _Parts:
    gain = gains(y, spec.gain_table if spec.gain == "table" else spec.gain)  # type: ignore[arg-type]
    sizes = np.diff(qptr)
    discount = discounts(int(sizes.max(initial=0)), spec.discount)  # type: ignore[arg-type]
    best = spec._replace(kind="dcg", ties="input", empty=0.0)
    ideal = kernels.measure_queries([best], gain, y, qptr, None, kernels.default_threads())[0]
    scale = np.ones(len(ideal))
    if spec.kind == "ndcg":
        scale = 1.0 / np.where(ideal > 0, ideal, 1.0)
        scale[(sizes < spec.k) & (spec.short == "zero")] = 0.0
    return _Parts("gain", gain, scale, _per_query(gain, qptr) <= 0, discount)


def _per_query(values: Floats, qptr: Offsets) -> Floats:
    return np.asarray(np.bincount(rows_of_groups(qptr), values, len(qptr) - 1), dtype=np.float64)


def _differing_pairs(y: Labels, qptr: Offsets) -> Floats:
    """Pairs of documents of one query with different labels."""
    query = rows_of_groups(qptr)
    order = np.lexsort((y, query))
    new = np.ones(len(y), dtype=bool)
    new[1:] = (np.diff(y[order]) != 0) | (np.diff(query[order]) != 0)
    starts = np.flatnonzero(new)
    run = np.diff(np.append(starts, len(y))).astype(np.float64)
    size = np.diff(qptr).astype(np.float64)
    same = np.bincount(query[order][starts], run * (run - 1) / 2, len(size))
    return np.asarray(size * (size - 1) / 2 - same)
