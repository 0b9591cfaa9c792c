"""`rankwright reproduce`."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

import rankwright as rw
from rankwright.data.splits import Fold
from rankwright.evaluation.table import Table
from rankwright.reproduce import EXPERIMENTS
from rankwright.reproduce.adarank_figures import best_on_training, own_measure


@pytest.fixture(scope="session")
def letor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both collections in small: five parts of six queries."""
    folder = tmp_path_factory.mktemp("letor")
    for name, n_features in (("ohsumed-letor2", 25), ("mq2008", 5)):
        data = rw.artificial(30, docs_per_query=8, n_features=n_features, rng=0, label_shares=(0.5, 0.3, 0.2))
        (folder / name).mkdir()
        for k in range(5):
            rw.write(data.queries(range(6 * k, 6 * k + 6)), folder / name / f"S{k + 1}.txt")
    return folder


def test_the_list_names_every_experiment_and_its_data(run) -> None:
    listed = run("reproduce", "--json").json["experiments"]
    assert [e["name"] for e in listed] == list(EXPERIMENTS)
    shown = run("reproduce").out
    assert all(e["name"] in shown and all(need in shown for need in e["needs"]) for e in listed)


@pytest.mark.parametrize("name", ["adarank", "diffrank", "lambdasmart"])
def test_an_experiment_runs_and_prints_tables_and_charts(run, letor: Path, name: str) -> None:
    done = run("reproduce", name, "--data", letor, "--quick")
    assert done.code == 0, done.err
    assert "(Figure 2)" in done.out
    assert "●" in done.out
    sections = run("reproduce", name, "--data", letor, "--quick", "--json").json["sections"]
    assert all(section["title"] in done.out for section in sections)
    curves = [(s["table"], curve) for s in sections for curve in s["curves"]]
    assert curves
    assert all(len(table[curve["x"]]) == len(table[y]) for table, curve in curves for y in curve["y"])


def test_the_figures_on_training_data_say_in_how_many_folds_the_own_measure_is_better() -> None:
    trained = Table(
        {
            "fold": ["1", "2", "mean"],
            "AdaRank.MAP by AP": [0.5, 0.3, 0.4],
            "AdaRank.NDCG by AP": [0.4, 0.4, 0.4],
            "AdaRank.MAP by nDCG@5": [0.2, 0.2, 0.2],
            "AdaRank.NDCG by nDCG@5": [0.3, 0.4, 0.35],
        }
    )
    said = own_measure(trained)
    assert "by AP, AdaRank.MAP is better in 1 of 2 folds, by +0.0000 in the mean" in said
    assert "by nDCG@5, AdaRank.NDCG is better in 2 of 2 folds, by +0.1500 in the mean" in said


def test_of_several_settings_the_one_best_on_training_data_is_taken() -> None:
    data = rw.artificial(n_queries=12, docs_per_query=8, n_features=5, rng=0)
    fold = Fold(data, data, data)
    rankers: list[rw.Ranker] = [rw.AdaRank(n_rounds=20, max_consecutive=times) for times in (1, 2, 5, None)]
    best = best_on_training(rankers, fold)
    assert best.score(data) == max(rw.AdaRank(**r.get_params()).fit(data).score(data) for r in rankers)


def test_the_data_folder_may_be_in_the_environment(run, letor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKWRIGHT_DATA", str(letor.parent / "nowhere"))
    assert "nowhere" in run("reproduce", "adarank").err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["adarnak", "--data", "."], "Did you mean 'adarank'"),
        (["adarank"], "--data"),
        (["adarank", "--data", "/nowhere"], "ohsumed-letor2"),
    ],
)
def test_mistakes_are_one_line_and_code_2(run, monkeypatch: pytest.MonkeyPatch, args: list[str], says: str) -> None:
    monkeypatch.delenv("RANKWRIGHT_DATA", raising=False)
    done = run("reproduce", *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert says in done.err


def test_a_folder_with_missing_parts_is_named(run, tmp_path: Path) -> None:
    (tmp_path / "mq2008").mkdir()
    done = run("reproduce", "diffrank", "--data", tmp_path)
    assert done.code == 2
    assert "S1.txt" in done.err


def test_an_experiment_leaves_a_page_of_its_tables_and_curves(run, letor: Path, tmp_path: Path) -> None:
    page = tmp_path / "diffrank.html"
    done = run("reproduce", "diffrank", "--data", letor, "--quick", "--json", "--report", page)
    assert done.code == 0, done.err
    text = page.read_text()
    for section in done.json["sections"]:
        assert text.count(f">{html.escape(section['title'])}</h2>") == 1
    assert text.count('class="chart"') == sum(len(section["curves"]) for section in done.json["sections"])
