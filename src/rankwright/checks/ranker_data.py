"""A ranker on data that is odd, and on data that is easy."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from sklearn.base import clone

from rankwright.checks.outcome import Check, registered, require
from rankwright.checks.samples import judged_lists, with_gaps, with_labels
from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.measures import measure
from rankwright.rankers import Ranker
from rankwright.rankers.rounds import measured

CHECKS: dict[str, Check[Ranker]] = {}
check = registered(CHECKS)


@check
def one_query(ranker: Ranker) -> None:
    """One query is enough to fit and to rank."""
    _fits(ranker, judged_lists(n_queries=1, n_docs=6))


@check
def one_document(ranker: Ranker) -> None:
    """A single document, relevant or not, can be fitted and ranked, or is an InputError."""
    data = judged_lists(n_queries=1, n_docs=1)
    for label in (0, 1):
        _fits_or_says_why(ranker, with_labels(data, [label]))


@check
def one_document_a_query(ranker: Ranker) -> None:
    """Queries of one document, where every ranking is perfect, can be fitted, or are an InputError."""
    _fits_or_says_why(ranker, judged_lists(n_docs=1))


@check
def one_feature(ranker: Ranker) -> None:
    """One feature is enough."""
    _fits(ranker, judged_lists(n_features=1))


@check
def no_relevant_documents(ranker: Ranker) -> None:
    """Labels that are all 0 can be fitted, though nothing can be learned, or are an InputError."""
    data = judged_lists()
    _fits_or_says_why(ranker, with_labels(data, np.zeros(data.n_docs)))


@check
def constant_features(ranker: Ranker) -> None:
    """Features that never vary can be fitted, alone and beside one that does."""
    data = judged_lists()
    X = np.ones_like(data.X)
    _fits(ranker, data.replace(X=X))
    X = X.copy()
    X[:, 0] = data.X[:, 0]
    _fits(ranker, data.replace(X=X))


@check
def missing_values(ranker: Ranker) -> None:
    """Missing features (NaN), one of them missing everywhere, give finite scores."""
    _fits(ranker, with_gaps(judged_lists()))


@check
def large_and_small_values(ranker: Ranker) -> None:
    """Features of very different size give finite scores."""
    data = judged_lists()
    _fits(ranker, data.replace(X=(data.X * [1e6, 1e-6, 1.0, 1e3]).astype(np.float32)))


@check
def it_learns(ranker: Ranker) -> None:
    """On lists that one feature all but decides, it ranks better than chance."""
    data, judged = judged_lists(n_queries=20), measure("nDCG")
    value = measured(judged, clone(ranker).fit(data).predict(data), data)
    by_chance = measured(judged, np.zeros(data.n_docs), data)
    require(value > by_chance, f"nDCG on its training data is {value:.4f}; by chance it is {by_chance:.4f}")


def _fits_or_says_why(ranker: Ranker, data: Dataset) -> None:
    """Where there is nothing to learn, a ranker may refuse, and say so."""
    with suppress(InputError):
        _fits(ranker, data)


def _fits(ranker: Ranker, data: Dataset) -> None:
    fitted = clone(ranker).fit(data)
    scores = fitted.predict(data)
    require(scores.shape == (data.n_docs,), f"there are {scores.shape} scores for {data.n_docs} documents")
    require(scores.dtype == np.float64, f"scores are {scores.dtype}")
    require(np.isfinite(scores).all(), f"scores are not finite: {scores[~np.isfinite(scores)][:3]}")
    rows = fitted.rank(data)
    require([len(part) for part in rows] == data.group_sizes.tolist(), "rank leaves documents out")
