"""Some pairs of a training set, drawn at random, from which the curvature of a mean over all pairs is known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.rankers.svm_features import Features, filled
from rankwright.rankers.svm_shard import Task

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

NARROWEST = 0.25  # fewer pairs would be within reach than a sample has enough of
OF_A_QUERY = 8  # pairs, each time it is drawn
MOST_FEATURES = 256  # with more, their products would take longer than planes


def enough(n_features: int) -> int:
    """How many pairs to draw."""
    return 4096 + 64 * n_features


class PairSample:
    """Differences of scaled features of pairs, and what each pair stands for.

    Parameters
    ----------
    data : all of the training set.
    task : what is learned, of pairs.
    n_threads : threads to use.
    """

    def __init__(self, data: Dataset, task: Task, n_threads: int) -> None:
        self.slope = task.slope
        rng = np.random.default_rng(0)
        marks = Features(data.X, n_threads).scores(task.units * rng.standard_normal(data.n_features))
        of_docs = task.judged(data, n_threads)
        better, worse, self.shares = drawn(*of_docs, marks, data.qptr, enough(data.n_features), rng)
        scaled = (_rows(data, better) - _rows(data, worse)) * task.units.astype(np.float32)
        self.differences = np.ascontiguousarray(scaled)

    def step(self, C: float, w: Floats, width: float, gradient: Floats) -> Floats:
        """(I + C H)⁻¹ gradient, H being how the gradient of R turns at w."""
        pairs = self.differences, self.shares, w, self.slope
        solved: Floats = kernels.newton_step(*pairs, max(width, NARROWEST), C, gradient)
        return solved


def drawn(
    levels: npt.NDArray[np.int32],
    weight: Floats,
    omega: Floats,
    marks: Floats,
    qptr: Rows,
    n: int,
    rng: np.random.Generator,
) -> tuple[Rows, Rows, Floats]:
    """Rows of better and of worse documents, and what each pair stands for: its weight over its chance to be drawn.

    A query is drawn by what it counts for, a document of it, and one of those of its documents with another label.

    Parameters
    ----------
    levels, weight, omega : see `Task.judged`.
    marks : a number that tells documents apart by their features, so that the order of rows does not matter.
    qptr : offsets of the queries.
    n : how many pairs, a multiple of OF_A_QUERY.
    rng : draws.
    """
    ends = [ufunc.reduceat(marks, qptr[:-1]) for ufunc in (np.minimum, np.maximum)]
    in_order = np.lexsort((omega, *ends))
    sums = np.cumsum(omega[in_order])
    at = np.minimum(rng.random(n // OF_A_QUERY) * sums[-1], np.nextafter(sums[-1], 0.0))
    some, of = np.unique(np.searchsorted(sums, at, side="right"), return_inverse=True)
    of = np.tile(of, OF_A_QUERY)
    some = in_order[some]
    sizes = np.diff(qptr)[some]
    starts = np.cumsum(sizes) - sizes
    rows = np.repeat(qptr[some] - starts, sizes) + np.arange(sizes.sum())
    key = np.repeat(np.arange(len(some)), sizes) * (int(levels.max()) + 1) + levels[rows]
    order = _sorted(key, marks[rows])
    rows, key = rows[order], key[order]
    first = np.append(0, np.flatnonzero(np.diff(key)) + 1)  # where each run of a query's equal labels begins
    length = np.diff(np.append(first, len(key)))
    run = np.repeat(np.arange(len(first)), length)

    begin, size = starts[of], sizes[of]
    i = begin + (rng.random(n) * size).astype(np.int64)
    j = begin + (rng.random(n) * (size - length[run[i]])).astype(np.int64)
    j += np.where(j >= first[run[i]], length[run[i]], 0)
    others = [size - length[run[at]] for at in (i, j)]
    chance = (1.0 / others[0] + 1.0 / others[1]) / size
    T = np.add.reduceat(weight[rows], first)  # of each run
    query = np.searchsorted(starts, first, side="right") - 1
    mass = 0.5 * (np.bincount(query, T, len(some)) ** 2 - np.bincount(query, T**2, len(some)))
    shares = weight[rows[i]] * weight[rows[j]] / (mass[of] * chance)
    up = key[i] > key[j]
    return rows[np.where(up, i, j)], rows[np.where(up, j, i)], shares


def _sorted(key: Rows, marks: Floats) -> Rows:
    """The order by key, then by mark: in the bits that the keys leave."""
    bits = 62 - int(key.max()).bit_length()
    low, high = float(marks.min()), float(marks.max())
    share = (marks - low) / (high - low) if high > low else np.zeros(len(marks))
    return np.argsort((key << bits) + (share * (2.0 ** min(bits, 52) - 1.0)).astype(np.int64))


def _rows(data: Dataset, rows: Rows) -> npt.NDArray[np.float32]:
    picked = data.X[rows]
    return filled(picked if isinstance(picked, np.ndarray) else picked.toarray())
