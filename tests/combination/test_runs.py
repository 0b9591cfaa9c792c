"""Runs combined from files or memory: documents in one run only, unjudged queries, and the fused run."""

from __future__ import annotations

import numpy as np
import pytest

import rankwright as rw
from rankwright.combination import normalised, read_runs, reciprocal_rank_fusion
from rankwright.errors import InputError

NAN = np.nan
A = {"q1": {"x": 3.0, "y": 2.0, "z": 1.0}, "q2": {"x": 5.0}, "q3": {"x": 1.0, "y": 0.0}}
B = {"q1": {"z": 0.9, "w": 0.8}, "q2": {"x": 0.5, "y": 0.1}, "q3": {"y": 7.0}}
QRELS = {"q1": {"z": 1, "y": 2, "lost": 1}, "q2": {"y": 1}}


def artificial_runs(n_queries=12, n_docs=9, n_runs=2, seed=0):
    rng = np.random.default_rng(seed)
    runs = [{} for _ in range(n_runs)]
    qrels = {}
    for q in range(n_queries):
        docs = [f"d{i}" for i in range(n_docs)]
        y = rng.integers(0, 3, n_docs)
        qrels[f"q{q}"] = dict(zip(docs, y.tolist(), strict=True))
        for run in runs:
            kept = rng.permutation(n_docs)[: n_docs - 2]
            run[f"q{q}"] = {docs[i]: float(rng.normal() + 0.5 * y[i]) for i in kept}
    return {f"run{k}": run for k, run in enumerate(runs)}, qrels


def test_what_a_run_did_not_return_is_as_low_as_its_lowest() -> None:
    scores, qptr = np.array([4.0, NAN, 2.0, NAN, NAN]), np.array([0, 3, 5], np.int64)
    np.testing.assert_array_equal(normalised(scores, qptr, "minmax"), [1.0, 0.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(normalised(scores, qptr, "none"), [4.0, 2.0, 2.0, 2.0, 2.0])
    np.testing.assert_array_equal(normalised(scores, qptr, "z"), [1.0, -1.0, -1.0, -1.0, -1.0])
    np.testing.assert_array_equal(normalised(scores, qptr, "ranks"), [1.0, 0.0, 0.0, 0.0, 0.0])


def test_what_a_run_did_not_return_is_below_even_where_all_it_did_is_level() -> None:
    qptr = np.array([0, 2], np.int64)
    assert normalised([7.0, NAN], qptr, "minmax").tolist() == [0.0, -1.0]
    assert normalised([7.0, NAN], qptr, "z").tolist() == [0.0, -1.0]
    assert normalised([7.0, NAN], qptr, "ranks").tolist() == [0.5, -0.5]
    assert normalised([7.0, NAN], qptr, "none").tolist() == [7.0, 7.0]


def test_a_ranker_that_returned_nothing_at_all_is_level() -> None:
    assert normalised([NAN, NAN], np.array([0, 2], np.int64), "minmax").tolist() == [0.0, 0.0]


def test_ranks_are_among_what_was_returned() -> None:
    fused = reciprocal_rank_fusion([[9.0, NAN, 8.0], [NAN, NAN, 1.0]], np.array([0, 3], np.int64))
    np.testing.assert_allclose(fused, [1 / 61, 0.0, 1 / 62 + 1 / 61])


def test_judged_and_all_queries_are_read() -> None:
    judged, every = read_runs({"a": A, "b": B}, QRELS)
    assert judged.data.query_ids.tolist() == ["q1", "q2"]
    assert every.data.query_ids.tolist() == ["q1", "q2", "q3"]
    assert "lost" in judged.data.doc_ids.tolist()
    assert "lost" not in every.data.doc_ids.tolist()


@pytest.mark.parametrize("how", ["minmax", "z", "ranks", "none"])
def test_a_document_that_no_run_returned_is_last_for_every_weight(how: str) -> None:
    judged, _ = read_runs({"a": A, "b": B}, QRELS)
    a, b = judged.normalised(how)
    lost = judged.data.doc_ids.tolist().index("lost")
    first = judged.data.query_of_row == 0
    for alpha in (0.0, 0.3, 1.0):
        scores = (1 - alpha) * a + alpha * b
        assert (scores[first & judged.found] > scores[lost]).all()
    assert judged.alone("a")[lost] < 0.0
    assert judged.reciprocal_rank_fusion()[lost] < 0.0


@pytest.mark.parametrize("name", ["nDCG@10", "AP", "RR"])
def test_two_runs_are_combined_exactly_and_the_fused_run_measures_the_same(name: str, tmp_path) -> None:
    runs, qrels = artificial_runs()
    found = rw.combine_runs(runs, qrels, name, n_resamples=20)
    a, b = found.judged.normalised("minmax")
    best = rw.optimal_combination(a, b, found.judged.data, measure=name)
    assert (found.alpha, found.value) == (best.alpha, best.value)
    found.write(tmp_path / "fused.run", "both")
    again, fused = (
        rw.from_runs({"both": tmp_path / "fused.run"}, qrels, docs="all"),
        rw.read_run(tmp_path / "fused.run"),
    )
    column = [fused[q].get(d, -1.0) for q, d in zip(again.qid, again.doc_ids, strict=True)]
    assert rw.evaluate(column, again, name).means[name] == pytest.approx(found.value, abs=1e-12)


def test_scores_keep_all_their_digits() -> None:
    """Two scores that single precision cannot tell apart."""
    runs = {"a": {"q": {"x": 1.0, "y": 1.0 + 1e-12}}, "b": {"q": {"x": 2.0, "y": 2.0}}}
    assert rw.combine_runs(runs, {"q": {"y": 1}}, "RR").value == 1.0


def test_each_query_is_held_out_from_the_weights_it_is_judged_by() -> None:
    runs, qrels = artificial_runs()
    found = rw.combine_runs(runs, qrels, "nDCG@5", n_resamples=2, n_folds=3)
    a, b = found.judged.normalised()
    alpha = found.certainty.alpha_of_query
    assert set(alpha) == set(found.certainty.fold_alphas)
    for value in set(alpha):
        others = np.flatnonzero(alpha != value)
        rows = np.isin(found.judged.data.query_of_row, others)
        sizes = found.judged.data.group_sizes[others]
        best = rw.optimal_combination(a[rows], b[rows], found.judged.data.y[rows], group=sizes, measure="nDCG@5")
        assert best.value_at(value) == pytest.approx(best.value, abs=1e-12)
    held_out = rw.measure("nDCG@5").mean(found.judged.data.y, found.held_out, found.judged.data.qptr)
    assert held_out == pytest.approx(found.certainty.cross_validated_value, abs=1e-12)


def test_more_than_two_runs_have_weights_that_are_not_negative_and_sum_to_one() -> None:
    runs, qrels = artificial_runs(n_runs=3)
    found = rw.combine_runs(runs, qrels, "nDCG@5", n_folds=2)
    assert (found.weights >= 0).all()
    assert found.weights.sum() == pytest.approx(1.0)
    assert found.exact is None
    values = {
        k: rw.measure("nDCG@5").mean(found.judged.data.y, s, found.judged.data.qptr) for k, s in found.systems().items()
    }
    assert found.value >= max(values["run0"], values["run1"], values["run2"], values["equal weights"]) - 1e-9
    with pytest.raises(AttributeError, match="second of two"):
        _ = found.alpha


def test_the_alternatives_stand_beside_it() -> None:
    runs, qrels = artificial_runs()
    found = rw.combine_runs(runs, qrels, ["nDCG@5", "AP"], n_resamples=2)
    assert list(found.systems()) == ["run0", "run1", "RRF", "equal weights", "combined"]
    table = found.comparison().pairs()
    assert {row["b"] for row in table.rows()} | {row["a"] for row in table.rows()} == set(found.systems())
    assert "on queries left out" in repr(found)


def test_a_run_may_be_called_as_an_alternative_is() -> None:
    runs, qrels = artificial_runs()
    found = rw.combine_runs({"RRF": runs["run0"], "b": runs["run1"]}, qrels, n_resamples=2)
    assert list(found.systems()) == ["RRF", "b", "RRF (all runs)", "equal weights", "combined"]


def test_one_judged_query_is_combined_but_nothing_is_sure() -> None:
    found = rw.combine_runs({"a": {"q": {"x": 2.0, "y": 1.0}}, "b": {"q": {"y": 3.0}}}, {"q": {"y": 1}}, "RR")
    assert (found.value, found.certainty, found.held_out) == (1.0, None, None)


@pytest.mark.parametrize(
    ("runs", "qrels", "message"),
    [
        ({"a": A}, QRELS, "two runs or more"),
        ({"a": A, "b": B}, {"other": {"x": 1}}, "in common"),
        ({"a": A, "b": B}, None, "must be judgements"),
    ],
)
def test_what_cannot_be_combined_is_refused(runs, qrels, message) -> None:
    with pytest.raises(InputError, match=message):
        rw.combine_runs(runs, qrels)


def test_judged_queries_that_no_run_has_are_told() -> None:
    with pytest.warns(UserWarning, match="1 judged query is in no run"):
        read_runs({"a": A, "b": B}, QRELS | {"elsewhere": {"x": 1}})
