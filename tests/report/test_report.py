"""Reports: each section is there where its data is, and says what the comparison says."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.report.conftest import NAMES, Known
from tests.report.reading import Parsed, charts_of
from tests.report.test_page import assert_plotly_takes

import rankwright as rw
from rankwright.errors import InputError
from rankwright.evaluation import Comparison
from rankwright.evaluation.pairs import pairs_per_query
from rankwright.report.contents import Contents
from rankwright.report.report import contents_of, report_page
from rankwright.report.sections.groups import grouped
from rankwright.report.sections.learning import mean_curve
from rankwright.report.sections.queries import LISTED, MOST_DRAWN


def headings(text: str) -> list[str]:
    parsed = Parsed(text)
    return [e["id"] for e in parsed.named("h2")]


@pytest.fixture(scope="module")
def page(known: Known) -> str:
    return report_page(known.contents, facts={"file": "<train>.svm"})


def test_every_section_is_there_when_its_data_is(page: str) -> None:
    assert headings(page) == [
        "leaderboard",
        "significance",
        "query-by-query",
        "by-query-group",
        "learning-curves",
        "curve-of-α",
        "feature-importances",
    ]


def test_sections_without_data_are_not_there(known: Known) -> None:
    assert headings(report_page(Contents(known.comparison))) == [
        "leaderboard",
        "significance",
        "query-by-query",
        "by-query-group",
    ]


def test_one_system_has_nobody_to_be_compared_with() -> None:
    alone = rw.compare({"only": [2.0, 1.0, 3.0]}, [1, 0, 2], "AP", qid=[1, 1, 2])
    text = report_page(contents_of(alone))
    assert headings(text)[:1] == ["leaderboard"]
    assert "query-by-query" not in headings(text)


def test_the_leaderboard_has_the_means_and_intervals(page: str, known: Known) -> None:
    table = Parsed(page).tables["The leaderboard"]
    board = known.comparison.leaderboard().rows()
    assert [row[1] for row in table[1:]] == [row["system"] for row in board]
    for cells, row in zip(table[1:], board, strict=True):
        assert cells[2] == f"{row['nDCG@10']:.4f}"
        assert cells[5] == f"{row['AP low']:.4f}–{row['AP high']:.4f}"


def test_the_leaderboard_draws_what_it_says(page: str, known: Known) -> None:
    chart = charts_of(page)[0]
    board = {row["nDCG@10"]: row for row in known.comparison.leaderboard().rows()}
    drawn = {}
    for trace in chart["data"]:
        bars = trace["error_x"]
        drawn |= {x: (x - a, x + b) for x, a, b in zip(trace["x"], bars["arrayminus"], bars["array"], strict=True)}
    for value, row in board.items():
        low, high = drawn[round(value, 6)]
        assert (low, high) == pytest.approx((row["nDCG@10 low"], row["nDCG@10 high"]), abs=2e-6)


def test_significance_is_that_of_the_pairs(page: str, known: Known) -> None:
    best = str(known.comparison.leaderboard()["system"][0])
    table = Parsed(page).tables[f"{best} against the others"]
    for cells in table[1:]:
        row = next(
            r
            for r in known.comparison.pairs().rows()
            if {r["a"], r["b"]} == {best, cells[0]} and r["measure"] == "nDCG@10"
        )
        sign = 1 if row["a"] == best else -1
        assert float(cells[2].replace("−", "-")) == pytest.approx(sign * row["difference"], abs=6e-5)
        better = cells[0] in known.comparison.beaten(best, "nDCG@10")
        assert (cells[1] == "▲ better") == better


def test_a_baseline_is_what_the_others_are_held_against() -> None:
    """Nothing is said of pairs that were not tested."""
    qid, y = np.repeat(np.arange(12), 5), np.tile([0, 1, 0, 2, 0], 12)
    scores = {"good": y, "base": np.random.default_rng(0).normal(size=60), "same": y * 0.0, "bad": -y}
    found = rw.compare(scores, y, "AP", qid=qid, baseline="base")
    text = report_page(Contents(found))
    assert {row[0] for row in Parsed(text).tables["base against the others"][1:]} == {"good", "same", "bad"}
    drawn = {trace["name"]: trace["y"] for trace in charts_of(text)[0]["data"]}
    assert drawn == {"better than base": ["good"], "base": ["base"], "no difference found": ["same"], "worse": ["bad"]}


def test_every_query_is_a_dot(page: str, known: Known) -> None:
    chart = next(c for c in charts_of(page) if c["square"])
    dots = chart["data"][1:]
    assert sum(len(trace["x"]) for trace in dots) == known.test.n_queries
    best, second = known.contents.order[:2]
    pair = known.comparison.pair("nDCG@10", best, second)
    assert [trace["name"] for trace in dots] == [
        f"{(np.sign(pair.gain) == sign).sum()} {word}" for word, sign in (("won", 1), ("tied", 0), ("lost", -1))
    ]


def test_of_very_many_queries_some_are_drawn_and_all_are_counted() -> None:
    n, rng = 3 * MOST_DRAWN, np.random.default_rng(0)
    scores = {name: rng.normal(size=2 * n) for name in "ab"}
    found = rw.compare(scores, np.tile([0, 1], n), "AP", qid=np.repeat(np.arange(n), 2), n_resamples=100)
    text = report_page(Contents(found))
    dots = next(c for c in charts_of(text) if c["square"])["data"][1:]
    assert sum(len(trace["x"]) for trace in dots) == MOST_DRAWN
    assert sum(int(trace["name"].split()[0].replace(",", "")) for trace in dots) == n
    assert f"{MOST_DRAWN:,} of {n:,} queries are drawn" in Parsed(text).words
    assert len(Parsed(text).tables["Queries that differ most"]) == 1 + 2 * LISTED


def test_groups_hold_every_query_once_and_their_means(page: str, known: Known) -> None:
    made = grouped(pairs_per_query(known.test.y, known.test.qptr))
    table = Parsed(page).tables["nDCG@10 by number of document pairs"]
    assert [row[0] for row in table[1:]] == made.labels
    assert sum(int(row[1]) for row in table[1:]) == known.test.n_queries
    for column, name in enumerate(known.contents.order, 2):
        values = known.comparison.evaluations[name].values[0]
        assert [row[column] for row in table[1:]] == [
            f"{np.nanmean(values[made.member == g]):.4f}" for g in range(len(made.labels))
        ]


@pytest.mark.parametrize(
    ("counts", "labels"),
    [
        ([1, 2, 3, 4, 5, 6], ["1", "2", "3", "4", "5–6"]),
        ([7, 7, 7], ["7"]),
        ([0, 0, 0, 0, 9000], ["0–8,999", "9,000"]),
    ],
)
def test_groups_are_about_equal(counts: list[int], labels: list[str]) -> None:
    assert grouped(np.array(counts)).labels == labels


def test_learning_curves_are_the_histories(page: str, known: Known) -> None:
    chart = next(c for c in charts_of(page) if c["layout"].get("xaxis", {}).get("title", {}).get("text") == "round")
    curve = next(trace for trace in chart["data"] if trace["name"] == "boosted")
    assert curve["y"] == [round(row["valid"], 6) for row in known.rankers["boosted"].history_]


def test_curves_that_cannot_be_compared_are_not_drawn_together(known: Known) -> None:
    data = rw.artificial(n_queries=20, docs_per_query=8, n_features=4, rng=0)
    alone, other = rw.AdaRank(n_rounds=5).fit(data), rw.RankBoost(n_rounds=5).fit(data, valid=data)
    found = rw.compare({"alone": alone, "other": other}, data, n_resamples=100)
    text = report_page(contents_of(found, {"alone": alone, "other": other}))
    table = Parsed(text).tables["Rounds, and the measure at the one kept"]
    assert {row[0]: row[4] == "–" for row in table[1:]} == {"alone": True, "other": False}
    together = next(c for c in charts_of(text) if c["layout"]["xaxis"].get("title", {}).get("text") == "round")
    assert together["data"][0]["y"][0] is not None
    assert "All rankers, on training data" in text


def test_folds_are_averaged_as_far_as_all_go() -> None:
    data = rw.artificial(n_queries=30, docs_per_query=8, n_features=4, rng=0)
    found = rw.cross_validate({"a": rw.AdaRank(n_rounds=8), "b": rw.RankBoost(n_rounds=5)}, data, "AP", folds=3)
    folds = found.rankers["b"]
    assert mean_curve(folds, "valid") == pytest.approx(
        np.mean([[row["valid"] for row in r.history_] for r in folds], axis=0)
    )
    text = report_page(contents_of(found))
    assert "(3 folds" in Parsed(text).words
    assert {"learning-curves", "feature-importances"} <= set(headings(text))


def test_importances_are_the_models(page: str, known: Known) -> None:
    rows = Parsed(page).tables["Feature importances of boosted"][1:]
    importances = known.rankers["boosted"].feature_importances_
    assert rows[0] == [f"feature {importances.argmax() + 1}", f"{importances.max():.2%}"]


def test_an_adaptation_shows_its_weights() -> None:
    source, target = (rw.artificial(30, docs_per_query=8, n_features=5, tilt=tilt) for tilt in (0, 3))
    found = rw.adapt(source, target, rw.AddWRB(n_rounds=5), target_labels=target, folds=3)
    text = report_page(contents_of(found))
    assert {"leaderboard", "target-weights", "curve-of-α"} <= set(headings(text))
    assert f"α = {found.rankers['interpolated'].alpha_:.4g}" in text
    counts = [int(row[1].replace(",", "")) for row in Parsed(text).tables["Source documents by weight"][1:]]
    assert sum(counts) == source.n_docs
    unlabelled = report_page(contents_of(rw.adapt(source, target, rw.AddWRB(n_rounds=5))))
    assert "leaderboard" not in headings(unlabelled)
    assert "Not tried: target, because there are no target labels" in Parsed(unlabelled).words


def test_exhibits_are_sections_with_their_tables(exhibit) -> None:
    text = report_page(Contents(exhibits=(exhibit,)), "A paper")
    assert headings(text) == ["figure-1"]
    assert Parsed(text).tables["Figure <1>"] == [["round", "train <i>"], ["1", "0.1000"], ["2", "0.2000"], ["3", "–"]]
    assert charts_of(text)[0]["data"][0]["y"] == [0.1, 0.2, None]


def test_names_are_text_and_plotly_takes_every_chart(page: str, known: Known, exhibit) -> None:
    text = report_page(replace(known.contents, exhibits=(exhibit,)))
    for chart in charts_of(text):
        assert_plotly_takes(chart)
    parsed = Parsed(text)
    assert all(name in parsed.words for name in NAMES)
    assert not parsed.named("img")


def test_the_same_is_the_same_page(page: str, known: Known) -> None:
    assert report_page(known.contents, facts={"file": "<train>.svm"}) == page


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path, known: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    rw.write_report(known.comparison, path, title="ours")
    assert "<h1>ours</h1>" in path.read_text()

    def fails(*args: object) -> None:
        raise OSError("disk full")

    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="disk full"):
        rw.write_report(known.comparison, path, title="other")
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_what_is_no_comparison_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a report is of a comparison"):
        rw.write_report({"AP": 0.5}, tmp_path / "report.html")


def test_a_measure_where_lower_is_better_has_its_wins_below(known: Known) -> None:
    found = rw.compare(known.rankers, known.test, "KendallTau", n_resamples=100)
    assert isinstance(found, Comparison)
    text = report_page(contents_of(found))
    assert "lower is better" in Parsed(text).words
    assert "Below the diagonal" in Parsed(text).words
