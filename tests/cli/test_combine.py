"""`rankwright combine`: what it prints, writes, and refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankwright as rw


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three runs of fifteen queries, of which twelve are judged."""
    folder = tmp_path_factory.mktemp("runs")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, (15, 10))
    paths = {name: folder / f"{name}.run" for name in ("bm25", "dense", "splade")}
    for name, path in paths.items():
        lines = [
            f"q{q} Q0 d{i} {i + 1} {float(rng.normal() + y[q, i])!r} {name}\n"
            for q in range(15)
            for i in rng.permutation(10)[:8]
        ]
        path.write_text("".join(lines))
    paths["qrels"] = folder / "qrels.txt"
    paths["qrels"].write_text("".join(f"q{q} 0 d{i} {y[q, i]}\n" for q in range(12) for i in range(10)))
    return paths


def args(runs: dict[str, Path], *names: str) -> list[object]:
    return ["combine", *(runs[name] for name in names), "--qrels", runs["qrels"], "-m", "nDCG@5", "--resamples", 20]


def test_it_shows_the_curve_the_weights_and_the_alternatives(run, runs: dict[str, Path]) -> None:
    done = run(*args(runs, "bm25", "dense"))
    assert done.code == 0, done.err
    for word in ("bm25", "dense", "RRF", "equal weights", "combined", "cross-validated", "standard error", "resamples"):
        assert word in done.out
    assert any("\u2801" <= sign <= "\u28ff" for sign in done.out)


def test_json_is_what_the_library_says(run, runs: dict[str, Path]) -> None:
    done = run(*args(runs, "bm25", "dense"), "--normalise", "z", "--json").json
    found = rw.combine_runs([runs["bm25"], runs["dense"]], runs["qrels"], "nDCG@5", normalise="z", n_resamples=20)
    assert done["alpha"] == found.alpha
    assert done["weights"] == {"bm25": 1 - found.alpha, "dense": found.alpha}
    assert done["interval"] == list(found.exact.interval)
    assert done["certainty"]["interval_of_alpha"] == list(found.certainty.interval)
    assert done["cross_validated_value"] == pytest.approx(found.certainty.cross_validated_value)
    assert (done["n_judged_queries"], done["n_fused_queries"]) == (12, 15)


@pytest.mark.filterwarnings("ignore:3 queries are only in the runs")
def test_the_fused_run_has_all_queries_and_measures_as_said(run, runs: dict[str, Path], tmp_path: Path) -> None:
    fused = tmp_path / "fused.run"
    value = run(*args(runs, "bm25", "dense"), "-o", fused, "--json").json["value"]
    assert len(rw.read_run(fused)) == 15
    said = run("evaluate", fused, runs["qrels"], "-m", "nDCG@5", "--json").json["means"]["nDCG@5"]
    assert said == pytest.approx(value, abs=1e-12)


def test_the_fused_run_may_go_down_a_pipe(run, runs: dict[str, Path]) -> None:
    done = run(*args(runs, "bm25", "dense"), "-o", "-", "--tag", "both")
    lines = done.out.splitlines()
    assert all(line.endswith(" both") and len(line.split()) == 6 for line in lines)
    assert len({line.split()[0] for line in lines}) == 15


def test_more_than_two_runs_have_a_weight_each(run, runs: dict[str, Path]) -> None:
    done = run(*args(runs, "bm25", "dense", "splade"), "--json").json
    assert sum(done["weights"].values()) == pytest.approx(1.0)
    assert (done["alpha"], done["certainty"]) == (None, None)


def test_the_curve_is_drawn_in_every_form(run, runs: dict[str, Path], tmp_path: Path) -> None:
    files = [tmp_path / f"curve{ending}" for ending in (".png", ".svg", ".html", ".csv")]
    done = run(*args(runs, "bm25", "dense"), *(word for file in files for word in ("--plot", file)), "--json")
    assert done.code == 0, done.err
    assert files[0].read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in files[1].read_bytes()
    assert '<h2 id="curve-of-α">' in files[2].read_text()
    steps = np.loadtxt(files[3], delimiter=",", skiprows=1)
    assert steps[:, 2].max() == pytest.approx(done.json["value"], abs=1e-12)
    np.testing.assert_array_equal(steps[1:, 0], steps[:-1, 1])


@pytest.mark.parametrize(
    ("names", "extra", "says"),
    [
        (["bm25"], [], "two runs or more"),
        (["bm25", "dense"], ["--plot", "curve.gif"], "must be one of .csv, .html, .pdf, .png, .svg"),
        (["bm25", "dense", "splade"], ["--plot", "curve.png"], "second of two runs"),
        (["bm25", "dense"], ["-o", "no/such/folder.run"], "folder that can be written"),
        (["bm25", "dense"], ["-m", "nDGC"], "Did you mean 'nDCG'"),
        (["bm25", "bm25"], [], "different names"),
    ],
)
def test_mistakes_are_one_line_and_code_2(
    run, runs: dict[str, Path], names: list[str], extra: list[str], says: str
) -> None:
    done = run(*args(runs, *names), *extra)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
