"""`rankwright synth`, `describe`, `convert`, `rank`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankwright as rw


def test_synth_is_seeded(run, tmp_path: Path) -> None:
    made = [tmp_path / f"{name}.svm" for name in "abc"]
    for path, seed in zip(made, (3, 3, 4), strict=True):
        assert run("synth", path, "--queries", 4, "--docs", 5, "--features", 3, "--seed", seed).code == 0
    first, same, other = (path.read_bytes() for path in made)
    assert first == same != other
    data = rw.read(made[0])
    assert (data.n_queries, data.n_docs, data.n_features) == (4, 4 * 5, 3)


def test_synth_to_standard_output(run, tmp_path: Path) -> None:
    assert run("synth", tmp_path / "a.svm", "--queries", 3, "--seed", 1).code == 0
    assert run("synth", "-", "--queries", 3, "--seed", 1).out == (tmp_path / "a.svm").read_text()


def test_convert_keeps_the_data(run, files: dict[str, Path], tmp_path: Path) -> None:
    there, back = tmp_path / "a.parquet", tmp_path / "b.svm.gz"
    assert run("convert", files["train"], there).code == 0
    assert run("convert", there, back).code == 0
    before, after = rw.read(files["train"]), rw.read(back)
    assert np.array_equal(before.X, after.X)
    assert np.array_equal(before.y, after.y)
    assert np.array_equal(before.qptr, after.qptr)


def test_convert_takes_the_names_of_columns(run, tmp_path: Path) -> None:
    table, out = tmp_path / "a.csv", tmp_path / "a.svm"
    table.write_text("query,grade,bm25,price,doc\na,1,0.5,3,x\na,0,0.2,1,y\n")
    assert "Say which it is: label='...', or rankwright convert --label." in run("describe", table).err
    columns = ("--label", "grade", "--qid", "query", "--doc-id", "doc", "--features", "price,bm25")
    assert run("convert", table, out, *columns).code == 0
    data = rw.read(out)
    assert (data.y.tolist(), data.query_ids.tolist(), data.doc_ids.tolist()) == ([1, 0], ["a"], ["x", "y"])
    assert data.X.tolist() == [[3, np.float32(0.5)], [1, np.float32(0.2)]]
    done = run("convert", out, tmp_path / "b.svm", *columns)
    assert done.code == 2
    assert "only tables have columns to name" in done.err


def test_convert_reads_standard_input(run, files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "a.svm"
    done = run("convert", "-", out, "--json", stdin=files["train"].read_bytes())
    assert done.code == 0, done.err
    assert done.json["queries"] == 15
    assert np.array_equal(rw.read(out).X, rw.read(files["train"]).X)


@pytest.mark.parametrize(("text", "line"), [(b"1 qid:1 1:x\n", ":1"), (b"", ""), (b"hello\n", "")])
def test_what_is_wrong_with_standard_input_is_told_as_such(run, text: bytes, line: str) -> None:
    done = run("describe", "-", stdin=text)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: standard input{line}: ")


def test_an_unknown_ending_is_an_error(run, files: dict[str, Path], tmp_path: Path) -> None:
    done = run("convert", files["train"], tmp_path / "a.docx")
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert list(tmp_path.iterdir()) == []


def test_describe_counts(run, files: dict[str, Path]) -> None:
    done = run("describe", files["train"])
    assert done.code == 0, done.err
    assert "15" in done.out
    assert "120" in done.out
    assert run("describe", files["train"], "--json").json["n_docs"] == 15 * 8


def test_a_broken_file_is_named_with_its_line(run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.svm"
    bad.write_text("1 qid:1 1:0.5\nzero qid:1 1:0.5\n")
    done = run("describe", bad)
    assert done.code == 2
    assert f"{bad}:2" in done.err


def test_rank_writes_a_trec_run(run, files: dict[str, Path], tmp_path: Path) -> None:
    done = run("rank", files["model"], files["test"], "--tag", "mine")
    assert done.code == 0, done.err
    lines = [line.split() for line in done.out.splitlines()]
    assert len(lines) == 15 * 8
    assert all(len(line) == 6 and line[1] == "Q0" and line[5] == "mine" for line in lines)
    assert [int(line[3]) for line in lines[:8]] == list(range(1, 9))
    scores = [float(line[4]) for line in lines[:8]]
    assert scores == sorted(scores, reverse=True)
    out = tmp_path / "r.run"
    assert run("rank", files["model"], files["test"], "--tag", "mine", "-o", out).code == 0
    assert out.read_text() == done.out


def test_rank_keeps_the_first(run, files: dict[str, Path]) -> None:
    shallow = run("rank", files["model"], files["test"], "-k", 3).out.splitlines()
    deep = run("rank", files["model"], files["test"]).out.splitlines()
    assert shallow == [line for line in deep if int(line.split()[3]) <= 3]


def test_rank_as_json(run, files: dict[str, Path]) -> None:
    lists = run("rank", files["model"], files["test"], "-k", 2, "--json").json["queries"]
    assert len(lists) == 15
    assert all(len(documents) == 2 for documents in lists.values())


@pytest.mark.parametrize("command", ["rank", "evaluate"])
def test_a_model_that_is_none(run, files: dict[str, Path], tmp_path: Path, command: str) -> None:
    broken = tmp_path / "m.json"
    broken.write_text('{"format": ')
    done = run(command, broken, files["test"])
    assert done.code == 2
    assert str(broken) in done.err
