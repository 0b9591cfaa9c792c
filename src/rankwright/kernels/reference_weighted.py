"""NumPy twins of the kernels of weighted pairs: every pair is written out here."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from rankwright.kernels.reference_boosting import MISSING

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint8]
Levels = npt.NDArray[np.int32]
Rule = tuple[str, int, bool]  # how a pair's weight is made, its power, whether it stands inside the exponent

PAIR_WEIGHTS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "mean": lambda a, b: 0.5 * (a + b),
    "product": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
}


def _pairs(levels: Levels, qptr: Rows) -> Iterator[tuple[int, Rows, Rows]]:
    """Of each query its number and the rows of its pairs, the better documents first."""
    for q, (start, end) in enumerate(itertools.pairwise(qptr.tolist())):
        i, j = np.nonzero(levels[start:end, None] > levels[None, start:end])
        yield q, i + start, j + start


def _brings(scores: Floats, weights: Floats, i: Rows, j: Rows, rule: Rule) -> tuple[Floats, Floats]:
    """w^p exp(−w^e (F_i − F_j)), and the same without w^p where the weight stands inside the exponent."""
    pair, power, inside = rule
    w = np.asarray(PAIR_WEIGHTS[pair](weights[i], weights[j]))
    apart = scores[i] - scores[j]
    D = np.exp(np.clip(-(w * apart if inside else apart), -708.0, 709.0))
    return w**power * D, D if inside else w**power * D


def weighted_pair_potentials(
    scores: Floats, levels: Levels, weights: Floats, omega: Floats, qptr: Rows, rule: Rule, n_threads: int = 1
) -> tuple[Floats, Floats]:
    """Per document d, Σ_j P(d, j) − Σ_i P(i, d) over pairs with y_i > y_j; per query, Σ D.

    P(i, j) = ω_q w^p exp(−w^e (F_i − F_j)), w being the weight of the pair, p the rule's power and e = 1 where the
    weight stands inside the exponent, else 0; D = P without w^p inside, else P.
    """
    potentials, mass = np.zeros(len(scores)), np.zeros(len(qptr) - 1)
    for q, i, j in _pairs(levels, qptr):
        P, D = _brings(scores, weights, i, j, rule)
        np.add.at(potentials, i, omega[q] * P)
        np.subtract.at(potentials, j, omega[q] * P)
        mass[q] = omega[q] * D.sum()
    return potentials, mass


def pair_agreements(
    codes: Codes,
    scores: Floats,
    levels: Levels,
    weights: Floats,
    omega: Floats,
    qptr: Rows,
    rule: Rule,
    scale: float,
    missing_fires: bool,
    n_threads: int = 1,
) -> Rows:
    """For each column of codes, cells whose sums above a code b are R_+ and R_− of the stump that fires above b.

    A pair (i, j) is right for c_j ≤ b < c_i: what it brings is added at c_i and taken away at c_j. Each pair's share is
    cut to a whole number. A missing value counts as the highest code, or as the lowest.
    """
    cells = np.zeros((2, len(codes), MISSING + 1), np.int64)
    for q, i, j in _pairs(levels, qptr):
        P, _ = _brings(scores, weights, i, j, rule)
        _add(cells, codes, i, j, np.trunc(omega[q] * P * scale).astype(np.int64), missing_fires)
    return cells


def factored_agreements(
    codes: Codes,
    levels: Levels,
    better: Floats,
    worse: Floats,
    qptr: Rows,
    scale: float,
    missing_fires: bool,
    n_threads: int = 1,
) -> Rows:
    """The cells of `pair_agreements` where a pair brings a_i b_j. The native kernel sweeps over documents instead,
    O(n log n) for a query and column, and cuts what a document adds to whole numbers, not what a pair does."""
    cells = np.zeros((2, len(codes), MISSING + 1), np.int64)
    for _, i, j in _pairs(levels, qptr):
        _add(cells, codes, i, j, np.trunc(better[i] * worse[j] * scale).astype(np.int64), missing_fires)
    return cells


def _add(cells: Rows, codes: Codes, i: Rows, j: Rows, brings: Rows, missing_fires: bool) -> None:
    for k, column in enumerate(codes):
        ranked = column if missing_fires else np.where(column == MISSING, 0, column)
        a, b = ranked[i], ranked[j]
        for side, pairs in enumerate((a > b, a < b)):
            np.add.at(cells[side, k], np.maximum(a, b)[pairs], brings[pairs])
            np.subtract.at(cells[side, k], np.minimum(a, b)[pairs], brings[pairs])


def ordered_pairs(scores: Floats, levels: Levels, qptr: Rows, n_threads: int = 1) -> Rows:
    """For each query, the pairs whose document of the higher level has the strictly higher score."""
    return np.array([int((scores[i] > scores[j]).sum()) for _, i, j in _pairs(levels, qptr)], dtype=np.int64)
