"""Dividing data by query, and joining it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright.data.dataset import Array, Dataset
from rankwright.errors import InputError

Rng = int | np.random.Generator
TRAIN, VALID, TEST, UNUSED = range(4)


class Fold(NamedTuple):
    """Data to learn from, to choose by, and to be judged by."""

    train: Dataset
    valid: Dataset
    test: Dataset


def letor_folds(parts: Sequence[Dataset]) -> list[Fold]:
    """LETOR's rotation: of parts S1..S5, fold k trains on S_k, S_k+1, S_k+2, validates on S_k+3, tests on S_k+4.

    Parameters
    ----------
    parts : three or more disjoint sets of queries; with n parts a fold trains on n − 2.
    """
    if isinstance(parts, Dataset) or not all(isinstance(part, Dataset) for part in _listed(parts)):
        raise InputError(f"parts must be a list of Datasets. Got {parts!r:.60}. Read each part with rw.read first.")
    n = len(parts)
    if n < 3:
        raise InputError(f"there must be at least three parts to rotate. Got {n}. Use random_splits.")
    turned = [[parts[(k + step) % n] for step in range(n)] for k in range(n)]
    return [Fold(concat(turn[:-2]), turn[-2], turn[-1]) for turn in turned]


def _listed(parts: Any) -> list[Any]:
    """The parts, or the one thing that was passed in place of a list."""
    return list(parts) if isinstance(parts, (list, tuple)) else [parts]


def fold_of_query(n_queries: int, n_splits: int, rng: Rng | None = 0) -> npt.NDArray[np.int64]:
    """A fold for every query, at random (in blocks when `rng` is None); sizes differ by at most one."""
    if not 2 <= n_splits <= n_queries:
        raise InputError(
            f"n_splits must be at least 2 and at most the number of queries. Got {n_splits} for {n_queries} queries. "
            "Use fewer folds, or pass the query of every row."
        )
    folds = np.arange(n_queries) * n_splits // n_queries
    return folds if rng is None else np.random.default_rng(rng).permutation(folds)


def k_folds(data: Dataset, n_splits: int = 5, *, rng: Rng | None = 0) -> Iterator[tuple[Dataset, Dataset]]:
    """Pairs (rest, fold): every query is in one fold. The same folds as :class:`rankwright.QueryKFold` makes."""
    folds = fold_of_query(data.n_queries, n_splits, rng)
    return ((data.queries(folds != k), data.queries(folds == k)) for k in range(n_splits))


# -- repeated random splits ------------------------------------------------------------------------------------------


def random_splits(
    data: Dataset, sizes: Sequence[float] = (0.6, 0.2, 0.2), *, n_trials: int = 1, rng: Rng = 0
) -> Iterator[Fold]:
    """Random train/validation/test sets of queries in which every query plays each role equally often.

    Over the trials, the times that two queries spend in one role differ by at most one; they are equal where
    ``n_trials × size`` is a multiple of the number of queries. The SVM-MAP paper's protocol on 50 topics is
    ``random_splits(data, (10, 5, 35), n_trials=50)``: each topic trains in 10 trials and tests in 35.

    Parameters
    ----------
    data : the queries to divide.
    sizes : the numbers of queries to train on, validate on and test on; or shares that add up to at most 1.
        Queries beyond the sizes are unused in that trial.
    n_trials : the number of splits.
    rng : a seed, or a generator.
    """
    roles = balanced_roles(data.n_queries, _whole_sizes(sizes, data.n_queries), n_trials, rng)
    return (Fold(*(data.queries(trial == role) for role in (TRAIN, VALID, TEST))) for trial in roles)


def balanced_roles(n_queries: int, sizes: Sequence[int], n_trials: int, rng: Rng = 0) -> npt.NDArray[np.int8]:
    """A role for every trial and query: TRAIN, VALID, TEST, UNUSED; balanced in both directions.

    Trial t starts as the roles around a circle, turned by ⌊t · n_queries / n_trials⌋. An arc of length a then meets
    a given query ⌊a · n_trials / n_queries⌋ or ⌈…⌉ times. Pairs of trials then trade roles at random: where one has
    the roles r, s and the other s, r, the queries are dealt anew, which changes no total.
    """
    generator = np.random.default_rng(rng)
    arcs = [*sizes, n_queries - sum(sizes)]
    circle = np.repeat(np.arange(4, dtype=np.int8), arcs)
    turns = np.arange(n_trials) * n_queries // n_trials if n_trials else np.arange(0)
    roles: npt.NDArray[np.int8] = circle[(np.arange(n_queries) + turns[:, None]) % n_queries]
    roles = roles[:, generator.permutation(n_queries)][generator.permutation(n_trials)]
    for _ in range(20 * n_trials if n_trials > 1 else 0):
        one, other = generator.choice(n_trials, 2, replace=False)
        _trade(roles[one], roles[other], generator)
    return roles


def _trade(one: npt.NDArray[np.int8], other: npt.NDArray[np.int8], rng: np.random.Generator) -> None:
    for r in range(4):
        for s in range(r + 1, 4):
            either = np.flatnonzero(((one == r) & (other == s)) | ((one == s) & (other == r)))
            one[either] = rng.permutation(one[either])
            other[either] = r + s - one[either]


def _whole_sizes(sizes: Sequence[float], n_queries: int) -> list[int]:
    given = np.asarray(sizes, dtype=np.float64)
    if given.shape != (3,) or not (np.isfinite(given).all() and (given >= 0).all()):
        raise InputError(f"sizes must be three numbers of at least 0: train, valid, test. Got {sizes!r}. Pass three.")
    if given.sum() <= 1 + 1e-9 and (given < 1).all():
        ends = np.rint(np.cumsum(given) * n_queries).astype(int)
        return [int(size) for size in np.diff(ends, prepend=0)]
    if (given != np.rint(given)).any() or given.sum() > n_queries:
        raise InputError(
            f"sizes must be numbers of queries, {n_queries} at most in all, or shares that add up to at most 1. "
            f"Got {sizes!r}. Make them smaller."
        )
    return [int(size) for size in given]


# -- joining ---------------------------------------------------------------------------------------------------------


def concat(datasets: Sequence[Dataset], *, renumber: bool = False) -> Dataset:
    """The queries of several sets as one, features matched by name.

    Document ids are kept when every part has them. Where only some parts have weights, the others weigh 1. Scores
    of the result come back in the order of the callers' rows, one part after the other.

    Parameters
    ----------
    datasets : parts with the same feature names, in any order; all dense or all sparse.
    renumber : number the queries anew; otherwise a query id in two parts is an error.
    """
    if len(datasets) == 0:
        raise InputError("there must be data to join. Got none. Pass at least one Dataset.")
    first = datasets[0]
    parts = [_with_names(part, first.feature_names) for part in datasets]
    sizes = np.concatenate([part.group_sizes for part in parts])
    query_ids = np.arange(len(sizes)) if renumber else _distinct(_joined([part.query_ids for part in parts]))
    weights = {
        "doc_weight": [(part.doc_weight, part.n_docs) for part in parts],
        "query_weight": [(part.query_weight, part.n_queries) for part in parts],
    }
    docs = [part.doc_ids for part in parts if part.doc_ids is not None]
    return first.replace(
        X=_stacked([part.X for part in parts]),
        y=np.concatenate([part.y for part in parts]),
        qptr=np.append(0, np.cumsum(sizes)).astype(np.int64),
        query_ids=query_ids,
        doc_ids=_joined(docs) if len(docs) == len(parts) else None,
        caller_rows=_joined_rows(parts),
        **{name: _joined_weights(pairs) for name, pairs in weights.items()},
    )


def _with_names(part: Dataset, names: tuple[str, ...]) -> Dataset:
    if part.feature_names == names:
        return part
    differ = sorted(set(part.feature_names) ^ set(names))
    if differ:
        raise InputError(
            f"parts must have the same features. Got {len(differ)} that only some have: {', '.join(differ[:8])}. "
            "Read them with the same n_features or features."
        )
    column = {name: k for k, name in enumerate(part.feature_names)}
    X = part.X[:, [column[name] for name in names]]
    return part.with_features(X if part.is_sparse else np.ascontiguousarray(X), names)


def _stacked(Xs: list[Any]) -> Any:
    dense = [isinstance(X, np.ndarray) for X in Xs]
    if all(dense):
        return np.concatenate(Xs)
    if any(dense):
        raise InputError("parts must be all dense or all sparse. Got both. Use data.replace(X=data.X.toarray()).")
    from scipy.sparse import vstack

    return vstack(Xs, format="csr")


def _joined(ids: list[Array]) -> Array:
    if len({"U" if part.dtype.kind == "U" else part.dtype.str for part in ids}) == 1:
        return np.concatenate(ids)
    return np.concatenate([part.astype(object) for part in ids])


def _distinct(query_ids: Array) -> Array:
    seen: set[Any] = set()
    for query in query_ids.tolist():
        if query in seen:
            raise InputError(
                f"a query must be in one part only. Got {query!r} in two. Drop it from one, or use renumber=True."
            )
        seen.add(query)
    return query_ids


def _joined_weights(parts: list[tuple[npt.NDArray[np.float64] | None, int]]) -> npt.NDArray[np.float64] | None:
    if all(weight is None for weight, _ in parts):
        return None
    return np.concatenate([np.ones(n) if weight is None else weight for weight, n in parts])


def _joined_rows(parts: list[Dataset]) -> npt.NDArray[np.int64] | None:
    if all(part.caller_rows is None for part in parts):
        return None
    starts = np.cumsum([0, *(part.n_docs for part in parts[:-1])])
    rows = [np.arange(part.n_docs) if part.caller_rows is None else part.caller_rows for part in parts]
    return np.concatenate([start + own for start, own in zip(starts, rows, strict=True)])
