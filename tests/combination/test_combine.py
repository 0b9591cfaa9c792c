"""The public door: what optimal_combination returns, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import rankwright as rw
from rankwright.errors import InputError

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 60)
A, B = RNG.normal(size=60) + 0.5 * Y, RNG.normal(size=60) + 0.5 * Y
QID = np.repeat(list("zebra"), 12)


def test_no_grid_is_better():
    best = rw.optimal_combination(A, B, Y, qid=QID)
    for alpha in np.linspace(0, 1, 1001)[1:-1]:
        assert best.value_at(alpha) <= best.value + 1e-12
    assert best.value >= max(best.value_a, best.value_b)


def test_the_curve_is_the_measure_everywhere():
    best = rw.optimal_combination(A, B, Y, qid=QID, measure="AP", curve=True)
    lo, hi, value = best.curve
    assert (lo[0], hi[-1]) == (0.0, 1.0)
    np.testing.assert_array_equal(lo[1:], hi[:-1])
    for i in range(len(lo)):
        assert best.value_at(lo[i] + 0.3 * (hi[i] - lo[i])) == pytest.approx(value[i], abs=1e-12)
    assert value.max() == pytest.approx(best.value, abs=1e-12)


def test_rows_of_a_query_may_lie_anywhere():
    order = RNG.permutation(60)
    best = rw.optimal_combination(A, B, Y, qid=QID)
    mixed = rw.optimal_combination(A[order], B[order], Y[order], qid=QID[order])
    assert mixed.interval == best.interval
    assert mixed.value == pytest.approx(best.value, abs=1e-15)


def test_a_dataset_carries_labels_queries_and_weights():
    data = rw.Dataset(np.column_stack([A, B]), Y, qid=QID, query_weight={"z": 5.0})
    best = rw.optimal_combination(A, B, data)
    assert best.interval == rw.optimal_combination(A, B, Y, qid=QID, query_weight=[5, 1, 1, 1, 1]).interval
    assert best.n_queries == 5


def test_query_weights_enter_the_mean():
    one = rw.optimal_combination(A[:12], B[:12], Y[:12])
    best = rw.optimal_combination(A, B, Y, qid=QID, query_weight={"z": 1.0, "e": 0.0, "b": 0.0, "r": 0.0, "a": 0.0})
    assert best.value == pytest.approx(one.value, abs=1e-15)


def test_additive_with_a_negative_direction():
    """s = a − 2b is the only way to rank the second document first: a = (1, 0), b = (1, 0)."""
    best = rw.optimal_combination([1, 0], [1, 0], [0, 1], form="additive", lo=-3, hi=3, measure="RR")
    assert best.interval == (-3.0, -1.0)
    assert best.alpha == -2.0
    assert best.value == 1.0


def test_lower_may_be_better():
    best = rw.optimal_combination(A, B, Y, qid=QID, measure="KendallTau")
    assert best.value <= min(best.value_a, best.value_b)


def test_identical_rankers_give_the_whole_range():
    best = rw.optimal_combination(A, A, Y, qid=QID)
    assert best.interval == (0.0, 1.0)
    assert best.value == best.value_a == best.value_b
    assert "no documents whose order matters change places" in repr(best)


def test_single_documents_have_one_value():
    best = rw.optimal_combination([1.0, 2.0], [3.0, 1.0], [1, 0], qid=["q", "r"])
    assert best.interval == (0.0, 1.0)
    assert best.value == (1.0 + 0.0) / 2


def test_new_documents_are_scored_with_alpha():
    best = rw.optimal_combination(A, B, Y, qid=QID)
    np.testing.assert_array_equal(best.scores([1.0], [3.0]), [(1 - best.alpha) * 1.0 + best.alpha * 3.0])


def test_the_repr_says_what_matters():
    text = repr(rw.optimal_combination(A, B, Y, qid=QID))
    for word in ("nDCG@10", "5 queries", "best", "a alone", "b alone", "anywhere in"):
        assert word in text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"a": np.where(np.arange(60) == 7, np.nan, A)}, "a must be finite. Got nan at row 7"),
        ({"b": np.where(np.arange(60) == 3, np.inf, B)}, "b must be finite. Got inf at row 3"),
        ({"a": A[:-1]}, "one score per document"),
        ({"a": ["x"] * 60}, "must hold numbers"),
        ({"lo": 0.5, "hi": 0.5}, "lo must be less than hi"),
        ({"lo": "low"}, "lo must be a number"),
        ({"hi": [1.0]}, "hi must be a number"),
        ({"lo": 0.7, "hi": 0.2}, "lo must be less than hi"),
        ({"hi": 2.0}, "within 0..1"),
        ({"form": "additive", "hi": np.nan}, "lo must be less than hi"),
        ({"form": "concave"}, "form must be one of additive, convex"),
        ({"measure": "nDGC@10"}, "Did you mean 'nDCG'"),
        ({"labels": np.full(60, np.nan)}, "labels must be finite"),
        ({"labels": np.zeros(60), "measure": "nDCG(empty=skip)"}, "must be a query that counts"),
        ({"labels": np.zeros(60), "measure": "nDCG(empty=error)"}, "something to find"),
        ({"measure": "AP(ties=docid)"}, "needs document ids"),
        ({"qid": QID[:5]}, "qid must be one value per row"),
        ({"group": [60]}, "not both"),
        ({"query_weight": [1.0]}, "query_weight"),
    ],
)
def test_bad_input_is_refused(changes, message):
    passed = {"a": A, "b": B, "labels": Y, "qid": QID} | changes
    with pytest.raises(InputError, match=message):
        rw.optimal_combination(passed.pop("a"), passed.pop("b"), passed.pop("labels"), **passed)


def test_nothing_to_combine_is_refused():
    with pytest.raises(InputError, match="must be judged queries"):
        rw.optimal_combination([], [], [])


def test_a_dataset_comes_alone():
    data = rw.Dataset(np.column_stack([A, B]), Y, qid=QID)
    with pytest.raises(InputError, match="labels is a Dataset"):
        rw.optimal_combination(A, B, data, qid=QID)
