"""Documents and queries to a Dataset."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import rankwright as rw
from rankwright.errors import FormatError, InputError
from rankwright.text.candidates import best_of_rows

DOCS = {"d1": "wing flow flow", "d2": "wings in a slipstream", "d3": "heat of the slipstream", "d4": "libraries"}
QUERIES = {"q1": "flow of a wing", "q2": "slipstream heat", "q3": "unheard"}


def test_candidates_share_a_word_and_labels_come_from_the_judgements() -> None:
    qrels = {"q1": {"d2": 2, "d4": 1, "gone": 1}, "q2": {"d3": -1}}
    with pytest.warns(UserWarning, match="1 of 3 queries have no judgement"):
        data = rw.text_features(DOCS, QUERIES, qrels, features="bm25")
    assert data.query_ids.tolist() == ["q1", "q2"]
    assert data.doc_ids.tolist() == ["d1", "d2", "d3", "d2", "d3"]  # d2 has "a", d3 "of"
    assert data.y.tolist() == [0, 2, 0, 0, 0]
    with pytest.warns(UserWarning, match="no judgement"):
        every = rw.text_features(DOCS, QUERIES, qrels, features="bm25", candidates="all")
    assert every.doc_ids.tolist() == ["d1", "d2", "d3", "d4", "d2", "d3"]
    with pytest.warns(UserWarning, match="no judgement"):
        judged = rw.text_features(DOCS, QUERIES, qrels, features="bm25", candidates="judged")
    assert judged.doc_ids.tolist() == ["d2", "d4", "d3"]
    assert judged.X[1, 0] == 0


def test_the_union_of_the_best_of_each_function() -> None:
    queries = {"q": "wing slipstream"}
    apart = [rw.text_features(DOCS, queries, features=[f], depth=1).doc_ids.tolist() for f in ("bm25", "bm25.stem")]
    joined = rw.text_features(DOCS, queries, features=["bm25", "bm25.stem"], depth=1)
    assert joined.doc_ids.tolist() == sorted({doc for found in apart for doc in found}) == ["d1", "d2"]


def test_queries_that_find_nothing_are_left_out() -> None:
    with pytest.warns(UserWarning, match="1 queries find no document"):
        data = rw.text_features(DOCS, QUERIES, features="bm25")
    assert data.query_ids.tolist() == ["q1", "q2"]
    with pytest.raises(InputError, match="must share a word"):
        rw.text_features(DOCS, {"q": "unheard"}, features="bm25")


def test_the_sets_have_their_columns() -> None:
    pages = [
        {"id": 1, "text": "wing flow", "url": "http://a/", "links": [2, "2", 9]},
        {"id": 2, "text": "wing", "url": "http://a/x.html", "links": []},
        {"id": 3, "text": "heat", "url": "http://b/"},
    ]
    data = rw.text_features(pages, [{"qid": "q", "text": "wings flow"}], features=["base", "adarank", "links"])
    assert (data.n_features, len(set(data.feature_names))) == (15 + 7 + 2 + 10, 34)
    assert data.doc_ids.tolist() == ["1", "2"]
    column = dict(zip(data.feature_names, data.X.T.tolist(), strict=True))
    assert column["bm25.stem.stop"][0] > column["bm25.stem.stop"][1] > 0
    assert column["pagerank"][1] > column["pagerank"][0]
    bm25 = column["bm25.stem.stop"]
    assert column["links.0.3"] == pytest.approx([bm25[0], 0.3 * bm25[1] + 0.7 * bm25[0]])  # 1 links to 2
    assert column["tree.0.3"] == pytest.approx([0.3 * bm25[0] + 0.7 * bm25[1], bm25[1]])  # 2 lies in 1


def test_blocks_of_queries_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    queries = {f"q{k}": text for k, text in enumerate(["flow", "wing heat", "slipstream", "libraries of heat"])}
    whole = rw.text_features(DOCS, queries, features="base")
    monkeypatch.setattr("rankwright.text.assembly.CELLS", 1)
    parts = rw.text_features(DOCS, queries, features="base")
    assert np.array_equal(whole.X, parts.X)
    assert whole.doc_ids.tolist() == parts.doc_ids.tolist()
    assert whole.qptr.tolist() == parts.qptr.tolist()


@given(
    st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0]), min_size=6, max_size=6), min_size=1, max_size=3),
    st.integers(1, 7),
    st.integers(0, 2**6 - 1),
)
def test_the_best_of_rows_are_a_stable_sort_s_first(rows: list[list[float]], n: int, mask: int) -> None:
    matched = np.tile([bool(mask >> k & 1) for k in range(6)], (len(rows), 1))
    got = best_of_rows(np.array(rows), matched, n)
    for row, found in zip(rows, got.tolist(), strict=True):
        order = sorted((k for k in range(6) if matched[0, k]), key=lambda k: -row[k])
        assert [k for k in range(6) if found[k]] == sorted(order[:n])


# -- files -----------------------------------------------------------------------------------------------------------


def _write(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def test_files_of_every_kind(tmp_path: Path) -> None:
    docs = _write(tmp_path / "docs.jsonl", [{"_id": i, "title": t, "text": ""} for i, t in DOCS.items()])
    tsv = _write(tmp_path / "queries.tsv", ["q1\tflow of a wing", "", "q2\tslipstream heat"])
    lines = _write(tmp_path / "queries.jsonl", [{"id": q, "text": QUERIES[q]} for q in ("q1", "q2")])
    expected = rw.text_features(DOCS, {q: QUERIES[q] for q in ("q1", "q2")}, features="bm25")
    for queries in (tsv, lines):
        data = rw.text_features(docs, queries, features="bm25")
        assert np.array_equal(data.X, expected.X)
        assert data.doc_ids.tolist() == expected.doc_ids.tolist()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], r"docs.jsonl:1: .*JSON object"),
        ([{"id": 1, "text": "a"}, [1]], r"docs.jsonl:2: .*JSON object"),
        ([{"text": "a"}], r":1: .*must have an id"),
        ([{"id": 1, "text": "a"}, {"id": "1", "text": "b"}], r":2: .*'1' twice"),
        ([], "there must be documents"),
        ([{"id": 1, "body": "a"}], "texts must be under"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(tmp_path: Path, lines: list[Any], message: str) -> None:
    path = _write(tmp_path / "docs.jsonl", lines)
    with pytest.raises(InputError, match=message):
        rw.text_features(path, {"q": "a"}, features="bm25")


def test_bytes_and_tables_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="UTF-8"):
        rw.text_features(tmp_path / "d.jsonl", {"q": "a"})
    with pytest.raises(FormatError, match=r"q.tsv:1: .*id, tab, text"):
        rw.text_features(DOCS, _write(tmp_path / "q.tsv", ["q1 flow"]), features="bm25")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth must be"),
        ({"candidates": "some"}, "candidates must be"),
        ({"candidates": "judged"}, "need qrels"),
        ({"features": "bm26"}, "Did you mean 'bm25'"),
        ({"features": ["base", "bm25"]}, "features must be different"),
        ({"features": []}, "at least one"),
        ({"features": "links"}, "need a url"),
        ({"qrels": {"other": {"d1": 1}}}, "a query in common"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        rw.text_features(DOCS, QUERIES, **options)


def test_link_features_alone_find_nothing() -> None:
    pages = [{"id": 1, "text": "a", "url": "http://a/", "links": [2]}, {"id": 2, "text": "b", "url": "http://b/"}]
    with pytest.raises(InputError, match="link features alone"):
        rw.text_features(pages, {"q": "a"}, features="links")


def test_on_cranfield(shared_data: Callable[[str], Path]) -> None:
    """BM25 on stems without stop words is the best of the 15 there, at a MAP of more than 0.42 (recorded: 0.4308)."""
    folder = shared_data("cranfield")
    data = rw.text_features(folder / "docs.jsonl.xz", folder / "queries.jsonl", folder / "qrels.txt")
    values = {n: rw.evaluate(data.X[:, k], data, ["AP"]).means["AP"] for k, n in enumerate(data.feature_names)}
    assert (data.n_queries, data.n_features) == (225, 15)
    assert max(values, key=values.__getitem__) == "bm25.stem.stop"
    assert values["bm25.stem.stop"] > 0.42
