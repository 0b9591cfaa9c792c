"""Models of other engines as rankers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.models.forests import random_forest

import rankwright as rw
from rankwright.models.base import model_to_dict


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    path = tmp_path / "lgb.txt"
    rw.export(random_forest(np.random.default_rng(0), 20, 12, 4), "lightgbm", path, features=list("abcd"))
    return path


def test_load_knows_other_engines_files(engine: Path, tmp_path: Path) -> None:
    ranker = rw.load(engine)
    data = rw.artificial(n_queries=12, docs_per_query=8, n_features=4, rng=0)
    assert ranker.predict(data.X).tolist() == rw.read_model(engine).scores(data.X).tolist()
    assert 0 <= ranker.score(data) <= 1
    assert [len(rows) for rows in ranker.rank(data, k=3)] == [3] * 12
    ranker.save(tmp_path / "m.json")
    again = rw.load(tmp_path / "m.json")
    assert model_to_dict(again.model_) == model_to_dict(ranker.model_)
    assert again.feature_names_in_.tolist() == list("abcd")
    assert rw.evaluate(again.predict(data), data).means["nDCG@10"] == ranker.score(data)


def test_it_cannot_be_trained(engine: Path) -> None:
    with pytest.raises(rw.InputError, match="cannot be trained further"):
        rw.load(engine).fit([[1.0], [2.0]], [0, 1], qid=[1, 1])


def test_names_that_do_not_fit_are_refused(engine: Path, tmp_path: Path) -> None:
    rw.load(engine).save(tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    for names in (["a"], ["a", "b", "c", "c"], "abcd", [1, 2, 3, 4]):
        document["features"] = names
        (tmp_path / "m.json").write_text(json.dumps(document))
        with pytest.raises(rw.FormatError, match="4 different names"):
            rw.load(tmp_path / "m.json")
