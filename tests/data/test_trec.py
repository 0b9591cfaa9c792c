"""TREC files: what is read, what is refused with its line, and what is written."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import HealthCheck, given, settings, strategies as st

import rankwright
from rankwright import Dataset, FormatError, InputError, read_qrels, read_run, write_run
from rankwright.data.compressed import MAGIC
from rankwright.data.trec import doc_names, write_qrels

# NumPy's texts end before a trailing NUL, which no id has
WORD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6).filter(
    lambda w: w.encode().split() == [w.encode()]
)


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "file"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_a_run(file: Any) -> None:
    run = read_run(file("q1 Q0 d1 1 2.5 bm25\nq1\tQ0\td2\t2\t-1e-3\tbm25\r\n\nq2 Q0 d1 1 7 bm25"))
    assert run == {"q1": {"d1": 2.5, "d2": -0.001}, "q2": {"d1": 7.0}}
    assert run.tag == "bm25"


def test_qrels(file: Any) -> None:
    grades = read_qrels(file("\ufeff301 0 a 1\n301 0 b -2\n302 1 a 0\n"))
    assert grades == {"301": {"a": 1.0, "b": -2.0}, "302": {"a": 0.0}}


def test_only_ascii_space_parts_fields(file: Any) -> None:
    assert read_qrels(file("q 0 a\u00a0b\u2028c 1\n")) == {"q": {"a\u00a0b\u2028c": 1.0}}


def test_compressed(file: Any) -> None:
    assert read_qrels(file(gzip.compress(b"q 0 d 1\n"))) == {"q": {"d": 1.0}}
    with pytest.raises(FormatError, match="must be whole"):
        read_qrels(file(gzip.compress(b"q 0 d 1\n")[:-3]))


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst", ".bz2"])
def test_written_compressed(tmp_path: Any, suffix: str) -> None:
    path = tmp_path / f"a.run{suffix}"
    write_run(Dataset([[1.0], [2.0]], qid=["q", "q"], doc_ids=["a", "b"]), [0.5, 1.5], path)
    assert path.read_bytes().startswith(MAGIC[suffix])
    assert read_run(path) == {"q": {"b": 1.5, "a": 0.5}}


def test_a_text_that_begins_as_bzip2_does(file: Any) -> None:
    assert read_qrels(file("BZh9 0 d 1\n")) == {"BZh9": {"d": 1.0}}


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("", 0, "The file has no lines"),
        ("\n \n", 0, "The file has no lines"),
        ("q Q0 d 1 2.0 t\n\nq Q0 d 1 2.0\n", 3, "must hold 6 fields: query, Q0, document.*Got 5"),
        ("q Q0 d 1 2.0 my tag\n", 1, "Got 7"),
        ("q Q0 d 1 high t\n", 1, "the score must be a finite number. Got 'high'"),
        ("q Q0 a 1 1 t\nq Q0 b 1 nan t\n", 2, "the score must be a finite number. Got 'nan'"),
        ("q Q0 a 1 1 t\n\nq Q0 b 1 inf t\n", 3, "Got 'inf'"),
        ("q Q0 a 1 1_000 t\n", 1, "Got '1_000'"),
        ("q Q0 a 1 1 t\nr Q0 a 1 1 t\nq Q0 a 2 0 t\n", 3, "listed once per query. Got 'a' again for 'q'"),
        (b"q Q0 a 1 1 t\nq Q0 \xff 1 1 t\n", 2, "UTF-8"),
    ],
)
def test_runs_that_are_refused(file: Any, content: str | bytes, line: int, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as error:
        read_run(file(content))
    assert error.value.line == line


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("q 0 d\n", 1, "must hold 4 fields: query, iteration, document, grade. Got 3"),
        ("q 0 d 1\nq 0 e one\n", 2, "the grade must be a finite number"),
        ("q 0 d 1\nq 1 d 2\n", 2, "listed once per query"),
    ],
)
def test_qrels_that_are_refused(file: Any, content: str, line: int, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as error:
        read_qrels(file(content))
    assert error.value.line == line


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    content=st.binary(max_size=60)
    | st.lists(st.sampled_from([b"q", b" ", b"1", b"\n", b"0", b"\xff", b"-"])).map(b"".join)
)
def test_nothing_but_format_errors(file: Any, content: bytes) -> None:
    for read in (read_run, read_qrels):
        with contextlib.suppress(FormatError):
            table = read(file(content))
            assert all(np.isfinite(list(docs.values())).all() for docs in table.values())


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    run=st.dictionaries(
        WORD, st.dictionaries(WORD, st.floats(allow_nan=False, allow_infinity=False), min_size=1), min_size=1
    )
)
def test_a_written_run_is_read_as_it_was(tmp_path: Path, run: dict[str, dict[str, float]]) -> None:
    rows = [(query, doc, score) for query, docs in run.items() for doc, score in docs.items()]
    data = Dataset(np.zeros((len(rows), 1)), qid=[r[0] for r in rows], doc_ids=[r[1] for r in rows])
    write_run(data, [r[2] for r in rows], tmp_path / "a.run.gz", "t")
    assert read_run(tmp_path / "a.run.gz") == run


def test_a_run_lists_documents_in_rank_order(tmp_path: Path) -> None:
    data = Dataset(np.zeros((5, 1)), qid=["q", "r", "q", "q", "q"], doc_ids=["a", "x", "c", "b", "d"])
    write_run(data, [1.0, 9.0, 1.0, 2.0, 1 / 3], tmp_path / "run", "mine")
    assert (tmp_path / "run").read_text().splitlines() == [
        "q Q0 b 1 2.0 mine",
        "q Q0 c 2 1.0 mine",
        "q Q0 a 3 1.0 mine",
        "q Q0 d 4 0.3333333333333333 mine",
        "r Q0 x 1 9.0 mine",
    ]
    write_run(data, [1.0, 9.0, 1.0, 2.0, 1 / 3], tmp_path / "run", "mine", depth=1)
    assert [line.split()[2] for line in (tmp_path / "run").read_text().splitlines()] == ["b", "x"]


def test_documents_without_ids_are_called_by_their_place(tmp_path: Path) -> None:
    data = Dataset(np.zeros((3, 1)), [0, 1, 2], qid=[321, 322, 321])
    write_run(data, [3, 2, 1], tmp_path / "run")
    assert read_run(tmp_path / "run") == {"321": {"321.1": 3, "321.2": 1}, "322": {"322.1": 2}}
    write_qrels(data, tmp_path / "qrels")
    assert read_qrels(tmp_path / "qrels") == {"321": {"321.1": 0, "321.2": 2}, "322": {"322.1": 1}}


def test_trec_eval_sees_what_is_written(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    qid = np.repeat(["a", "b", "c"], 20)
    data = Dataset(np.zeros((60, 1)), rng.integers(0, 3, 60), qid=qid, doc_ids=[f"d{i % 20}" for i in range(60)])
    scores = rng.permutation(60).astype(float)
    write_run(data, scores, tmp_path / "run")
    write_qrels(data, tmp_path / "qrels")
    with (tmp_path / "run").open() as run, (tmp_path / "qrels").open() as qrels:
        judge = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(qrels), {"map"})
        values = judge.evaluate(pytrec_eval.parse_run(run))
    for query in "abc":
        labels = data.y[qid == query][np.argsort(-scores[qid == query])]
        precision = np.cumsum(labels > 0) / np.arange(1, 21)
        assert values[query]["map"] == pytest.approx(precision[labels > 0].mean())


@pytest.mark.parametrize(
    ("ids", "scores", "tag", "message"),
    [
        (["a b", "c"], [1, 2], "t", "document ids must be words"),
        (["", "c"], [1, 2], "t", "document ids must be words"),
        (["a", "c"], [1, 2], "my run", "the tag must be words"),
        (["a", "c"], [1, np.nan], "t", "scores must be finite. Got nan"),
        (["a", "c"], [1], "t", "one value per document"),
    ],
)
def test_runs_that_cannot_be_written(tmp_path: Path, ids: Any, scores: Any, tag: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        write_run(Dataset([[1.0], [2.0]], doc_ids=ids), scores, tmp_path / "run", tag)
    assert list(tmp_path.iterdir()) == []


def test_news2018_judgements(shared_data: Callable[[str], Path]) -> None:
    grades = read_qrels(shared_data("news2018/newsir18-entity.qrel"))
    assert sum(map(len, grades.values())) == 823
    assert grades["321"]["321.1"] == 1
    counts = np.bincount([int(g) for docs in grades.values() for g in docs.values()])
    assert counts.tolist() == [317, 271, 150, 31, 54]


@pytest.mark.parametrize(("part", "n_docs"), [("train", 782), ("test", 41)])
def test_news2018_documents_are_called_as_in_their_judgements(
    shared_data: Callable[[str], Path], part: str, n_docs: int
) -> None:
    """Its qrels call documents "query.place", which is what documents without ids are called here."""
    pytest.importorskip("rankwright.data.letor")
    grades = read_qrels(shared_data("news2018/newsir18-entity.qrel"))
    data = rankwright.read(shared_data(f"news2018/trec_news_2018.{part}"))
    queries = data.query_ids.astype(str)[data.query_of_row]
    labels = [grades[query][doc] for query, doc in zip(queries, doc_names(data), strict=True)]
    assert data.y.tolist() == labels
    assert len(labels) == n_docs
