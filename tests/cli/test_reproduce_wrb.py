"""`rankwright reproduce wrb`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from rankwright.reproduce.wrb_domains import COLLECTIONS


@pytest.fixture(scope="session")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four text collections in small: documents of words that are more or less frequent in each, queries of three."""
    folder = tmp_path_factory.mktemp("texts")
    words = [f"{a}{b}ne" for a in "bdfgklmnprst" for b in "aeiou"]
    for at, name in enumerate(COLLECTIONS):
        rng = np.random.default_rng(at)
        shares = rng.dirichlet(np.full(len(words), 0.5))
        texts = [rng.choice(words, 12 + 4 * at, p=shares).tolist() for _ in range(60)]
        asked = [rng.choice(words, 3, replace=False, p=shares).tolist() for _ in range(9)]
        found = [[len(set(query) & set(text)) + rng.random() for text in texts] for query in asked]
        middle = ".test" if name == "nfcorpus" else ""
        (folder / name).mkdir()
        lines = {"docs": texts, f"queries{middle}": asked}
        for kind, rows in lines.items():
            made = [json.dumps({"id": str(i), "text": " ".join(row)}) for i, row in enumerate(rows)]
            (folder / name / f"{kind}.jsonl").write_text("\n".join(made))
        judged = [f"{q} 0 {d} {int(v > 1.6)}" for q, row in enumerate(found) for d, v in enumerate(row)]
        (folder / name / f"qrels{middle}.txt").write_text("\n".join(judged) + "\n")
    return folder


def test_wrb_runs_on_text_collections_and_artificial_domains(run, collections: Path) -> None:
    done = run("reproduce", "wrb", "--data", collections, "--quick")
    assert done.code == 0, done.err
    assert "cranfield → cisi" in done.out
    assert "clean → tilted, 1" in done.out
    assert "On how many pairs each is significantly above" in done.out
    sections = run("reproduce", "wrb", "--data", collections, "--quick", "--json").json["sections"]
    assert [s["title"] in done.out for s in sections] == [True] * 7
    of_texts, verdict, by_rounds, inside = (sections[k]["table"] for k in (0, 2, 3, 4))
    assert verdict["pairs"] == [4] * 10
    for place in range(5):  # the counts are of the marks
        marks = [marks[place] for marks in of_texts["marks"]]
        assert (verdict["above"][place], verdict["below"][place]) == (marks.count("▲"), marks.count("▼"))
    assert verdict["differ"][:5] == [of_texts["domains differ"].count("yes")] * 5
    assert by_rounds["rounds"] == [25, 50]
    assert [sum(counts) for counts in zip(*(by_rounds[c] for c in ("above", "neither", "below")), strict=True)] == [
        8,
        8,
    ]
    assert inside["λ as printed"] == sorted(inside["λ as printed"], reverse=True)
    assert inside["stumps, add"] == sorted(inside["stumps, add"])


def test_a_collection_without_queries_is_named(run, collections: Path, tmp_path: Path) -> None:
    shutil.copytree(collections, tmp_path / "texts")
    (tmp_path / "texts" / "cisi" / "queries.jsonl").unlink()
    done = run("reproduce", "wrb", "--data", tmp_path / "texts")
    assert done.code == 2
    assert "cisi must hold queries.jsonl or queries.test.jsonl" in done.err
