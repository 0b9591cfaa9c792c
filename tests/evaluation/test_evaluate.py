from __future__ import annotations

import json
import subprocess
import sys
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

import rankwright as rw
from rankwright.measures import measure_all

SCORES = [0.9, 0.2, 0.4, 0.5, 0.1]
LABELS = [0, 1, 2, 0, 0]
QIDS = ["b", "b", "b", "a", "a"]


def dataset(**more):
    return rw.Dataset(np.array(SCORES)[:, None], LABELS, qid=QIDS, **more)


def test_values_by_hand():
    found = rw.evaluate(SCORES, LABELS, ["AP", "nDCG@2"], qid=QIDS)
    ap = (1 / 2 + 2 / 3) / 2  # ranks: not relevant, label 2, label 1
    ndcg = (3 / log2(3)) / (3 + 1 / log2(3))
    assert found.per_query["qid"].tolist() == ["b", "a"]
    assert found.per_query["AP"].tolist() == pytest.approx([ap, 0.0])
    assert found.means == pytest.approx({"AP": ap / 2, "nDCG@2": ndcg / 2})
    assert (found.n_queries, found.n_empty, found.n_skipped) == (2, {"AP": 1, "nDCG@2": 1}, {"AP": 0, "nDCG@2": 0})


@pytest.mark.parametrize(
    "evaluated",
    [
        lambda: rw.evaluate(SCORES, (LABELS, QIDS), "AP"),
        lambda: rw.evaluate(SCORES, LABELS, "AP", group=[3, 2]),
        lambda: rw.evaluate(SCORES, dataset(), "AP"),
        lambda: rw.evaluate(SCORES, (np.zeros((5, 1)), LABELS, QIDS), "AP"),
        lambda: rw.evaluate(np.array(SCORES)[:, None], np.array(LABELS)[:, None], "AP", qid=QIDS),
        lambda: rw.evaluate(rw.SingleFeature(feature=0, direction="descending").fit(dataset()), dataset(), "AP"),
    ],
    ids=["tuple", "group", "dataset", "triple", "columns", "ranker"],
)
def test_every_door_gives_the_same(evaluated):
    assert evaluated().means == rw.evaluate(SCORES, LABELS, "AP", qid=QIDS).means


def test_any_estimator_with_predict():
    from sklearn.linear_model import LinearRegression

    data = dataset()
    model = LinearRegression().fit(data.X, [1, 0, 0, 0, 0])
    assert rw.evaluate(model, data, "AP").means == rw.evaluate(model.predict(data.X), data, "AP").means


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_the_order_of_the_rows_does_not_matter(data):
    n = data.draw(st.integers(1, 12))
    y = data.draw(arrays(np.int64, n, elements=st.integers(0, 2)))
    s = data.draw(arrays(np.float64, n, elements=st.sampled_from([0.0, 0.5, 1.0])))
    q = data.draw(arrays(np.int64, n, elements=st.integers(0, 3)))
    order = np.array(data.draw(st.permutations(range(n))))
    there, here = (rw.evaluate(s[o], y[o], "nDCG@3", qid=q[o]).per_query for o in (order, np.arange(n)))
    by_qid = [dict(zip(t["qid"].tolist(), t["nDCG@3"].tolist(), strict=True)) for t in (there, here)]
    assert by_qid[0] == pytest.approx(by_qid[1])
    by_dataset = rw.evaluate(s, rw.Dataset(s[:, None], y, qid=q), "nDCG@3").per_query
    assert by_dataset["nDCG@3"].tolist() == here["nDCG@3"].tolist()


def test_rankers_see_rows_in_their_own_order():
    data = rw.Dataset([[1], [4], [3], [2]], [0, 0, 1, 1], qid=[1, 2, 1, 2])
    ranker = rw.SingleFeature(feature=0, direction="descending").fit(data)
    assert rw.evaluate(ranker, data, "AP").per_query["AP"].tolist() == [1.0, 1 / 2]


@pytest.mark.parametrize("weight", [[3.0, 1.0], {"b": 3.0, "a": 1.0}, {"b": 3.0}])
def test_query_weights_enter_the_mean(weight):
    ap = (1 / 2 + 2 / 3) / 2
    found = rw.evaluate(SCORES, LABELS, "AP", qid=QIDS, query_weight=weight)
    assert found.means["AP"] == pytest.approx((3 * ap + 1 * 0) / 4)
    assert rw.evaluate(SCORES, dataset(query_weight=weight), "AP").means == found.means
    assert "weighted" in repr(found)


def test_skipped_queries_are_counted_and_left_out_of_the_weighted_mean():
    found = rw.evaluate(SCORES, LABELS, "AP(empty=skip)", qid=QIDS, query_weight=[1.0, 9.0])
    assert found.n_skipped == found.n_empty == {"AP(empty=skip)": 1}
    assert found.means["AP(empty=skip)"] == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_nothing_but_skipped_queries():
    found = rw.evaluate([1.0, 2.0], [0, 0], "AP(empty=skip)", qid=[1, 2])
    assert np.isnan(found.means["AP(empty=skip)"])
    assert "–" in repr(found)
    assert found.to_dict()["means"] == {"AP(empty=skip)": None}


@pytest.mark.parametrize(("empty", "n"), [("zero", 2), ("one", 2), ("skip", 2)])
def test_empty_queries_are_told_from_those_with_the_same_value(empty, n):
    # queries: found last of two, found first, nothing to find, nothing to find
    y, s, q = [0, 0, 0, 1, 1, 0, 0, 0], [9, 8, 7, 6, 2, 1, 1, 1], [1, 1, 1, 1, 2, 2, 3, 4]
    found = rw.evaluate(s, y, [f"nDCG(empty={empty})@2", f"AP(rel=1,empty={empty})"], qid=q)
    assert set(found.n_empty.values()) == {n}


def test_measures_are_found_in_any_spelling_and_counted_once():
    found = rw.evaluate(SCORES, LABELS, ["map", "AP", "ndcg@2"], qid=QIDS)
    assert list(found.means) == ["AP", "nDCG@2"]
    assert found["MAP"] == found.means["AP"]
    with pytest.raises(rw.InputError, match="one of AP, nDCG@2"):
        found["nDCG@7"]


def test_a_preset_is_given_to_every_measure():
    found = rw.evaluate([1.0, 1.0], [1, 0], ["AP", "nDCG@1"], preset="ranklib")
    assert found.means == {"AP(ties=input)": 1.0, "nDCG(ties=input)@1": 1.0}
    assert found["AP"] == found["AP(ties=input)"]
    assert rw.evaluate([1.0, 1.0], [1, 0], "AP").means == {"AP": (1 + 1 / 2) / 2}
    compared = rw.compare({"a": [1.0, 1.0]}, [1, 0], "AP", preset="ranklib")
    assert compared.leaderboard()["AP(ties=input)"].tolist() == [1.0]
    assert rw.make_ranking_scorer("AP", preset="ranklib").measure == found.measures[0]


def test_a_preset_reads_its_tools_own_spelling():
    found = rw.evaluate([1.0, 2.0, 1.0], [0, 0, 1], ["ndcg@2", "ndcg@2-"], qid=[0, 0, 1], preset="xgboost")
    assert (found["ndcg@2"], found["ndcg@2-"]) == (1.0, 1 / 2)
    assert (found["nDCG(ties=input,empty=one)@2"], found["nDCG(ties=input)@2"]) == (1.0, 1 / 2)


def test_frames_take_the_table():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = rw.evaluate(SCORES, LABELS, ["AP", "nDCG@2"], qid=QIDS).per_query
    assert pd.DataFrame(table).columns.tolist() == pl.DataFrame(table).columns == ["qid", "AP", "nDCG@2"]
    assert pl.DataFrame(table)["qid"].to_list() == ["b", "a"]


def test_to_dict_is_json():
    found = rw.evaluate(SCORES, LABELS, "AP(empty=skip)", qid=np.array(QIDS, dtype=object))
    read = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert read["per_query"] == {"qid": ["b", "a"], "AP(empty=skip)": [pytest.approx(7 / 12), None]}
    assert "per_query" not in found.to_dict(per_query=False)


def test_repr_is_a_table():
    lines = repr(rw.evaluate(SCORES, LABELS, ["AP", "nDCG@2"], qid=QIDS)).splitlines()
    assert lines[0] == "Evaluation of 2 queries, 5 documents"
    assert lines[1].split() == ["measure", "mean", "nothing", "to", "find", "skipped"]
    assert lines[2].split() == ["AP", "0.2917", "1", "0"]


def test_a_measure_is_bound_to_all_the_data():
    class Largest(rw.Measure):
        top = 0.0
        name = "_largest"

        def bind(self, labels):
            bound = type(self)()
            object.__setattr__(bound, "top", max(self.top, float(np.max(labels))))
            return bound

        def of_ranking(self, labels):
            return float(labels[0]) / self.top

    found = rw.compare({"a": [[1.0], [1.0]]}, [([1], [1]), ([4], [1])], Largest())
    assert found.evaluations["a"].per_query["_largest"].tolist() == [1 / 4, 1.0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rw.evaluate([1.0], LABELS, "AP", qid=QIDS), "one score per document. Got shape \\(1,\\)"),
        (lambda: rw.evaluate([1, np.nan], [1, 0], "AP"), "NaN at row 1"),
        (lambda: rw.evaluate([1, 2, np.nan], [1, 0, 1], "AP", qid=[1, 2, 1]), "NaN at row 2"),
        (lambda: rw.evaluate(["x"], [1], "AP"), "array of numbers"),
        (lambda: rw.evaluate([1.0], [-1], "AP"), "labels must be finite"),
        (lambda: rw.evaluate([1.0], [1], []), "must be a measure"),
        (lambda: rw.evaluate([1.0], [1], "nCDG@10"), "Did you mean"),
        (lambda: rw.evaluate([], [], "AP"), "must be documents"),
        (lambda: rw.evaluate([1.0], 3, "AP"), "data must be a Dataset"),
        (lambda: rw.evaluate([1.0], [1], "AP", qid=[1, 2]), "qid must be one value per row"),
        (lambda: rw.evaluate([1.0], ([1], [1]), "AP", qid=[1]), "brings its own qid"),
        (lambda: rw.evaluate(SCORES, dataset(), "AP", qid=QIDS), "brings its own qid"),
        (lambda: rw.evaluate([1.0], [1], "AP", doc_ids=["a", "b"]), "doc_ids must be one per row"),
        (lambda: rw.evaluate({"a": [1.0]}, [1], "AP"), "Use compare"),
        (lambda: rw.evaluate(rw.SingleFeature().fit(dataset()), [1], "AP"), "needs features"),
        (lambda: rw.evaluate([1.0], [1], "AP", query_weight=[1, 2]), "query_weight must have one value"),
        (lambda: rw.evaluate([1.0], [1], "AP", qid=[7], query_weight={"7": 2}), "dict by query id. Got keys like '7'"),
        (lambda: rw.evaluate(rw.AdaRank, dataset(), "AP"), "must be fitted. Got the class AdaRank"),
    ],
)
def test_bad_input_is_told(call, message):
    with pytest.raises(rw.InputError, match=message):
        call()


def test_arrays_in_hand_cost_no_heavy_import():
    program = (
        "import sys, rankwright as rw\n"
        "rw.evaluate([2.0, 1.0], [0, 1], ['AP', 'nDCG@10'], qid=[1, 1]).means\n"
        "print([m for m in ('sklearn', 'scipy', 'pandas', 'polars', 'rich', 'typer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_evaluate_is_measure_all_and_no_more():
    rng = np.random.default_rng(0)
    y, s, qptr = rng.integers(0, 3, 500), rng.normal(size=500), np.arange(0, 501, 10)
    values = measure_all([rw.measure("AP")], y, s, qptr)
    found = rw.evaluate(s, y, "AP", qid=np.repeat(np.arange(50), 10))
    assert found.values.tolist() == values.tolist()
    assert found.means["AP"] == values.mean()
