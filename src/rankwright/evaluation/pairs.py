"""Counting document pairs by their labels, in n log n time and linear memory however long the lists are."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.data.grouping import rows_of_groups
from rankwright.errors import InputError

Floats = npt.NDArray[np.float64]
Offsets = npt.NDArray[np.int64]

MAX_GRADES = 32  # pairs of labels are a square of these


def grades_of(y: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The different labels, highest first."""
    grades = np.unique(y)[::-1]
    if len(grades) > MAX_GRADES:
        raise InputError(
            f"labels must be grades, at most {MAX_GRADES} different ones, to count pairs of them. Got {len(grades)}. "
            "Round or bin the labels first."
        )
    return grades


def pairs_per_query(y: npt.NDArray[Any], qptr: Offsets) -> Offsets:
    """How many pairs of documents with different labels each query has: (n² − Σ_label n_label²)/2."""
    n = np.diff(qptr)
    query = rows_of_groups(qptr)
    _, label = np.unique(y, return_inverse=True)
    order = np.lexsort((label, query))
    same = (np.diff(query[order]) == 0) & (np.diff(label[order]) == 0)
    starts = np.flatnonzero(np.concatenate([[True], ~same])) if len(y) else np.empty(0, np.int64)
    sizes = np.diff(np.append(starts, len(y)))
    squares = np.bincount(query[order[starts]], weights=sizes.astype(np.float64) ** 2, minlength=len(n))
    return np.asarray((n * n - squares.astype(np.int64)) // 2, dtype=np.int64)


def discordant_pairs(
    y: npt.NDArray[Any], scores: npt.NDArray[Any], qptr: Offsets, grades: npt.NDArray[Any]
) -> dict[tuple[float, float], tuple[Floats, Floats]]:
    """For each two grades, the higher first: per query, the pairs of such documents and the wrongly ordered ones.

    A pair is wrong when the document with the lower label scores higher; a tie in the scores is half wrong.
    Documents are taken in descending score; those of the lower grade seen before a document of the higher one are
    its errors, so that one running count per grade replaces the n² pairs.
    """
    query = rows_of_groups(qptr)
    order = np.lexsort((-scores.astype(np.float64), query))
    y, s = y[order], scores[order]
    new = np.concatenate([[True], (s[1:] != s[:-1]) | (query[1:] != query[:-1])]) if len(y) else np.empty(0, bool)
    first = np.flatnonzero(new)  # of each group of tied documents
    group = np.cumsum(new) - 1
    last = np.append(first[1:], len(y))
    is_grade = {float(g): y == g for g in grades}
    seen = {g: np.concatenate([[0], np.cumsum(mask)]) for g, mask in is_grade.items()}
    in_query = {g: np.diff(count[qptr]) for g, count in seen.items()}
    out = {}
    for high, low in combinations(map(float, grades), 2):
        at = np.flatnonzero(is_grade[high])
        start, end = first[group[at]], last[group[at]]
        above = seen[low][start] - seen[low][qptr[query[at]]]
        tied = seen[low][end] - seen[low][start]
        errors = np.bincount(query[at], weights=above + 0.5 * tied, minlength=len(qptr) - 1)
        out[high, low] = ((in_query[high] * in_query[low]).astype(np.float64), errors.astype(np.float64))
    return out
