"""A measure as a function of rankings: order, ties, swaps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.checks.outcome import Check, registered, require
from rankwright.checks.samples import judged_lists, shuffled_documents
from rankwright.data import Dataset
from rankwright.measures import Measure

CHECKS: dict[str, Check[Measure]] = {}
check = registered(CHECKS)

Labels = npt.NDArray[np.float32]
CLOSE = 1e-10


@check
def value_is_of_the_ranking(subject: Measure) -> None:
    """`per_query` without ties is `of_ranking` of the labels by descending score."""
    for m, y, scores in _lists(subject):
        expected = m.of_ranking(y[np.argsort(-scores)])
        got = m.per_query(y, scores, doc_ids=_ids(len(y)))[0]
        require(abs(got - expected) <= CLOSE, f"labels {y.tolist()}, scores {scores.tolist()}: {got}, not {expected}")


@check
def best_on_the_ideal_order(subject: Measure) -> None:
    """No ranking is better than that by descending label."""
    for m, y, _ in _lists(subject):
        ideal = m.of_ranking(-np.sort(-y))
        for order in permutations(y.tolist()):
            value = m.of_ranking(np.array(order, dtype=np.float32))
            beaten = m.better(value, ideal) and abs(value - ideal) > CLOSE
            require(not beaten, f"{list(order)} has {value}, the ideal order {ideal}")


@check
def only_the_order_of_scores_matters(subject: Measure) -> None:
    """Rising maps of the scores change no bit, ties included."""
    data = _data(subject, 2, 20)
    scores = np.random.default_rng(3).integers(-3, 4, data.n_docs).astype(np.float64)
    before = subject.per_query(data.y, scores, data.qptr, doc_ids=_ids(data.n_docs))
    for name, mapped in (("2s + 3", 2 * scores + 3), ("s³", scores**3), ("exp s", np.exp(scores))):
        after = subject.per_query(data.y, mapped, data.qptr, doc_ids=_ids(data.n_docs))
        require(after.tobytes() == before.tobytes(), f"{name} instead of s changes values")


@check
def rows_can_be_in_any_order(subject: Measure) -> None:
    """Documents of a query in another order change nothing; under ties="input", where there are no ties."""
    data = _data(subject, 4, 20)
    rng, ids = np.random.default_rng(5), _ids(data.n_docs)
    tied, untied = rng.integers(0, 3, data.n_docs), rng.permutation(data.n_docs)
    turned, rows = shuffled_documents(data)
    for scores in [untied] if subject.ties == "input" else [untied, tied]:
        before = subject.per_query(data.y, scores, data.qptr, doc_ids=ids)
        after = subject.per_query(turned.y, scores[rows], data.qptr, doc_ids=ids[rows])
        require(np.allclose(before, after, rtol=0, atol=CLOSE, equal_nan=True), "values change with the rows")


@check
def ties_are_what_their_policy_says(subject: Measure) -> None:
    """Equal scores are worth the average over all orders, the worst order, the rows' order, or that by id."""
    rng = np.random.default_rng(6)
    for m, y, _ in _lists(subject, longest=5):
        scores = rng.integers(0, 2, len(y)).astype(np.float64)
        ids = _ids(len(y))[rng.permutation(len(y))]
        expected = _by_enumeration(m, y, scores, ids)
        got = m.per_query(y, scores, doc_ids=ids)[0]
        require(abs(got - expected) <= CLOSE, f"labels {y.tolist()}, scores {scores.tolist()}: {got}, not {expected}")


@check
def swap_deltas_are_the_brute_force(subject: Measure) -> None:
    """`swap_deltas` equals recomputing the measure after every swap."""
    for m, y, _ in _lists(subject):
        got, expected = m.swap_deltas(y), Measure.swap_deltas(m, y)
        require(got.shape == (len(y), len(y)), f"its shape is {got.shape} for {len(y)} documents")
        wrong = np.abs(got - expected).max(initial=0.0)
        require(wrong <= CLOSE, f"labels {y.tolist()}: off by {wrong:.2g}")


@check
def queries_do_not_mix(subject: Measure) -> None:
    """Queries together, in any order, and with any number of threads, have the values they have alone."""
    data = _data(subject, 7, 15)
    m = subject.bind(data.y)
    scores = np.random.default_rng(8).integers(0, 5, data.n_docs).astype(np.float64)
    ids = _ids(data.n_docs)
    together = m.per_query(data.y, scores, data.qptr, doc_ids=ids, n_threads=1)
    threaded = m.per_query(data.y, scores, data.qptr, doc_ids=ids, n_threads=3)
    require(together.tobytes() == threaded.tobytes(), "the number of threads changes values")
    alone = np.array([m.per_query(data.y[part], scores[part], doc_ids=ids[part])[0] for part in data])
    require(np.allclose(together, alone, rtol=0, atol=CLOSE, equal_nan=True), "a query's value depends on the others")


@check
def inputs_are_not_changed(subject: Measure) -> None:
    """Labels and scores are the same afterwards."""
    y, scores = np.array([0, 2, 1, 0], dtype=np.float32), np.array([0.5, 0.5, 2.0, 1.0])
    before = y.tobytes(), scores.tobytes()
    subject.per_query(y, scores, doc_ids=_ids(4))
    subject.bind(y).of_ranking(y)
    subject.swap_deltas(y)
    require((y.tobytes(), scores.tobytes()) == before, "the arrays passed were changed")


def _data(subject: Measure, seed: int, n_queries: int) -> Dataset:
    """Judged lists with something to find in each."""
    data = judged_lists(seed, n_queries=n_queries)
    m = subject.bind(data.y)
    return data.queries([not m.is_empty(data.y[part]) for part in data])


def _lists(subject: Measure, longest: int = 6) -> Iterator[tuple[Measure, Labels, npt.NDArray[np.float64]]]:
    """Label lists with something to find, and untied scores; the measure bound to all labels there are."""
    rng = np.random.default_rng(9)
    m = subject.bind(np.array([0, 1, 2, 3], dtype=np.float32))
    for n in [*range(1, longest + 1)] * 4:
        y = rng.integers(0, 4, n).astype(np.float32)
        if not m.is_empty(y):
            yield m, y, rng.permutation(n).astype(np.float64)


def _by_enumeration(m: Measure, y: Labels, scores: Any, ids: Any) -> float:
    by_row = sorted(range(len(y)), key=lambda row: -scores[row])
    if m.ties == "docid":
        by_row = sorted(sorted(by_row, key=lambda row: ids[row], reverse=True), key=lambda row: -scores[row])
    if m.ties in ("input", "docid"):
        return m.of_ranking(y[by_row])
    orders = [o for o in permutations(range(len(y))) if (np.diff(scores[list(o)]) <= 0).all()]
    values = [m.of_ranking(y[list(o)]) for o in orders]
    if m.ties == "expected":
        return float(np.mean(values))
    return max(values) if m.lower_is_better else min(values)


def _ids(n: int) -> npt.NDArray[Any]:
    return np.array([f"d{i:04}" for i in range(n)])
