"""`rankwright export`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankwright as rw
from rankwright.exports import FORMATS


@pytest.fixture
def names(tmp_path: Path) -> Path:
    path = tmp_path / "names.txt"
    path.write_text("title_bm25\nbody_bm25\nclicks\n\nage\nlength\n")
    return path


def test_export_writes_what_the_function_gives(run, files: dict[str, Path], names: Path, tmp_path: Path) -> None:
    out = tmp_path / "body.json"
    done = run("export", files["model"], "--to", "elasticsearch", "--name", "m", "--features", names, "-o", out)
    assert done.code == 0, done.err
    assert done.err.startswith("elasticsearch: scores agree on ")
    features = ["title_bm25", "body_bm25", "clicks", "age", "length"]
    assert out.read_bytes() == rw.export(rw.load(files["model"]), "elasticsearch", name="m", features=features).data
    assert json.loads(out.read_text())["model"]["name"] == "m"


def test_export_to_standard_output_compares_on_rows(run, files: dict[str, Path]) -> None:
    done = run("export", files["model"], "--to", "ranklib", "--rows", files["test"])
    assert done.code == 0, done.err
    assert done.out.splitlines()[0] == "## Coordinate Ascent"
    assert "120 rows, exactly" in done.err


def test_export_as_json(run, files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "m.onnx"
    answer = run("export", files["model"], "--to", "onnx", "-o", out, "--json").json
    assert (answer["format"], answer["written"], answer["rows"]) == ("onnx", str(out), 256)
    assert out.stat().st_size > 0
    assert run("export", files["model"], "--to", "ranklib", "--json").json["content"].startswith("## Coordinate")
    done = run("export", files["model"], "--to", "onnx", "--json")
    assert (done.code, done.out) == (2, "")
    assert "Name a file with -o" in done.err


def test_export_lists_the_formats(run) -> None:
    done = run("export", "--list")
    assert done.code == 0, done.err
    assert all(name in done.out for name in FORMATS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "ranklob"], "Did you mean 'ranklib'?"),
        (["--to", "elasticsearch"], "knows features by name"),
        (["--to", "lightgbm"], "holds trees alone"),
        (["--to", "ranklib", "-o", "nowhere/m.txt"], "Create the folder first"),
        (["--to", "ranklib", "--features", "absent.txt"], "absent.txt"),
    ],
)
def test_what_cannot_be_exported(run, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                 arguments: list[str], message: str) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    done = run("export", files["model"], *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert list(tmp_path.iterdir()) == []
