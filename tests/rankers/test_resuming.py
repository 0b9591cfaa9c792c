"""A run that goes on from its checkpoint ends with the model of a run that was never interrupted, bit for bit."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rankwright as rw
from rankwright.errors import InputError
from rankwright.models.base import model_to_dict
from rankwright.rankers import Callback, Checkpoint, Record

QUICK = {"n_trees": 12, "min_docs": 5, "n_leaves": 6, "rng": 4}


class _Breaks(Callback):
    """Interrupts the run after some round."""

    def __init__(self, after: int) -> None:
        self.after = after

    def round(self, run: Any, row: Any) -> None:
        if row["round"] == self.after:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def parts() -> list[rw.Dataset]:
    return [rw.artificial(40, docs_per_query=15, n_features=6, sample=s) for s in range(2)]


def _fit(cls: Any, parts: Any, callbacks: Any, **options: Any) -> Any:
    return cls(callbacks=callbacks, **{**QUICK, **options}).fit(parts[0], valid=parts[1])


CASES = [
    (rw.LambdaMART, {}),
    (rw.LambdaMART, {"query_fraction": 0.5, "doc_fraction": 0.6, "feature_fraction": 0.5, "patience": 3}),
    (rw.LambdaMART, {"step": "exact", "step_on": "valid", "refit": True}),
    (rw.MART, {"feature_fraction": 0.7}),
    (rw.McRank, {}),
    (rw.McRank, {"ordinal": True, "doc_fraction": 0.7}),
    (rw.LambdaSMART, {}),
]


@pytest.mark.parametrize(("cls", "options"), CASES)
@pytest.mark.parametrize("after", [1, 7, 12])
def test_the_model_is_that_of_a_whole_run(parts, tmp_path, cls, options, after) -> None:
    if cls is rw.LambdaSMART:
        options = {"submodel": rw.CoordinateAscent(n_restarts=1).fit(parts[0])}
    whole = _fit(cls, parts, [], **options)
    path = tmp_path / "run.json"
    try:
        _fit(cls, parts, [Checkpoint(path, every=3, resume=True), _Breaks(after)], **options)
    except KeyboardInterrupt:
        assert path.exists()
    resumed = _fit(cls, parts, [Checkpoint(path, every=3, resume=True)], **options)
    assert json.dumps(model_to_dict(resumed.model_)) == json.dumps(model_to_dict(whole.model_))
    assert resumed.predict(parts[1]).tobytes() == whole.predict(parts[1]).tobytes()
    assert resumed.best_round_ == whole.best_round_
    assert repr(resumed.history_) == repr(whole.history_)
    assert np.array_equal(rw.load(path).predict(parts[1]), whole.predict(parts[1]))


def test_more_trees_can_be_asked_for_and_watchers_see_every_round(parts, tmp_path) -> None:
    path, record = tmp_path / "run.json", Record()
    _fit(rw.LambdaMART, parts, [Checkpoint(path)], n_trees=5)
    more = _fit(rw.LambdaMART, parts, [Checkpoint(path, resume=True), record])
    whole = _fit(rw.LambdaMART, parts, [])
    assert np.array_equal(more.predict(parts[1]), whole.predict(parts[1]))
    assert [row["round"] for row in record.rows] == list(range(1, 13))
    with pytest.raises(InputError, match="has 12 rounds already"):
        _fit(rw.LambdaMART, parts, [Checkpoint(path, resume=True)], n_trees=3)


def test_a_checkpoint_of_something_else_is_refused(parts, tmp_path) -> None:
    path = tmp_path / "run.json"
    _fit(rw.LambdaMART, parts, [Checkpoint(path)])
    go_on = [Checkpoint(path, resume=True)]
    before = path.read_bytes()
    train, valid = parts
    weighted = train.replace(query_weight=np.linspace(1, 2, train.n_queries))
    for others in ((valid, train), (train, train), (weighted, valid), (train.replace(y=train.y[::-1].copy()), valid)):
        with pytest.raises(InputError, match="must be of the same data"):
            _fit(rw.LambdaMART, others, go_on)
    with pytest.raises(InputError, match="n_leaves=6; it is 7 now"):
        _fit(rw.LambdaMART, parts, go_on, n_leaves=7)
    with pytest.raises(InputError, match="must be of the same ranker"):
        _fit(rw.MART, parts, go_on)
    with pytest.raises(InputError, match="cannot go on from a checkpoint"):
        rw.AdaRank(callbacks=go_on).fit(train)
    assert path.read_bytes() == before
    rw.LambdaMART(**QUICK).fit(train).save(path)
    with pytest.raises(InputError, match="It is a finished ranker"):
        _fit(rw.LambdaMART, parts, go_on)


def test_another_submodel_is_another_run(parts, tmp_path) -> None:
    path = tmp_path / "run.json"
    submodels = [rw.MART(n_trees=n, min_docs=5).fit(parts[0]) for n in (2, 3)]
    _fit(rw.LambdaSMART, parts, [Checkpoint(path)], submodel=submodels[0])
    with pytest.raises(InputError, match="must be of the same"):
        _fit(rw.LambdaSMART, parts, [Checkpoint(path, resume=True)], submodel=submodels[1])


def test_a_damaged_checkpoint_is_told(parts, tmp_path) -> None:
    path = tmp_path / "run.json"
    _fit(rw.LambdaMART, parts, [Checkpoint(path)])
    document = json.loads(path.read_text())
    document["unfinished"]["model"]["trees"][0]["left"] = "0 0"
    path.write_text(json.dumps(document))
    with pytest.raises(rw.FormatError, match="checkpoint must be complete"):
        _fit(rw.LambdaMART, parts, [Checkpoint(path, resume=True)])
