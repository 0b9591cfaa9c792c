"""How sure α is: against plain recomputation on every resample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import rankwright as rw
from rankwright.errors import InputError
from rankwright.line_search import StepTable

RNG = np.random.default_rng(1)
N_QUERIES, N_DOCS = 24, 15
Y = RNG.integers(0, 3, N_QUERIES * N_DOCS)
A, B = RNG.normal(size=len(Y)) + 0.4 * Y, RNG.normal(size=len(Y)) + 0.6 * Y
GROUP = [N_DOCS] * N_QUERIES


@dataclass(frozen=True)
class FirstLabel(rw.Measure):
    name = "_first_label"

    def of_ranking(self, labels):
        return float(labels[0]) / 2


@pytest.fixture(scope="module")
def best():
    return rw.optimal_combination(A, B, Y, group=GROUP, measure="nDCG@5", curve=True)


def table_of(best):
    s = best.sides
    return StepTable(s.objective, s.a, s.b, s.form, s.lo, s.hi)


def test_the_table_sums_to_the_curve(best):
    table = table_of(best)
    np.testing.assert_allclose(table.sums(np.ones(N_QUERIES)) / N_QUERIES, best.curve.value, atol=1e-12)
    assert table.best(np.ones(N_QUERIES))[0] == pytest.approx(best.alpha, abs=1e-12)


def test_the_table_knows_every_query_everywhere(best):
    table, objective = table_of(best), best.sides.objective
    for alpha in (0.111, 0.5, 0.987):
        np.testing.assert_allclose(table.values(alpha), objective.per_query((1 - alpha) * A + alpha * B), atol=1e-12)


def test_a_resample_is_searched_exactly(best):
    times = RNG.integers(0, 3, N_QUERIES).astype(float)
    alpha = table_of(best).best(times)[0]
    again = rw.optimal_combination(A, B, Y, group=GROUP, measure="nDCG@5", query_weight=times)
    assert again.value_at(alpha) == pytest.approx(again.value, abs=1e-12)


@pytest.mark.parametrize("name", ["nDCG@5", "KendallTau", "AP"])
def test_one_standard_error_is_that_of_the_paired_losses(name):
    best = rw.optimal_combination(A, B, Y, group=GROUP, measure=name)
    table = table_of(best)
    top = table.values(best.alpha)
    inside = []
    for lo, hi in zip(table.lo, table.hi, strict=True):
        lost = top - table.values((lo + hi) / 2)
        if lost.mean() <= lost.std(ddof=1) / np.sqrt(N_QUERIES) + 1e-9:
            inside.append((lo, hi))
    found = table.within_one_standard_error(best.alpha, np.ones(N_QUERIES))
    assert found == pytest.approx((inside[0][0], inside[-1][1]))


def test_certainty_repeats_and_covers(best):
    sure = best.certainty(n_resamples=200, rng=4)
    again = best.certainty(n_resamples=200, rng=4)
    np.testing.assert_array_equal(sure.alphas, again.alphas)
    assert len(sure.alphas) == 200
    assert sure.interval.lo <= sure.interval.hi
    assert sure.one_standard_error.lo <= best.alpha <= sure.one_standard_error.hi
    assert sure.training_value == pytest.approx(best.value, abs=1e-12)
    assert sure.cross_validated_value <= sure.training_value
    assert (sure.band.low <= sure.band.high).all()
    assert "cross-validated" in repr(sure)


def test_held_out_queries_are_judged_at_the_alpha_of_the_others(best):
    """Leave one out: every fold is one query."""
    sure = best.certainty(n_resamples=2, n_folds=N_QUERIES, rng=0)
    values = []
    for q in range(N_QUERIES):
        weight = np.ones(N_QUERIES)
        weight[q] = 0.0
        alpha = table_of(best).best(weight)[0]
        assert any(alpha == a for a in sure.fold_alphas)
        values.append(best.sides.objective.per_query((1 - alpha) * A + alpha * B)[q])
    assert sure.cross_validated_value == pytest.approx(np.mean(values), abs=1e-12)


def test_the_tests_compare_with_either_ranker(best):
    sure = best.certainty(n_resamples=2)
    assert sure.versus_a.difference == pytest.approx(sure.cross_validated_value - best.value_a, abs=1e-12)
    assert sure.versus_b.difference == pytest.approx(sure.cross_validated_value - best.value_b, abs=1e-12)
    assert 0.0 < sure.versus_a.randomisation <= 1.0


def test_a_measure_known_by_definition_has_a_certainty():
    best = rw.optimal_combination(A[:60], B[:60], Y[:60], group=[15] * 4, measure=FirstLabel())
    assert best.certainty(n_resamples=5, n_folds=2).training_value == pytest.approx(best.value, abs=1e-9)


@pytest.mark.parametrize("wrong", [{"n_resamples": 1}, {"n_folds": 1}])
def test_too_few_resamples_are_refused(best, wrong):
    with pytest.raises(InputError, match="at least"):
        best.certainty(**wrong)


def test_one_query_is_not_enough():
    with pytest.raises(InputError, match="two queries"):
        rw.optimal_combination(A[:15], B[:15], Y[:15]).certainty()
