"""The SVM-map paper's experiment: splits, tables, and the whole of it in small."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import rankwright as rw
from rankwright.reproduce import experiment, svmmap_trials
from rankwright.reproduce.svmmap import COLLECTIONS
from rankwright.reproduce.svmmap_tables import comparison, wins_and_losses
from rankwright.reproduce.svmmap_trials import METHODS, Made, Method, Results, run_trials, splits


@pytest.mark.parametrize(("n_queries", "sizes"), [(50, (10, 5, 35)), (30, (6, 3, 21)), (225, (20, 10, 70))])
def test_every_query_has_every_role_about_equally_often(n_queries: int, sizes: tuple[int, int, int]) -> None:
    counts = np.zeros((3, n_queries))
    for parts in splits(n_queries, 50, 100, 0):
        assert tuple(map(len, parts)) == sizes
        assert len(np.unique(np.concatenate(parts))) == sum(sizes)
        for role, part in enumerate(parts):
            counts[role, part] += 1
    assert (np.ptp(counts, axis=1) <= [1, 2, 4]).all()


def test_wins_losses_and_stars() -> None:
    assert wins_and_losses(np.array([0.1] * 9 + [0.0, -0.05])) == "9/1 **"
    assert wins_and_losses(np.array([0.1, -0.1, 0.2, -0.2])) == "2/2"
    assert wins_and_losses(np.array([1.0, 2.0, 3.0, 4.0, 5.0])) == "5/0 *"  # two of 2^5 signs: p = 1/16


def test_a_table_compares_with_svm_map() -> None:
    found = {
        "A": Results({"SVM-map": np.array([0.5, 0.7])}, {"bm25": np.array([0.5, 0.1]), "tf": np.array([0.2, 0.2])})
    }
    assert found["A"].best_functions(1) == ["bm25"]
    table = comparison(found, {"A": [("SVM-map", "SVM-map"), ("Best", "bm25")]}, names=True)
    assert table["A"].tolist() == pytest.approx([0.6, 0.3])
    assert table["A W/L"].tolist() == ["–", "1/0"]
    assert table["A:"].tolist() == ["", "bm25"]


def _small() -> rw.Dataset:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    X = np.column_stack([y + rng.normal(size=200), rng.normal(size=200)])
    return rw.Dataset(X, y, group=np.full(20, 10))


def test_any_number_of_threads_the_same_results(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for n in ("1", "2"):
        monkeypatch.setenv("RANKWRIGHT_THREADS", n)
        found.append(run_trials(_small(), 3))
    assert list(found[0].methods) == list(METHODS)
    for of in ("methods", "functions"):
        one, two = (getattr(results, of) for results in found)
        assert {name: values.tobytes() for name, values in one.items()} == {n: v.tobytes() for n, v in two.items()}


def test_a_trial_is_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set[int]()

    def learned(made: Made) -> list[np.ndarray]:
        seen.update(library["num_threads"] for library in threadpool_info())
        return [np.ones(made.train.n_features)]

    monkeypatch.setenv("RANKWRIGHT_THREADS", "1")
    monkeypatch.setattr(svmmap_trials, "METHODS", {"equal": Method(learned, spacing=None)})
    assert list(run_trials(_small(), 1).methods) == ["equal"]
    assert seen == {1}


@pytest.fixture
def collections(tmp_path: Path) -> Path:
    """Ten topics, each with words of its own among common ones."""
    rng = np.random.default_rng(0)
    for name in COLLECTIONS:
        (tmp_path / name).mkdir()
        part = ".test" if name == "nfcorpus" else ""
        topics = [[f"topic{t}word{w}" for w in range(4)] for t in range(10)]
        common = [f"common{w}" for w in range(30)]
        docs, qrels = [], []
        for d in range(60):
            words = rng.choice(topics[d % 10] * 2 + common, 15)
            docs.append({"id": f"d{d}", "text": " ".join(words)})
            qrels.append(f"q{d % 10} 0 d{d} 1")
        queries = [{"id": f"q{t}", "text": " ".join([*topics[t], *common[:8]])} for t in range(10)]
        (tmp_path / name / "docs.jsonl").write_text("\n".join(map(json.dumps, docs)))
        (tmp_path / name / f"queries{part}.jsonl").write_text("\n".join(map(json.dumps, queries)))
        (tmp_path / name / f"qrels{part}.txt").write_text("\n".join(qrels) + "\n")
    return tmp_path


@pytest.mark.slow
def test_the_experiment_in_small(collections: Path) -> None:
    told: list[str] = []
    sections = list(experiment("svmmap").run(collections, quick=True, tell=told.append))
    assert [re.findall(r"Table (\d+)|$", s.title)[0] for s in sections] == ["5", "6", "9", "7", "10", "8", "11"]
    assert len(told) == 3 * len(COLLECTIONS)
    methods = sections[2].table
    assert methods["model"].tolist() == list(METHODS)
    assert all((methods[title] > 0.3).all() for title in COLLECTIONS.values())
    best = sections[1].table
    assert (np.diff(best["Cranfield"][1:]) <= 0).all()
    assert sections[0].table["features"].tolist() == [15] * 4
