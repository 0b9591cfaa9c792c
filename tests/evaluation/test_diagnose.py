from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

import rankwright as rw
from rankwright.evaluation import by_pairs, learning_curves, pair_errors
from rankwright.evaluation.pairs import discordant_pairs, pairs_per_query


@st.composite
def judged(draw):
    n = draw(st.integers(1, 25))
    y = draw(arrays(np.float32, n, elements=st.sampled_from([0.0, 1.0, 2.0])))
    s = draw(arrays(np.float64, n, elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0])))
    cuts = sorted(draw(st.lists(st.integers(0, n), max_size=4)))
    return y, s, np.array([0, *cuts, n])


@settings(deadline=None)
@given(judged())
def test_counted_pairs_are_the_pairs_one_by_one(case):
    y, s, qptr = case
    counted = discordant_pairs(y, s, qptr, np.array([2.0, 1.0, 0.0]))
    for q in range(len(qptr) - 1):
        rows = range(qptr[q], qptr[q + 1])
        assert pairs_per_query(y, qptr)[q] == sum(y[i] > y[j] for i in rows for j in rows)
        for (high, low), (pairs, errors) in counted.items():
            gaps = [s[i] - s[j] for i in rows for j in rows if y[i] == high and y[j] == low]
            assert pairs[q] == len(gaps)
            assert errors[q] == sum(1.0 if gap < 0 else 0.5 if gap == 0 else 0.0 for gap in gaps)


def test_error_rates_by_hand():
    y, s, qid = [2, 1, 0, 0, 1], [1.0, 2.0, 1.0, 0.0, 0.0], [1, 1, 1, 2, 2]
    table = pair_errors({"s": s, "ideal": y}, y, qid=qid, names={2: "d", 1: "p", 0: "n"})
    assert table["pair"].tolist() == ["d–p", "d–n", "p–n", "all"]
    assert table["pairs"].tolist() == [1, 1, 2, 4]
    assert table["s"].tolist() == [1.0, 1 / 2, (0 + 1 / 2) / 2, (1 + 1 / 2 + 0 + 1 / 2) / 4]
    assert table["ideal"].tolist() == [0.0] * 4
    by_query = pair_errors(s, y, qid=qid, average="queries")
    assert by_query["error rate"].tolist() == [1.0, 1 / 2, (0 + 1 / 2) / 2, ((1 + 1 / 2 + 0) / 3 + 1 / 2) / 2]


def test_average_over_queries_takes_their_weights():
    y, s = [1, 0, 1, 0], [1.0, 0.0, 0.0, 1.0]
    data = rw.Dataset(np.zeros((4, 1)), y, qid=[1, 1, 2, 2], query_weight=[3.0, 1.0])
    assert pair_errors(s, data, average="queries")["error rate"].tolist() == [1 / 4, 1 / 4]
    assert pair_errors(s, data)["error rate"].tolist() == [1 / 2, 1 / 2]


def test_a_list_of_a_hundred_thousand_documents_is_no_matter():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 100_000)
    table = pair_errors(rng.normal(size=100_000), y)
    assert table["error rate"] == pytest.approx(0.5, abs=0.02)
    assert int(table["pairs"][-1]) == (100_000**2 - (np.bincount(y) ** 2).sum()) // 2


def test_no_pairs_at_all():
    assert np.isnan(pair_errors([1.0, 2.0], [0, 0], qid=[1, 1])["error rate"]).all()
    assert by_pairs([1.0, 2.0], [0, 0], qid=[1, 1])["queries"].tolist() == [1]


def test_groups_by_document_pairs():
    # pairs per query: 0, 1, 3
    y, s, qid = [0, 1, 0, 1, 0, 0, 0], [1, 1, 2, 4, 3, 2, 1], [1, 2, 2, 3, 3, 3, 3]
    table = by_pairs({"s": s}, y, "AP", qid=qid, edges=[0, 1, 3, 1000])
    assert table["document pairs"].tolist() == ["0–1", "1–3", "3–1k", "1k–"]
    assert table["queries"].tolist() == [1, 1, 1, 0]
    assert table["s"].tolist()[:3] == [0.0, 1 / 2, 1.0]
    assert np.isnan(table["s"][3])


@pytest.mark.parametrize(("most", "width"), [(0, 1), (9, 1), (10, 2), (49, 5), (499, 50), (9_999, 1_000)])
def test_default_groups_are_round_and_at_most_ten(most, width):
    from rankwright.evaluation.diagnose import _edges

    edges = _edges(None, most)
    assert len(edges) <= 10
    assert edges[-1] <= most < edges[-1] + width
    assert edges == list(range(0, most + 1, width))


def fitted():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    data = rw.Dataset(X, (X[:, 0] > 0.3).astype(int), group=[10] * 6)
    return rw.AdaRank(n_rounds=3).fit(data, valid=data), rw.SingleFeature().fit(data), data


def test_learning_curves_are_the_histories():
    boosted, single, _ = fitted()
    table = learning_curves({"boosted": boosted, "single": single})
    mine = table["ranker"] == "boosted"
    assert table["train"][mine].tolist() == [row["train"] for row in boosted.history_]
    assert table["round"][~mine].tolist() == [row["round"] for row in single.history_]
    assert np.isnan(table["valid"][~mine]).all()
    alone = learning_curves(boosted)
    assert "ranker" not in alone
    assert alone["train"].tolist() == table["train"][mine].tolist()


def test_diagnose_holds_the_three_tables():
    boosted, single, data = fitted()
    found = rw.diagnose({"boosted": boosted, "single": single}, data, "AP")
    assert found.pair_errors.to_dict() == pair_errors({"boosted": boosted, "single": single}, data).to_dict()
    assert found.by_pairs["queries"].sum() == 6
    assert found.learning_curves is not None
    assert "Learning curves" in repr(found)
    assert rw.diagnose(boosted, data).learning_curves.to_dict() == learning_curves(boosted).to_dict()
    scores_only = rw.diagnose(boosted.predict(data), data)
    assert scores_only.learning_curves is None
    json.dumps([found.to_dict(), scores_only.to_dict()], allow_nan=False)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pair_errors(np.arange(50), np.arange(50)), "at most 32 different"),
        (lambda: pair_errors([np.nan, 1], [1, 0]), "NaN at row 0"),
        (lambda: pair_errors([1, 1], [1, 0], average="all"), "pairs or queries"),
        (lambda: pair_errors({}, [1, 0]), "must be a system"),
        (lambda: pair_errors({"pairs": [1, 2]}, [1, 0]), "named like a column"),
        (lambda: by_pairs([1, 2], [1, 0], edges=[]), "must be whole numbers that rise"),
        (lambda: by_pairs([1, 2], [1, 0], edges=[0, 0]), "must be whole numbers that rise"),
        (lambda: by_pairs([1, 2], [1, 0], edges=[5]), "must start at or below 1"),
        (lambda: learning_curves(rw.SingleFeature()), "need fitted rankers"),
    ],
)
def test_bad_input_is_told(call, message):
    with pytest.raises(rw.InputError, match=message):
        call()
