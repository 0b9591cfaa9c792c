from __future__ import annotations

import json

import numpy as np
import pytest

import rankwright as rw
from rankwright.evaluation.cross_validate import query_folds


def artificial(m=17, per=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m * per, 3))
    y = np.digitize(X[:, 1] + rng.normal(0, 0.5, m * per), [0.3, 1.0])
    order = rng.permutation(m * per)
    return rw.Dataset(X[order], y[order], qid=np.repeat([f"q{i}" for i in range(m)], per)[order])


@pytest.mark.parametrize(("n", "valid"), [(5, True), (3, True), (2, False), (17, True)])
def test_every_query_is_tested_once_and_never_trained_on(n, valid):
    data = artificial()
    folds = list(query_folds(data, n, rng=4, valid=valid))
    tested = [q for _, _, test in folds for q in test.query_ids.tolist()]
    assert sorted(tested) == sorted(data.query_ids.tolist())
    for train, held_out, test in folds:
        parts = [train, test] if held_out is None else [train, held_out, test]
        together = [q for part in parts for q in part.query_ids.tolist()]
        assert sorted(together) == sorted(data.query_ids.tolist())
        assert 17 // n <= test.n_queries <= -(-17 // n)
    assert all((held_out is not None) == valid for _, held_out, _ in folds)
    if valid:
        held = [q for _, held_out, _ in folds for q in held_out.query_ids.tolist()]
        assert sorted(held) == sorted(tested)


def test_out_of_fold_values_are_those_of_the_ranker_that_did_not_see_the_query():
    data = artificial()
    found = rw.cross_validate({"best": rw.SingleFeature(measure="AP")}, data, "AP", folds=4, rng=2)
    values = found.evaluations["best"].per_query
    by_query = dict(zip(values["qid"].tolist(), values["AP"].tolist(), strict=True))
    assert len(by_query) == data.n_queries
    for k, (train, held_out, test) in enumerate(query_folds(data, 4, rng=2)):
        ranker = rw.SingleFeature(measure="AP").fit(train, valid=held_out)
        assert found.rankers["best"][k].model_.weights.tolist() == ranker.model_.weights.tolist()
        own = rw.evaluate(ranker, test, "AP").per_query
        assert own["AP"].tolist() == [by_query[q] for q in own["qid"].tolist()]


def test_rankers_are_copied_and_compared():
    rankers = {"best": rw.SingleFeature(measure="AP"), "noise": rw.SingleFeature(feature=0)}
    found = rw.cross_validate(rankers, artificial(m=40), ["AP", "nDCG@3"], folds=3, baseline="noise")
    assert not hasattr(rankers["best"], "model_")
    assert found.comparison.leaderboard()["system"].tolist() == ["best", "noise"]
    assert found.comparison.pairs()["b"].tolist() == ["noise", "noise"]
    assert found.comparison.n_folds == 3
    assert "fold 3" in repr(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_seed_decides():
    data = artificial()
    one, same, other = (rw.cross_validate(rw.SingleFeature(), data, "AP", folds=3, rng=r) for r in (0, 0, 1))
    assert one.to_dict() == same.to_dict()
    assert one.evaluations["single_feature"].per_query["qid"].tolist() != (
        other.evaluations["single_feature"].per_query["qid"].tolist()
    )


def test_folds_by_hand_and_progress():
    data = artificial()
    parts = [data.queries(range(6)), data.queries(range(6, 12)), data.queries(range(12, 17))]
    rotation = [(parts[k], parts[(k + 1) % 3], parts[(k + 2) % 3]) for k in range(3)]
    told = []
    found = rw.cross_validate({"f": rw.SingleFeature()}, rotation, "AP", on_fold=told.append)
    assert [(t.name, t.fold, t.n_folds) for t in told] == [("f", 1, 3), ("f", 2, 3), ("f", 3, 3)]
    assert [t.evaluation.means for t in told] == [e.means for e in found.by_fold["f"]]
    assert [t.ranker for t in told] == found.rankers["f"]
    again = rw.cross_validate({"f": rw.SingleFeature()}, None, "AP", folds=rotation)
    assert again.to_dict() == found.to_dict()


def test_validation_reaches_the_fit_or_not():
    data = artificial()
    with_valid = rw.cross_validate(rw.AdaRank(n_rounds=3), data, "AP", folds=3)
    without = rw.cross_validate(rw.AdaRank(n_rounds=3), data, "AP", folds=3, valid=False)
    assert "valid" in with_valid.rankers["adarank"][0].history_[0]
    assert "valid" not in without.rankers["adarank"][0].history_[0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: rw.cross_validate(rw.SingleFeature(), d, folds=1), "from 3 to the number of queries, 17. Got 1"),
        (lambda d: rw.cross_validate(rw.SingleFeature(), d, folds=2), "With valid=False"),
        (lambda d: rw.cross_validate(rw.SingleFeature(), d, folds=18), "Got 18"),
        (lambda d: rw.cross_validate(rw.SingleFeature(), [d, d]), "list of \\(train, valid or None, test\\)"),
        (lambda d: rw.cross_validate(rw.SingleFeature(), []), "list of \\(train, valid or None, test\\)"),
        (lambda d: rw.cross_validate(rw.SingleFeature(), d, folds=[]), "folds must be a whole number"),
        (lambda d: rw.cross_validate({}, d), "must be a ranker"),
        (lambda d: rw.cross_validate({"x": 3}, d), "takes rankers"),
        (lambda d: rw.cross_validate({"x": rw.SingleFeature()}, d, baseline="y"), "baseline must be one of x"),
    ],
)
def test_bad_input_is_told(call, message):
    with pytest.raises(rw.InputError, match=message):
        call(artificial())
