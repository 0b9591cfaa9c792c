from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from rankwright.evaluation.tests_of_difference import (
    doubled_ranks,
    effect_size,
    holm,
    paired_t,
    randomisation,
    wilcoxon,
)

few_differences = st.lists(st.integers(-4, 4).map(lambda x: x / 8), min_size=1, max_size=9).map(np.array)


def signs(n):
    return np.array(list(product([-1, 1], repeat=n)))


@given(few_differences)
def test_randomisation_is_the_share_of_sign_vectors(d):
    expected = np.mean(np.abs(signs(len(d)) @ d) >= abs(d.sum()) - 1e-12)
    assert randomisation(d)[0] == pytest.approx(expected, abs=1e-12)


@given(few_differences)
def test_wilcoxon_is_the_share_of_sign_vectors_of_the_ranks_with_ties(d):
    kept = d[d != 0]
    if len(kept) == 0:
        assert wilcoxon(d) == 1.0
        return
    ranks = stats.rankdata(np.abs(kept))
    middle = ranks.sum() / 2
    sums = (signs(len(kept)) > 0) @ ranks
    expected = np.mean(np.abs(sums - middle) >= abs(ranks[kept > 0].sum() - middle) - 1e-9)
    assert wilcoxon(d) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [5, 12, 30, 50])
def test_wilcoxon_without_ties_is_scipys_exact_one(n):
    d = np.random.default_rng(n).normal(0.2, 1, n)
    assert wilcoxon(d) == pytest.approx(stats.wilcoxon(d, method="exact").pvalue, rel=1e-10)


@pytest.mark.parametrize("grid", [0.0, 0.25])
def test_wilcoxon_of_many_is_scipys_normal_one_with_its_correction_for_ties(grid):
    d = np.random.default_rng(3).normal(0.1, 1, 300)
    d = np.round(d / grid) * grid if grid else d
    expected = stats.wilcoxon(d[d != 0], correction=False, method="asymptotic").pvalue
    assert wilcoxon(d) == pytest.approx(expected, rel=1e-10)


def test_wilcoxon_exact_and_normal_agree_where_one_takes_over_from_the_other(monkeypatch):
    d = np.random.default_rng(8).normal(0.3, 1, 50)
    exact = wilcoxon(d)
    monkeypatch.setattr("rankwright.evaluation.tests_of_difference.EXACT_RANKS", 0)
    assert wilcoxon(d) == pytest.approx(exact, rel=0.05)


@pytest.mark.parametrize("n", [2, 10, 400])
def test_t_is_scipys(n):
    a, b = np.random.default_rng(n).normal(0, 1, (2, n))
    assert paired_t(a - b) == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-10)


def test_random_signs_agree_with_every_sign_and_with_scipy(monkeypatch):
    d = np.random.default_rng(1).normal(0.35, 1, 18)
    exact = randomisation(d)[0]
    reference = stats.permutation_test(
        (d, -d), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    assert exact == pytest.approx(reference.pvalue, abs=1e-12)
    monkeypatch.setattr("rankwright.evaluation.tests_of_difference.EXACT_SIGNS", 0)
    drawn = randomisation(d, n_resamples=40_000, rng=2)[0]
    assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 40_000))


def test_random_signs_are_the_same_for_the_same_seed_and_for_columns_together_or_alone():
    d = np.random.default_rng(4).normal(0.1, 1, (60, 3))
    together = randomisation(d, rng=5)
    assert together.tolist() == randomisation(d, rng=5).tolist()
    assert together.tolist() == [randomisation(d[:, j], rng=5)[0] for j in range(3)]
    assert together.tolist() != randomisation(d, rng=6).tolist()


def test_random_signs_never_give_zero():
    assert randomisation(np.ones(100), n_resamples=999)[0] == 1 / 1000


@pytest.mark.parametrize("d", [[], [0.3], [0.0, 0.0, 0.0]])
def test_no_evidence_is_p_1(d):
    assert paired_t(d) == 1.0
    assert wilcoxon(d) == 1.0
    assert randomisation(np.array(d)).tolist() == [1.0]
    assert effect_size(d) == 0.0


def test_the_same_gain_on_every_query():
    d = np.full(8, 0.25)
    assert paired_t(d) == 0.0
    assert wilcoxon(d) == 2 / 2**8
    assert randomisation(d)[0] == 2 / 2**8
    assert effect_size(-d) == -np.inf


def test_effect_size_is_the_mean_in_standard_deviations():
    assert effect_size([1.0, 2.0, 3.0]) == pytest.approx(2.0 / 1.0)


def test_ranks_of_ties_are_shared():
    assert doubled_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [2 * 3.5, 2 * 1, 2 * 3.5, 2 * 2]


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.01 * 3, 0.03 * 2, 0.03 * 2])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    assert holm([]).tolist() == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_what_the_step_down_procedure_rejects(p):
    rejected = set()
    for step, j in enumerate(np.argsort(p, kind="stable")):
        if p[j] * (len(p) - step) > 0.05:
            break
        rejected.add(int(j))
    assert set(np.flatnonzero(holm(p) <= 0.05).tolist()) == rejected


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_false_alarms_stay_at_the_level(seed):
    """Systems that are equal, query by query, are called different in no more than 5% of experiments."""
    n_experiments, m = 600, 40
    rng = np.random.default_rng(seed)
    sizes = rng.gamma(0.5, 1.0, (m, n_experiments))  # skewed, as differences of nDCG are
    d = sizes * rng.choice([-1.0, 0.0, 1.0], (m, n_experiments))
    allowed = 0.05 + 4 * np.sqrt(0.05 * 0.95 / n_experiments)
    assert np.mean(randomisation(d, n_resamples=999, rng=rng) <= 0.05) <= allowed
    assert np.mean([wilcoxon(column) <= 0.05 for column in d.T]) <= allowed
    assert np.mean([paired_t(column) <= 0.05 for column in d.T]) <= allowed
    families = holm_families(d, rng)
    assert families <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / (n_experiments / 6))


def holm_families(d, rng):
    """The share of families of six null comparisons in which Holm's correction leaves any alarm."""
    p = randomisation(d, n_resamples=999, rng=rng).reshape(-1, 6)
    return np.mean([(holm(family) <= 0.05).any() for family in p])


def test_real_differences_are_found():
    d = np.random.default_rng(9).normal(0.5, 1, 200)
    assert max(paired_t(d), wilcoxon(d), randomisation(d)[0]) < 0.001
