"""What a fitted ranker must not depend on."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from rankwright.checks.outcome import Check, registered, require
from rankwright.checks.samples import judged_lists, shuffled_documents
from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.models.base import model_to_dict
from rankwright.rankers import Ranker
from rankwright.shards import partitioned

CHECKS: dict[str, Check[Ranker]] = {}
check = registered(CHECKS)

CLOSE = 1e-6  # of the largest score: what another order of summation may change


@check
def same_model_again(ranker: Ranker) -> None:
    """The same options, seed and data give the same model, bit for bit."""
    data = judged_lists()
    _same(clone(ranker).fit(data), clone(ranker).fit(data), data)


@check
def threads_do_not_matter(ranker: Ranker) -> None:
    """One thread and three give the same model, bit for bit."""
    data = judged_lists()
    one, three = (clone(ranker).set_params(n_threads=n).fit(data) for n in (1, 3))
    _same(one, three, data)


@check
def partition_does_not_matter(ranker: Ranker) -> None:
    """Queries divided into three shards give the same model, bit for bit."""
    data = judged_lists()
    whole = clone(ranker).fit(data)
    with partitioned(3):
        parts = clone(ranker).fit(data)
    _same(whole, parts, data)


@check
def query_order_does_not_matter(ranker: Ranker) -> None:
    """Queries in another order give the same scores, to rounding."""
    data = judged_lists()
    turned = data.queries(np.arange(data.n_queries)[::-1])
    _close(clone(ranker).fit(data).predict(data), clone(ranker).fit(turned).predict(data))


@check
def document_order_does_not_matter(ranker: Ranker) -> None:
    """Documents of each query in another order give the same scores, to rounding."""
    data = judged_lists()
    turned, _ = shuffled_documents(data)
    _close(clone(ranker).fit(data).predict(data), clone(ranker).fit(turned).predict(data))


@check
def qids_of_any_kind(ranker: Ranker) -> None:
    """Text qids with their rows scattered give the model of the grouped rows; scores come in the caller's order."""
    data = judged_lists()
    places = np.argsort(np.random.default_rng(4).random(data.n_docs))
    first_seen, qid = [], np.array([f"q{q}" for q in data.query_of_row])[places]
    for name in qid.tolist():
        if name not in first_seen:
            first_seen.append(name)
    scattered = Dataset(data.X[places], data.y[places], qid=qid)
    fitted = clone(ranker).fit(data.X[places], data.y[places], qid=qid)
    grouped = clone(ranker).fit(Dataset(scattered.X, scattered.y, group=scattered.group_sizes))
    _same(fitted, grouped, data)
    require(scattered.query_ids.tolist() == first_seen, "queries are not in order of first appearance")
    require(np.array_equal(fitted.predict(scattered), fitted.predict(data)[places]), "scores are in another order")


@check
def scores_depend_on_their_row_alone(ranker: Ranker) -> None:
    """A document's score is the same bits whatever documents are scored beside it."""
    data = judged_lists()
    fitted = clone(ranker).fit(data)
    alone = np.concatenate([fitted.predict(data.X[i : i + 1]) for i in range(5)])
    _close(fitted.predict(data)[:5], alone, 1e-12)


@check
def sparse_is_dense(ranker: Ranker) -> None:
    """A sparse matrix gives the scores of the same numbers in a dense one."""
    data = judged_lists()
    if not ranker.handles_sparse:
        return
    X = np.where(data.X > 0, data.X, 0).astype(np.float32)
    dense = data.replace(X=X)
    sparse = Dataset(sp.csr_matrix(X), data.y, group=data.group_sizes)
    fitted = clone(ranker).fit(sparse)
    _close(fitted.predict(sparse), fitted.predict(dense))
    _close(clone(ranker).fit(dense).predict(dense), fitted.predict(dense))


@check
def equal_weights_are_no_weights(ranker: Ranker) -> None:
    """Weights of 1 on every query, and on every document where these count, change nothing."""
    data = judged_lists()
    plain = clone(ranker).fit(data).predict(data)
    weighted = data.replace(query_weight=np.ones(data.n_queries))
    _close(plain, clone(ranker).fit(weighted).predict(data))
    if ranker.uses_doc_weight:
        _close(plain, clone(ranker).fit(data.replace(doc_weight=np.ones(data.n_docs))).predict(data))


@check
def inputs_are_not_changed(ranker: Ranker) -> None:
    """The caller's arrays are the same after fit, predict, rank and score."""
    data = judged_lists()
    X, y, qid = np.array(data.X), np.array(data.y), np.array(data.qid)
    X[0, 0] = np.nan if ranker.exempt.get("missing_values") is None else X[0, 0]
    before = [part.tobytes() for part in (X, y, qid)]
    fitted = clone(ranker).fit(X, y, qid=qid)
    fitted.predict(X)
    fitted.rank(X, qid=qid)
    fitted.score(X, y, qid=qid)
    require([part.tobytes() for part in (X, y, qid)] == before, "the arrays passed were changed")


def _same(a: Ranker, b: Ranker, data: Dataset) -> None:
    require(a.predict(data).tobytes() == b.predict(data).tobytes(), f"scores differ by {_gap(a, b, data):.2g}")
    require(_numbers(a) == _numbers(b), "the scores are the same, the models differ")


def _numbers(ranker: Ranker) -> str | None:
    try:
        return json.dumps(model_to_dict(ranker.model_), sort_keys=True)
    except InputError:  # a model that no file can hold
        return None


def _gap(a: Ranker, b: Ranker, data: Dataset) -> float:
    return float(np.abs(a.predict(data) - b.predict(data)).max())


def _close(a: Any, b: Any, share: float = CLOSE) -> None:
    size = max(float(np.abs(a).max()), 1e-12)
    gap = float(np.abs(np.asarray(a) - np.asarray(b)).max())
    require(gap <= share * size, f"scores differ by {gap:.2g}, where the largest is {size:.2g}")
