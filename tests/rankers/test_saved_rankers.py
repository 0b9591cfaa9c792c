"""Rankers as files: what comes back, and that nothing but FormatError comes out of a damaged one."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge

import rankwright as rw
from rankwright.errors import FormatError, InputError
from rankwright.models import LinearModel
from rankwright.options import Unsaved


@pytest.fixture
def saved(turns, lists, tmp_path):
    """A saved ranker's file."""
    path = tmp_path / "model.json"
    named = lists.replace(feature_names=("length", "BM25 — title", "\ud800"))
    turns(n_rounds=4, measure=rw.measure("AP(rel=2)@5")).fit(named, valid=named).save(path)
    return path


def _changed(path, **changes):
    document = json.loads(path.read_bytes())
    for place, value in changes.items():
        *parents, last = place.split("__")
        part = document
        for parent in parents:
            part = part[parent]
        part[last] = value
    path.write_text(json.dumps(document))
    return path


def test_it_comes_back_whole(saved, turns, lists) -> None:
    again = rw.load(saved)
    assert type(again) is turns
    assert again.n_rounds == 4
    assert rw.measure(again.measure) == rw.measure("AP(rel=2)@5")
    assert again.feature_names_in_.tolist() == ["length", "BM25 — title", "\ud800"]
    assert len(again.history_) == 4
    assert again.score(lists) == again.fit(lists, valid=lists).score(lists)


def test_extreme_weights_survive_bit_for_bit(lists, tmp_path) -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**63, 300, dtype=np.uint64).view(np.float64)
    weights = np.concatenate([bits[np.isfinite(bits)], [5e-324, -0.0, 1.7976931348623157e308, 0.1 + 0.2]])
    model = LinearModel(weights)
    ranker = rw.SingleFeature().fit(np.zeros((2, len(weights))), [0, 1], qid=[1, 1])
    ranker.model_ = model
    ranker.save(tmp_path / "m.json")
    assert rw.load(tmp_path / "m.json").model_.weights.tobytes() == weights.tobytes()


def test_options_that_are_objects_are_asked_for_again(lists, tmp_path) -> None:
    path = tmp_path / "m.json"
    fitted = rw.Pointwise(estimator=Ridge(alpha=2.0), rng=np.int64(3)).fit(lists)
    fitted.save(path)
    again = rw.load(path)
    assert isinstance(again.estimator, Unsaved)
    assert repr(again.estimator) == "<not saved: Ridge(alpha=2.0)>"
    assert again.rng == 3
    assert again.predict(lists).tobytes() == fitted.predict(lists).tobytes()
    with pytest.raises(InputError, match=r"estimator must be given again .*Ridge\(alpha=2.0\).*set_params\(estimator="):
        clone(again).fit(lists)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


def test_saving_an_unfitted_or_nameless_ranker_is_refused(turns, lists, tmp_path) -> None:
    class Nameless(turns):
        """Nameless."""

    with pytest.raises(InputError, match="must be fitted"):
        turns().save(tmp_path / "m.json")
    with pytest.raises(InputError, match="needs a name of its own"):
        Nameless().fit(lists).save(tmp_path / "m.json")
    with pytest.raises(InputError, match="n_rounds must be"):
        turns().fit(lists).set_params(n_rounds=-1).save(tmp_path / "m.json")
    assert list(tmp_path.iterdir()) == []


def test_numbers_that_json_cannot_hold_are_refused(lists, tmp_path) -> None:
    ranker = rw.SingleFeature().fit(lists)
    ranker.model_ = LinearModel([np.inf, 0.0, 0.0])
    with pytest.raises(InputError, match="finite numbers to be saved"):
        ranker.save(tmp_path / "m.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "pickle"}, '"format": "rankwright-model"'),
        ({"version": 2}, "version 2"),
        ({"version": True}, "version True"),
        ({"ranker__name": "turn_for_tests"}, "Did you mean 'turns_for_tests'"),
        ({"ranker__name": ["turns_for_tests"]}, "name must be text"),
        ({"ranker": 3}, "the ranker must be complete"),
        ({"ranker__options": []}, "the ranker must be complete"),
        ({"ranker__options__n_round": 3}, "an option of turns_for_tests must be one of .* Did you mean 'n_rounds'"),
        ({"ranker__options__callbacks": []}, "an option of turns_for_tests must be one of"),
        ({"ranker__options__n_rounds": -1}, "n_rounds must be"),
        ({"ranker__options__n_rounds": {"import": "os"}}, "an option must be a number"),
        ({"ranker__options__measure": "no"}, "measure must be one of"),
        ({"ranker__options__measure": 3}, "a measure is written"),
        ({"features": ["a", "b"]}, "3 different names"),
        ({"features": ["a", "a", "b"]}, "3 different names"),
        ({"features": ["a", 1, "b"]}, "3 different names"),
        ({"features": "abc"}, "3 different names"),
        ({"best_round": 5}, r"best_round must be in 0\.\.4"),
        ({"best_round": 1.5}, "best_round must be"),
        ({"best_round": True}, "best_round must be"),
        ({"history": 3}, "the ranker must be complete"),
        ({"history": [{"round": "one"}]}, "history must hold numbers"),
        ({"history": [[1]]}, "the ranker must be complete"),
        ({"model": None}, "the kind of a model"),
        ({"model": {}}, "the kind of a model"),
        ({"model__kind": ["linear"]}, "the kind of a model"),
        ({"model__kind": "estimator"}, "never read from a file"),
        ({"model__weights": "123"}, "weights must be a list"),
        ({"model__weights": [1, 2, "3"]}, "weights must hold finite numbers"),
        ({"model__weights": [1, 2, True]}, "weights must hold finite numbers"),
        ({"model__weights": [1, 2, 10**400]}, "the model must be complete"),
        ({"model__weights": []}, "must be complete"),
        ({"model__steps": [[3, 1.0]]}, r"whole numbers in 0\.\.2"),
        ({"model__steps": [[-1, 1.0]]}, r"whole numbers in 0\.\.2"),
        ({"model__steps": [[0]]}, "steps must be a list of 2"),
        ({"model__intercept": None}, "intercept must hold finite numbers"),
    ],
)
def test_each_damage_is_named(saved, changes, reason) -> None:
    path = _changed(saved, **changes)
    with pytest.raises(FormatError, match=reason) as wrong:
        rw.load(path)
    assert wrong.value.path == str(path)


@pytest.mark.parametrize("missing", ["ranker", "features", "history", "best_round", "model"])
def test_each_missing_part_is_named(saved, missing) -> None:
    document = json.loads(saved.read_bytes())
    del document[missing]
    saved.write_text(json.dumps(document))
    with pytest.raises(FormatError, match=f"there is no '{missing}'"):
        rw.load(saved)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "must be JSON"),
        (b"\x80\x04\x95pickle", "must be JSON"),
        (b"\xff\xfe", "must be JSON"),
        (b"[" * 100_000, "must be JSON"),
        (b'{"a":' * 100_000, "must be JSON"),
        (b'{"format": NaN}', "NaN is no JSON number"),
        (b'{"format": -Infinity}', "-Infinity is no JSON number"),
        (b'{"format": 1e999}', "too large"),
        (b'{"format": ' + b"9" * 5000 + b"}", "must be JSON"),
        (b'{"format": 1, "format": 2}', "'format' stands twice"),
        (b"[]", '"format"'),
        (b"null", '"format"'),
        (b'{"format": "rankwright-model",\n "version" 1}', r":2: a model file must be JSON"),
    ],
)
def test_what_is_no_model_at_all_is_named(tmp_path, text, reason) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(text)
    with pytest.raises(FormatError, match=reason):
        rw.load(path)


def test_a_file_that_is_not_there_is_not_a_format_error(tmp_path) -> None:
    with pytest.raises(FileNotFoundError):
        rw.load(tmp_path / "none.json")


def _mutated(text: bytes, rng: random.Random) -> bytes:
    """One of the things that happen to files: cut, bytes changed, doubled, or tokens exchanged."""
    tokens = [b"NaN", b"1e999", b"-1", b"null", b"{}", b"[]", b'""', b"true", b"9" * 400, b'"linear"', b"[[[[", b"0.5"]
    out = bytearray(text)
    for _ in range(rng.randint(1, 3)):
        a, b = sorted(rng.randrange(len(out) + 1) for _ in range(2))
        how = rng.randrange(5)
        if how == 0:
            del out[a:]
        elif how == 1 and a < len(out):
            out[a] = rng.randrange(256)
        elif how == 2:
            out[a : a + 3] = rng.choice(tokens)
        elif how == 3:
            out[a:a] = out[a : min(b, a + 40)]
        else:
            del out[a : min(b, a + 10)]
        if not out:
            break
    return bytes(out)


@pytest.mark.parametrize("seed", range(8))
def test_nothing_but_format_errors_comes_out_of_damaged_files(saved, lists, tmp_path, seed) -> None:
    blend = rw.AdaRank(weak=rw.SingleFeature(), n_rounds=2)
    rankers = (rw.SingleFeature(), rw.Pointwise(estimator="logistic"), blend)
    texts = [saved.read_bytes()]
    for i, ranker in enumerate(rankers):
        ranker.fit(lists).save(tmp_path / f"{i}.json")
        texts.append((tmp_path / f"{i}.json").read_bytes())
    rng, path, refused, fine = random.Random(seed), tmp_path / "damaged.json", 0, 0
    for _ in range(250):
        path.write_bytes(_mutated(rng.choice(texts), rng))
        try:
            ranker = rw.load(path)
        except FormatError as wrong:
            refused += str(path) in str(wrong)
        else:  # the damage made another ranker: then it is one that works
            fine += ranker.predict(np.zeros((2, ranker.n_features_in_))).shape == (2,)
    assert refused + fine == 250
    assert refused > 150
