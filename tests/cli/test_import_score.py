"""`rankwright import` and `rankwright score`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.models.forests import random_forest

import rankwright as rw
from rankwright.data import letor_stream


@pytest.fixture
def lgb(tmp_path: Path) -> Path:
    """A forest of 5 features as LightGBM's text."""
    path = tmp_path / "lgb.txt"
    rw.export(random_forest(np.random.default_rng(0), 20, 12, 5), "lightgbm", path, features=list("abcde"))
    return path


def test_what_is_imported_is_a_model_like_any_other(run, lgb: Path, files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    done = run("import", lgb, "-o", out)
    assert done.code == 0, done.err
    assert done.err.startswith("LightGBM: forest of 5 features, 21 trees, ")
    again = rw.load(out)
    assert again.feature_names_in_.tolist() == list("abcde")
    X = rw.read(files["test"]).X
    assert again.predict(X).tolist() == rw.read_model(lgb).scores(X).tolist()
    for command in ("evaluate", "rank", "score"):
        from_model, from_engine = run(command, out, files["test"]), run(command, lgb, files["test"])
        assert from_model.code == 0, from_model.err
        assert from_model.out.replace("model.json", "lgb.txt") == from_engine.out
    exported = rw.read_model(run("export", out, "--to", "lightgbm").out.encode())
    assert exported.scores(X).tolist() == again.predict(X).tolist()


def test_import_to_standard_output_and_as_json(run, lgb: Path, tmp_path: Path) -> None:
    done = run("import", lgb)
    out = tmp_path / "m.json"
    answer = run("import", lgb, "-o", out, "--json").json
    assert (answer["engine"], answer["kind"], answer["trees"], answer["written"]) == (
        "LightGBM",
        "forest",
        21,
        str(out),
    )
    assert done.out == out.read_text()


@pytest.mark.parametrize("window", [1 << 24, 200])
def test_scores_stand_in_the_order_of_documents(
    run, lgb: Path, files: dict[str, Path], tmp_path: Path, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letor_stream, "WINDOW", window)
    monkeypatch.setattr(letor_stream, "CHUNK", min(window, 16))
    monkeypatch.setattr(letor_stream, "LARGEST", window)
    expected = rw.load(lgb).predict(rw.read(files["test"])).tolist()
    out = tmp_path / "scores"
    done = run("score", lgb, files["test"], "-o", out)
    assert done.code == 0, done.err
    assert [float(line) for line in out.read_text().splitlines()] == expected
    assert done.err.startswith("120 documents scored in ")
    assert run("score", lgb, "-", stdin=files["test"].read_bytes()).out == out.read_text()
    assert run("score", lgb, files["test"], "-o", out, "--json").json["documents"] == 120


def test_tables_and_models_of_whole_queries_are_scored_too(run, files: dict[str, Path], tmp_path: Path) -> None:
    data = rw.read(files["test"])
    ranker = rw.DiffRank(n_rounds=3).fit(rw.read(files["train"]))
    ranker.save(tmp_path / "m.json")
    found = [float(line) for line in run("score", tmp_path / "m.json", files["test"]).out.splitlines()]
    assert found == ranker.predict(data).tolist()
    rw.write(data, tmp_path / "test.csv")
    assert len(run("score", files["model"], tmp_path / "test.csv").out.splitlines()) == 120


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        ("lgb.txt", "1 qid:1 6:1\n", ":1: feature ids must be at most 5"),
        ("lgb.txt", "1 qid:1 1:1\n" * 50 + "1 qid:1 1:x\n", ":51: a feature's value must be a number"),
        ("lgb.txt", "1 qid:1 1:1\n" * 50 + "1 1:1\n", ":51: every line must have a qid"),
        ("cut.txt", "1 qid:1 1:1\n", "end of trees"),
        ("absent.txt", "1 qid:1 1:1\n", "absent.txt: No such file"),
    ],
)
def test_what_cannot_be_scored(
    run, lgb: Path, model: str, data: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(lgb.parent)
    monkeypatch.setattr(letor_stream, "WINDOW", 100)
    monkeypatch.setattr(letor_stream, "CHUNK", 16)
    Path("d.svm").write_text(data)
    Path("cut.txt").write_bytes(lgb.read_bytes()[:1500])
    done = run("score", model, "d.svm", "-o", "scores")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not Path("scores").exists()


def test_what_cannot_be_imported(run, tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(b"\x80\x04\x95pickle")
    done = run("import", tmp_path / "m", "-o", tmp_path / "out.json")
    assert (done.code, done.out) == (2, "")
    assert "a model must be LightGBM text" in done.err
