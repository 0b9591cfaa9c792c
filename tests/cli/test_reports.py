"""`--report`: one page that a command leaves behind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run

RANKERS = "single_feature,adarank(n_rounds=5)"


def headings(page: str) -> list[str]:
    return [part.partition("<")[0] for part in page.split('">')[1:] if "</h2>" in part[:60]]


def test_compare_leaves_a_page(run: Run, files: dict[str, Path], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = run("compare", files["train"], files["test"], "--valid", files["valid"], "-r", RANKERS, "--report", page)
    assert done.code == 0, done.err
    assert "Leaderboard" in done.out
    assert f"The report is {page}." in done.err
    text = page.read_text()
    assert headings(text) == [
        "Leaderboard",
        "Significance",
        "Query by query",
        "By query group",
        "Learning curves",
        "Curve of α",
        "Feature importances",
    ]
    for word in ("adarank(n_rounds=5)", str(files["train"]), str(files["test"]), "trained in"):
        assert word in text


def test_folds_have_a_page_too(run: Run, files: dict[str, Path], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = run("compare", files["train"], "--folds", 3, "-r", RANKERS, "--report", page, "--json")
    assert done.code == 0, done.err
    assert done.json["n_folds"] == 3
    assert "(3 folds" in page.read_text()
    assert "Curve of α" not in page.read_text()


def test_the_page_may_be_what_is_printed(run: Run, files: dict[str, Path]) -> None:
    done = run("compare", files["train"], files["test"], "-r", RANKERS, "--report", "-")
    assert done.code == 0, done.err
    assert done.out.startswith("<!doctype html>")
    assert done.out.rstrip().endswith("</html>")


def test_names_are_escaped(run: Run, files: dict[str, Path], tmp_path: Path) -> None:
    odd = tmp_path / "<script>alert(1)<"
    odd.write_bytes(files["test"].read_bytes())
    page = tmp_path / "report.html"
    assert run("compare", files["train"], odd, "-r", RANKERS, "--report", page).code == 0
    assert "<script>alert" not in page.read_text()
    assert "&lt;script&gt;alert(1)&lt;" in page.read_text()


@pytest.mark.slow
def test_demo_leaves_a_page(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "demo.html"
    done = run("demo", "--budget", 1, "--report", page)
    assert done.code == 0, done.err
    assert "Feature importances" in headings(page.read_text())


def test_a_page_that_cannot_be_written_is_refused_before_the_work(
    run: Run, files: dict[str, Path], tmp_path: Path
) -> None:
    done = run("compare", "absent.svm", files["test"], "--report", tmp_path / "no" / "report.html")
    assert done.code == 2
    assert "--report must be a file in a folder that can be written" in done.err


def test_without_plotly_it_is_said_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    done = run("demo", "--report", tmp_path / "report.html")
    assert done.code == 2
    assert "pip install 'rankwright[report]'" in done.err
    assert done.out == ""


def test_json_and_page_cannot_share_standard_output(run: Run) -> None:
    done = run("demo", "--report", "-", "--json")
    assert done.code == 2
    assert "standard output takes one thing" in done.err


def test_an_adaptation_leaves_a_page(run: Run, files: dict[str, Path], tmp_path: Path) -> None:
    page = tmp_path / "adapt.html"
    args = (
        "adapt",
        files["train"],
        files["test"],
        "--labels",
        files["test"],
        "-r",
        "adarank(n_rounds=5)",
        "--folds",
        3,
    )
    done = run(*args, "--report", page)
    assert done.code == 0, done.err
    assert {"Leaderboard", "Target weights", "Curve of α"} <= set(headings(page.read_text()))
    assert str(files["train"]) in page.read_text()
