"""Runs become features; every policy does what its name says."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval

from rankwright import Dataset, InputError, from_runs

BM25 = {"q1": {"a": 7.0, "b": 5.0, "c": 3.0}, "q2": {"x": 2.0}}
DENSE = {"q1": {"c": 0.9, "d": 0.5}, "q3": {"y": 0.1}}
QRELS = {"q1": {"a": 1, "c": 2, "e": 3, "b": -1}, "q2": {"x": 0}, "q4": {"z": 1}}


def made(**how: Any) -> Dataset:
    with pytest.warns(UserWarning, match="1 queries are only in the runs, 1 only in the qrels"):
        return from_runs({"bm25": BM25, "dense": DENSE}, QRELS, **how)


def rows(data: Dataset) -> dict[str, list[tuple[str, list[float], float]]]:
    ids = data.doc_ids.tolist() if data.doc_ids is not None else []
    return {
        q: [(ids[i], [round(float(v), 6) for v in data.X[i]], float(data.y[i])) for i in range(r.start, r.stop)]
        for q, r in zip(data.query_ids.tolist(), data, strict=True)
    }


def test_the_default_policies() -> None:
    data = made()
    assert data.feature_names == ("bm25", "dense")
    assert rows(data) == {
        "q1": [("a", [7, 0.5], 1), ("b", [5, 0.5], 0), ("c", [3, 0.9], 2), ("d", [3, 0.5], 0)],
        "q2": [("x", [2, 0.1], 0)],  # dense has nothing there: the lowest score it gave anywhere
    }
    assert data.X.dtype == np.float32
    assert data.caller_rows is None


@pytest.mark.parametrize(("missing", "value"), [("zero", 0.0), (-7, -7.0), (math.nan, math.nan)])
def test_missing_scores(missing: Any, value: float) -> None:
    assert np.array_equal(made(missing_score=missing).X[:2, 1], [value, value], equal_nan=True)


def test_depth_keeps_the_highest_scores() -> None:
    assert [doc for doc, *_ in rows(made(depth=1))["q1"]] == ["a", "c"]
    assert rows(made(depth=1))["q1"][1] == ("c", [7, 0.9], 2)
    tied = from_runs({"r": {"q": {"a": 1.0, "c": 1.0, "b": 1.0}}}, depth=2)
    assert tied.doc_ids is not None
    assert sorted(tied.doc_ids) == ["b", "c"]


def test_unjudged_documents() -> None:
    assert [(doc, y) for doc, _, y in rows(made(unjudged=0.5))["q1"]] == [("a", 1), ("b", 0), ("c", 2), ("d", 0.5)]
    assert [doc for doc, *_ in rows(made(unjudged="drop"))["q1"]] == ["a", "b", "c"]


def test_which_documents() -> None:
    assert [doc for doc, *_ in rows(made(docs="judged"))["q1"]] == ["a", "c", "e", "b"]
    assert rows(made(docs="judged"))["q1"][2] == ("e", [3, 0.5], 3)
    assert [doc for doc, *_ in rows(made(docs="all"))["q1"]] == ["a", "b", "c", "d", "e"]


def test_which_queries() -> None:
    assert list(rows(made(queries="runs"))) == ["q1", "q2", "q3"]
    assert rows(made(queries="runs"))["q3"] == [("y", [2, 0.1], 0)]
    assert list(rows(made(queries="qrels", docs="all"))) == ["q1", "q2", "q4"]
    assert rows(made(queries="qrels", docs="all"))["q4"] == [("z", [2, 0.1], 1)]
    with pytest.warns(UserWarning, match="1 have no documents to rank; 2 are kept"):
        data = from_runs({"bm25": BM25, "dense": DENSE}, QRELS, queries="qrels")
    assert list(rows(data)) == ["q1", "q2"]


def test_without_judgements_labels_are_zeros() -> None:
    data = from_runs({"bm25": BM25, "dense": DENSE})
    assert data.y.tolist() == [0] * 6
    assert data.query_ids.tolist() == ["q1", "q2", "q3"]


def test_names_of_files(tmp_path: Path) -> None:
    for name, tag in (("one.run", "same"), ("two.run", "same"), ("three.run", "other")):
        (tmp_path / name).write_text(f"q Q0 d 1 1.0 {tag}\n")
    one, two, three = (tmp_path / name for name in ("one.run", "two.run", "three.run"))
    assert from_runs([one, three]).feature_names == ("same", "other")
    assert from_runs([one, two]).feature_names == ("one", "two")
    assert from_runs({"x": one, "y": two}).feature_names == ("x", "y")
    assert from_runs(one).feature_names == ("same",)
    with pytest.raises(InputError, match="runs must have different names"):
        from_runs([one, one])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"depth": 0}, "depth must be a whole number"),
        ({"missing_score": "max"}, "missing_score must be min, zero or a number. Got 'max'"),
        ({"missing_score": math.inf}, "must not be infinite"),
        ({"unjudged": "keep"}, "unjudged must be a label"),
        ({"unjudged": -1}, "unjudged must be a label"),
        ({"docs": "some"}, "docs must be union"),
        ({"queries": "some"}, "queries must be both"),
    ],
)
def test_policies_that_are_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_runs({"bm25": BM25}, QRELS, **how)


def test_runs_that_are_refused() -> None:
    with pytest.raises(InputError, match="there must be a run"):
        from_runs([])
    with pytest.raises(InputError, match=r"Pass {'name': scores}"):
        from_runs(BM25)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"a query and a document in common. Got 2 queries like 'q\d'.*1 like 7"):
        from_runs({"bm25": BM25}, {7: {"a": 1}})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="labels must be finite"):
        from_runs({"bm25": BM25}, {"q1": {"a": math.nan}, "q2": {"x": 1}})
    with pytest.raises(InputError, match=r"finite float32 numbers. Got 1e\+300 in run 'r'"):
        from_runs({"r": {"q": {"a": 1e300}}})


def test_trec_eval_agrees_where_all_judged_documents_are_kept() -> None:
    """With docs="all" and the missing below the found, average precision is that of trec_eval on the run itself."""
    rng = np.random.default_rng(0)
    run = {q: {f"d{i}": float(s) for i, s in enumerate(rng.permutation(30)) if i % 3} for q in "abc"}
    qrels = {q: {f"d{i}": int(rng.integers(0, 2)) for i in range(30)} for q in "abc"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map"}).evaluate(run)
    data = from_runs({"run": run}, qrels, docs="all", missing_score=-1)
    for query, of_query in zip(data.query_ids, data, strict=True):
        order = np.argsort(-data.X[of_query, 0], kind="stable")
        relevant = data.y[of_query][order] > 0
        found = data.X[of_query, 0][order] >= 0
        precision = np.cumsum(relevant) / np.arange(1, 31)
        assert theirs[query]["map"] == pytest.approx(precision[relevant & found].sum() / relevant.sum())
