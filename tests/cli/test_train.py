"""`rankwright train`."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankwright as rw

pytestmark = pytest.mark.usefixtures("files")


def test_trains_and_says_how_good_it_is(run, files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    done = run("train", files["train"], "--valid", files["valid"], "--ranker", "adarank", "-m", "AP",
               "--n-rounds", 7, "-o", out)  # fmt: skip
    assert done.code == 0, done.err
    assert done.out == ""
    ranker = rw.load(out)
    assert (ranker.name, str(ranker.measure), ranker.get_params()["n_rounds"]) == ("adarank", "AP", 7)
    for part in ("train", "valid"):
        value = rw.evaluate(ranker, rw.read(files[part]), "AP").means["AP"]
        assert f"{part} {value:.4f}" in done.err
    assert str(out) in done.err


def test_json_is_one_document(run, files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    done = run("train", files["train"], "--ranker", "single-feature", "-o", out, "--json")
    assert done.code == 0, done.err
    assert done.err == ""
    assert {"ranker", "measure", "train", "best_round", "rounds", "seconds", "model"} == set(done.json)
    assert done.json["model"] == str(out)


def test_a_checkpoint_is_a_model(run, files: dict[str, Path], tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    done = run("train", files["train"], "-r", "adarank", "--n-rounds", 3, "-o", tmp_path / "m.json",
               "--checkpoint", kept)  # fmt: skip
    assert done.code == 0, done.err
    assert rw.load(kept).predict(rw.read(files["test"])).shape == (15 * 8,)


def test_a_run_goes_on_from_its_checkpoint(run, files: dict[str, Path], tmp_path: Path) -> None:
    kept, whole, first, resumed = (tmp_path / f"{name}.json" for name in ("kept", "whole", "first", "resumed"))
    command = ("train", files["train"], "-r", "lambdamart", "--min-docs", 5)
    assert run(*command, "--n-trees", 8, "-o", whole).code == 0
    assert run(*command, "--n-trees", 3, "-o", first, "--checkpoint", kept).code == 0
    done = run(*command, "--n-trees", 8, "-o", resumed, "--checkpoint", kept, "--resume")
    assert done.code == 0, done.err
    assert resumed.read_bytes() == whole.read_bytes()
    refused = run("train", files["test"], *command[2:], "-o", first, "--checkpoint", kept, "--resume")
    assert refused.code == 2
    assert "must be of the same data" in refused.err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--ranker", "lambdamart", "--resume"], "--checkpoint FILE"),
        (["--ranker", "adarnk"], "Did you mean 'adarank'"),
        (["--ranker", "adarank", "--n-rownds", "3"], "Did you mean --n-rounds"),
        (["--ranker", "adarank", "--n-rounds", "0"], "n_rounds must be"),
        (["--ranker", "adarank", "-m", "nDGC"], "Did you mean 'nDCG'"),
        (["--ranker", "adarank", "--valid", "missing.svm"], "missing.svm"),
        ([], "ranker"),
    ],
)
def test_mistakes_are_one_line_and_code_2(
    run, files: dict[str, Path], tmp_path: Path, args: list[str], says: str
) -> None:
    done = run("train", files["train"], "-o", tmp_path / "m.json", *args)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert says in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_refused_before_training(run, files: dict[str, Path]) -> None:
    done = run("train", files["train"], "-r", "adarank", "-o", "/nowhere/at/all/m.json")
    assert done.code == 2
    assert "folder" in done.err


def test_help_lists_the_options_of_the_ranker(run) -> None:
    done = run("train", "--ranker", "adarank", "--help")
    assert done.code == 0
    assert "--n-rounds" in done.out
    assert "Example" in done.out


def test_no_interval_between_two_helps(run) -> None:
    run("train", "--ranker", "adarank", "--help")
    assert "Options of adarank" not in run("train", "--help").out
