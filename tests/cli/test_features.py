"""`rankwright features`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import rankwright as rw
from rankwright.text import Parameters

DOCS = [{"id": "d1", "title": "wing", "text": "flow"}, {"id": "d2", "title": "heat", "text": "of a wing"}]


def _inputs(folder: Path) -> list[Path]:
    docs, queries, qrels = folder / "docs.jsonl", folder / "queries.tsv", folder / "qrels.txt"
    docs.write_text("".join(json.dumps(doc) + "\n" for doc in DOCS))
    queries.write_text("q1\tthe flow of wings\nq2\theat\n")
    qrels.write_text("q1 0 d1 2\nq2 0 d2 1\n")
    return [docs, queries, qrels]


def test_writes_what_python_makes(run: Callable[..., Any], tmp_path: Path) -> None:
    docs, queries, qrels = _inputs(tmp_path)
    out = tmp_path / "out.svm"
    done = run("features", docs, queries, "--qrels", qrels, "-f", "base,adarank", "--mu", 100, "-o", out)
    assert done.code == 0, done.err
    assert "22 features" in done.err
    assert "3 bm25" in done.err
    expected = rw.text_features(docs, queries, qrels, features=["base", "adarank"], parameters=Parameters(mu=100.0))
    made = rw.read(out)
    assert np.array_equal(made.X, expected.X)
    assert made.y.tolist() == [2, 0, 1]
    assert made.doc_ids is not None
    assert made.doc_ids.tolist() == ["d1", "d2", "d2"]


def test_json_names_the_columns(run: Callable[..., Any], tmp_path: Path) -> None:
    docs, queries, _ = _inputs(tmp_path)
    done = run("features", docs, queries, "-f", "bm25,cosine.stem", "-o", tmp_path / "out.svm", "--json")
    assert done.json["features"] == ["bm25", "cosine.stem"]
    assert (done.json["queries"], done.json["documents"], done.json["relevant"]) == (2, 3, 0)


def test_what_is_wrong_ends_with_2(run: Callable[..., Any], tmp_path: Path) -> None:
    docs, queries, _ = _inputs(tmp_path)
    done = run("features", docs, queries, "-f", "bm26", "-o", tmp_path / "out.svm")
    assert done.code == 2
    assert "Did you mean 'bm25'" in done.err
    assert not (tmp_path / "out.svm").exists()
