"""`rankwright evaluate`, `compare`, `demo`, `measures`, `rankers`."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import rankwright as rw


def test_evaluate_is_what_the_library_says(run, files: dict[str, Path]) -> None:
    done = run("evaluate", files["model"], files["test"], "-m", "nDCG@5", "-m", "AP,RR")
    assert done.code == 0, done.err
    means = rw.evaluate(rw.load(files["model"]), rw.read(files["test"]), ["nDCG@5", "AP", "RR"]).means
    assert all(name in done.out and f"{value:.4f}" in done.out for name, value in means.items())
    as_json = run("evaluate", files["model"], files["test"], "-m", "nDCG@5", "-m", "AP,RR", "--json").json
    assert as_json["means"] == means


def test_scores_and_runs_do_as_well_as_models(run, files: dict[str, Path], tmp_path: Path) -> None:
    scores, ran = tmp_path / "scores.txt", tmp_path / "r.run"
    predicted = rw.load(files["model"]).predict(rw.read(files["test"]))
    scores.write_text("".join(f"{score!r}\n" for score in predicted.tolist()))
    assert run("rank", files["model"], files["test"], "-o", ran).code == 0
    first, *others = (run("evaluate", system, files["test"], "--json").json for system in (files["model"], scores, ran))
    assert [other["means"] for other in others] == [first["means"]] * 2


def test_policies_change_every_measure(run, files: dict[str, Path]) -> None:
    done = run(
        "evaluate", files["model"], files["test"], "-m", "AP,nDCG@3", "--ties", "worst", "--empty", "skip", "--json"
    )
    assert list(done.json["means"]) == ["AP(ties=worst,empty=skip)", "nDCG(ties=worst,empty=skip)@3"]


def test_presets_reach_the_library(run, files: dict[str, Path]) -> None:
    done = run("evaluate", files["model"], files["test"], "-m", "nDCG@5", "--preset", "letor4", "--json")
    means = rw.evaluate(rw.load(files["model"]), rw.read(files["test"]), "nDCG@5", preset="letor4").means
    assert done.json["means"] == means


def test_per_query_values_are_written(run, files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "values.csv"
    done = run("evaluate", files["model"], files["test"], "-m", "AP", "--per-query", out, "--json")
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["qid", "AP"]
    assert np.mean([float(row["AP"]) for row in rows]) == pytest.approx(done.json["means"]["AP"], abs=1e-15)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["-m", "nDGC@10"], "Did you mean 'nDCG'"),
        (["--ties", "random"], "expected, worst, input, docid"),
        (["--preset", "trek"], "trec"),
    ],
)
def test_mistakes_are_one_line_and_code_2(run, files: dict[str, Path], args: list[str], says: str) -> None:
    done = run("evaluate", files["model"], files["test"], *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert says in done.err


def test_data_in_place_of_a_model_is_told(run, files: dict[str, Path]) -> None:
    done = run("evaluate", files["test"], files["model"])
    assert done.code == 2
    assert "Write rankwright evaluate MODEL DATA" in done.err


def test_a_line_that_is_no_score_is_named(run, files: dict[str, Path], tmp_path: Path) -> None:
    scores = tmp_path / "scores.txt"
    scores.write_text("0.5\nhalf\n")
    done = run("evaluate", scores, files["test"])
    assert done.code == 2
    assert f"{scores}:2" in done.err


@pytest.mark.parametrize(
    ("run_lines", "qrels", "says"),
    [
        ("q1 Q0 d1 1 2.5\n", "q1 0 d1 1\n", "a.run:1: each line must hold 6 fields"),
        ("q1 Q0 d1 1 2.5 x\n", "q1 0 d1\n", "qrels.txt:1: each line must hold 4 fields"),
        ("q1 Q0 d1 1 2.5 x\n", "q1 0 d1 1\n", ""),
    ],
)
def test_runs_and_qrels_are_known_by_their_lines(run, tmp_path: Path, run_lines: str, qrels: str, says: str) -> None:
    (tmp_path / "a.run").write_text(run_lines)
    (tmp_path / "qrels.txt").write_text(qrels)
    done = run("evaluate", tmp_path / "a.run", tmp_path / "qrels.txt", "--json")
    assert done.code == (2 if says else 0)
    assert says in done.err


def test_compare_is_what_the_library_says(run, files: dict[str, Path]) -> None:
    rankers = "adarank(n_rounds=5),single_feature"
    args = ("compare", files["train"], files["test"], "--valid", files["valid"], "-r", rankers, "-m", "AP")
    done = run(*args, "--json")
    assert done.code == 0, done.err
    train, valid, test = (rw.read(files[part]) for part in ("train", "valid", "test"))
    expected = rw.AdaRank(measure="AP", n_rounds=5).fit(train, valid=valid)
    board = {row["system"]: row["AP"] for row in done.json["leaderboard"]}
    assert board["adarank(n_rounds=5)"] == rw.evaluate(expected, test, "AP").means["AP"]
    shown = run(*args).out
    assert "adarank(n_rounds=5)" in shown
    assert "against the others" in shown


def test_compare_on_folds_ranks_every_query_once(run, files: dict[str, Path]) -> None:
    done = run(
        "compare", files["train"], "--folds", 3, "-r", "single_feature,adarank(n_rounds=3)", "-m", "AP", "--json"
    )
    assert done.code == 0, done.err
    assert (done.json["n_queries"], done.json["n_folds"]) == (15, 3)


@pytest.mark.parametrize("extra", [[], ["{test}", "--folds", "3"]])
def test_compare_wants_a_test_file_or_folds(run, files: dict[str, Path], extra: list[str]) -> None:
    done = run("compare", files["train"], *(arg.format(test=files["test"]) for arg in extra), "-r", "single_feature")
    assert done.code == 2
    assert "--folds" in done.err


def test_the_same_ranker_twice_is_an_error(run, files: dict[str, Path]) -> None:
    done = run("compare", files["train"], files["test"], "-r", "adarank,adarank")
    assert done.code == 2
    assert "different" in done.err


def test_the_demo_shows_every_ranker(run) -> None:
    from rankwright.rankers import REGISTRY

    done = run("demo", "--budget", 1)
    assert done.code == 0, done.err
    assert f"Training {len(REGISTRY)} rankers" in done.err
    assert [name for name in REGISTRY if name not in done.out] == []
    assert all(cls.__module__.startswith("rankwright.") for cls in REGISTRY.values())
    assert "├" in done.out
    assert "rankwright train" in done.out


@pytest.mark.parametrize("command", ["rankers", "measures"])
def test_lists_come_from_the_registries(run, command: str) -> None:
    from rankwright import measures, rankers

    registry = {"rankers": rankers.REGISTRY, "measures": measures.REGISTRY}[command]
    names = {cls.name for cls in registry.values() if cls.__module__.startswith("rankwright.")}
    done = run(command, "--json")
    assert names <= {row["name"] for row in done.json[command]}
    shown = run(command).out
    assert [name for name in names if name not in shown] == []


def test_one_ranker_lists_its_options(run) -> None:
    done = run("rankers", "AdaRank", "--json")
    rounds = next(option for option in done.json["options"] if option["name"] == "n_rounds")
    assert rounds["flag"] == "--n-rounds"
    assert rounds["about"]
    assert "--n-rounds" in run("rankers", "adarank").out


def test_one_measure_lists_its_options(run) -> None:
    assert "exp2" in run("measures", "ndcg").out
    assert {"ties", "empty", "gain"} <= {option["name"] for option in run("measures", "nDCG", "--json").json["options"]}
