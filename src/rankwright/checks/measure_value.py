"""A measure as a value: printing, parsing, copying, options, queries with nothing to find."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from dataclasses import FrozenInstanceError, replace

import numpy as np

from rankwright.checks.outcome import Check, registered, require
from rankwright.checks.samples import judged_lists
from rankwright.errors import InputError
from rankwright.measures import Measure, measure

CHECKS: dict[str, Check[Measure]] = {}
check = registered(CHECKS)


@check
def printed_form_parses_back(subject: Measure) -> None:
    """``measure(str(m)) == m``, with the same hash."""
    again = measure(str(subject))
    require(again == subject, f"{str(subject)!r} parses to {str(again)!r}")
    require(hash(again) == hash(subject), "equal measures have different hashes")
    require(str(again) == str(subject), f"{str(subject)!r} prints as {str(again)!r} afterwards")


@check
def it_is_a_value(subject: Measure) -> None:
    """Measures cannot be changed, and copies are equal."""
    changed = False
    with suppress(FrozenInstanceError, AttributeError):
        subject.k = 3  # type: ignore[misc]
        changed = True
    require(not changed, "its attributes can be assigned")
    require(copy.deepcopy(subject) == subject, "a deep copy is not equal")
    require(pickle.loads(pickle.dumps(subject)) == subject, "a pickled copy is not equal")


@check
def within_its_bounds(subject: Measure) -> None:
    """Values lie within `bounds`, for any labels and scores, ties included."""
    low, high = subject.bounds
    data = judged_lists(1, n_queries=60)
    scores = np.random.default_rng(2).integers(0, 4, data.n_docs)
    values = _kept(subject).per_query(data.y, scores, data.qptr, doc_ids=np.arange(data.n_docs))
    require(not np.isnan(values).any(), "it is NaN on judged lists")
    outside = values[(values < low - 1e-12) | (values > high + 1e-12)]
    require(not len(outside), f"{outside[:3]} is outside {low}..{high}")


@check
def empty_policies(subject: Measure) -> None:
    """A query with nothing to find is 0, 1, left out, or an error, as `empty` says."""
    y, scores, qptr, ids = [0, 0, 2, 1, 0], [1, 2, 5, 4, 3], [0, 2, 5], list("abcde")
    if not subject.bind(np.array(y)).is_empty(np.array(y[:2])):
        return
    for empty, value in (("zero", 0.0), ("one", 1.0), ("skip", np.nan)):
        got = _with(subject, empty).per_query(y, scores, qptr, doc_ids=ids)
        require(np.array_equal(got[:1], [value], equal_nan=True), f"with empty={empty} it is {got[0]}")
    values = _with(subject, "skip").per_query(y, scores, qptr, doc_ids=ids)
    mean = _with(subject, "skip").mean(y, scores, qptr, doc_ids=ids)
    require(mean == values[1], "skipped queries enter the mean")
    refused = False
    try:
        _with(subject, "error").per_query(y, scores, qptr, doc_ids=ids)
    except InputError:
        refused = True
    require(refused, "with empty=error nothing is raised")


@check
def no_documents_at_all(subject: Measure) -> None:
    """A query without documents has nothing to find, and no queries give no values."""
    got = _with(subject, "zero").per_query([2, 0], [1, 0], [0, 0, 2], doc_ids=["a", "b"])
    require(got[0] == 0.0, f"a query without documents is {got[0]}")
    require(len(subject.per_query([], [], [0], doc_ids=[])) == 0, "no queries give values")


@check
def unfit_scores_are_refused(subject: Measure) -> None:
    """NaN scores, and scores that are too few, are InputErrors."""
    for scores in ([np.nan, 1.0], [1.0]):
        refused = False
        try:
            subject.per_query([1, 0], scores, doc_ids=["a", "b"])
        except InputError:
            refused = True
        require(refused, f"scores {scores} for two labels are taken")


def _with(subject: Measure, empty: str) -> Measure:
    return replace(subject, empty=empty)  # type: ignore[arg-type]


def _kept(subject: Measure) -> Measure:
    """The measure with a value for every query."""
    return _with(subject, "zero") if subject.empty in ("skip", "error") else subject
