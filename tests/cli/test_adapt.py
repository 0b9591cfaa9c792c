"""`rankwright adapt`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankwright as rw


@pytest.fixture(scope="module")
def domains(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A source, a related target, a few judged queries of it, and a source without the last feature."""
    folder = tmp_path_factory.mktemp("domains")
    source = rw.artificial(30, docs_per_query=10, n_features=5, rng=1)
    target = rw.artificial(20, docs_per_query=10, n_features=5, rng=1, tilt=3.0, sample=1)
    parts = {"source": source, "target": target, "judged": target.queries(range(9))}
    parts["narrow"] = source.with_features(np.ascontiguousarray(source.X[:, :4]))
    for name, data in parts.items():
        rw.write(data, folder / f"{name}.svm")
    return {name: folder / f"{name}.svm" for name in parts}


QUICK = ("--ranker", "addwrb(n_rounds=8)")


def test_without_labels_the_weighted_ranker_is_written(run, domains: dict[str, Path], tmp_path: Path) -> None:
    model, drawn, listed = tmp_path / "m.json", tmp_path / "w.svg", tmp_path / "w.txt"
    done = run(
        "adapt", domains["source"], domains["target"], *QUICK, "-o", model, "--picture", drawn, "--weights", listed
    )
    assert done.code == 0, done.err
    assert "Without target labels nobody knows" in done.out
    source, target = (rw.read(domains[name]) for name in ("source", "target"))
    weights = rw.target_weights(source, target)
    assert [float(line) for line in listed.read_text().split()] == weights.documents.tolist()
    assert drawn.read_text() == weights.picture()
    assert repr(weights) in done.out
    by_hand = rw.adapt(source, target, rw.AddWRB(n_rounds=8), weights=weights)
    assert (rw.load(model).predict(target) == by_hand.rankers["weighted"].predict(target)).all()


def test_with_labels_it_is_what_the_library_says(run, domains: dict[str, Path]) -> None:
    args = (
        "adapt",
        domains["source"],
        domains["target"],
        "--labels",
        domains["judged"],
        *QUICK,
        "-m",
        "AP",
        "--folds",
        3,
    )
    done, document = run(*args), run(*args, "--json").json
    assert done.code == 0, done.err
    source, target, judged = (rw.read(domains[name]) for name in ("source", "target", "judged"))
    ranker = rw.AddWRB(n_rounds=8, measure="AP")
    found = rw.adapt(source, target, ranker, target_labels=judged, measures="AP", folds=3)
    assert document["comparison"] == found.comparison.to_dict()
    assert (document["ways"], document["best"], document["alpha"]) == (
        list(found.rankers),
        found.best,
        found.rankers["interpolated"].alpha_,
    )
    assert "On 9 judged queries of the target" in done.out
    assert all(way in done.out for way in (*found.rankers, *found.skipped))
    assert all(f"{e.means['AP']:.4f}" in done.out for e in found.comparison.evaluations.values())


def test_a_way_and_what_tells_the_domains_apart_can_be_chosen(run, domains: dict[str, Path], tmp_path: Path) -> None:
    model = tmp_path / "m.json"
    common = ("adapt", domains["source"], domains["target"], "--ranker", "single-feature", "--json")
    done = run(*common, "--separator", "svm", "--form", "odds", "--way", "source", "--keep", "source", "-o", model)
    assert done.json["ways"] == ["source"]
    assert done.json["weights"]["form"] == "odds"
    assert done.json["kept"] == "source"
    source = rw.read(domains["source"])
    by_hand = rw.adapt(source, rw.read(domains["target"]), "single-feature", ways=["source"])
    assert (rw.load(model).predict(source) == by_hand.rankers["source"].predict(source)).all()


def test_columns_of_zeros_at_the_end_are_said_to_be_there(run, domains: dict[str, Path]) -> None:
    done = run("adapt", domains["narrow"], domains["target"], *QUICK)
    assert (done.code, done.out) == (2, "")
    assert "the target alone has 5" in done.err.lower()
    assert run("adapt", domains["narrow"], domains["target"], *QUICK, "--n-features", 5).code == 0


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--way", "target"], "there are no target labels"),
        (["--way", "sideways"], "way must be one of"),
        (["--keep", "weigted", "-o", "m.json"], "Did you mean 'weighted'"),
        (["--keep", "weighted"], "Add -o FILE"),
        (["--keep", "target", "-o", "m.json"], "must be a way that is gone"),
        (["--ranker", "adarnak"], "Did you mean 'adarank'"),
        (["-o", "/nowhere/m.json"], "--output must be a file"),
        (["--submodel", "adarank"], "starts from another"),
    ],
)
def test_mistakes_are_one_line_and_code_2(run, domains: dict[str, Path], args: list[str], says: str) -> None:
    done = run("adapt", domains["source"], domains["target"], *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert says in done.err
