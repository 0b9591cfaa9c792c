"""Powell's method, and that the exact search is never below it."""

from __future__ import annotations

import numpy as np
import pytest

import rankwright as rw
from rankwright.errors import InputError


def rankers(seed, n_rankers=2, n_queries=20, n_docs=12):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_queries * n_docs)
    return [rng.normal(size=len(y)) + 0.5 * y for _ in range(n_rankers)], y, [n_docs] * n_queries


@pytest.mark.parametrize("name", ["nDCG@10", "AP", "RR", "KendallTau"])
def test_the_exact_optimum_is_never_below_powell(name):
    for seed in range(8):
        columns, y, group = rankers(seed)
        powell = rw.interpolate(columns, y, group=group, measure=name)
        exact = rw.optimal_combination(*columns, y, group=group, measure=name)
        assert not rw.measure(name).better(powell.value, exact.value + (-1e-12 if name == "KendallTau" else 1e-12))


def test_the_value_is_that_of_the_weights():
    columns, y, group = rankers(1, n_rankers=3)
    found = rw.interpolate(columns, y, group=group)
    assert found.weights.sum() == pytest.approx(1.0)
    qptr = np.concatenate([[0], np.cumsum(group)])
    assert found.value == rw.measure("nDCG@10").mean(y, found.scores(columns), qptr)
    assert found.value >= max(found.values_alone)
    assert "ranker 3" in repr(found)


def test_alpha_is_the_weight_of_the_second_of_two():
    columns, y, group = rankers(2)
    assert rw.interpolate(columns, y, group=group).alpha == rw.interpolate(columns, y, group=group).weights[1]
    columns, y, group = rankers(2, n_rankers=3)
    with pytest.raises(AttributeError, match="second of two"):
        _ = rw.interpolate(columns, y, group=group).alpha


def test_one_ranker_is_refused():
    columns, y, group = rankers(0)
    with pytest.raises(InputError, match="two rankers or more"):
        rw.interpolate(columns[:1], y, group=group)


def test_nan_is_refused_by_name():
    columns, y, group = rankers(0)
    columns[1][4] = np.nan
    with pytest.raises(InputError, match=r"columns\[1\] must be finite. Got nan at row 4"):
        rw.interpolate(columns, y, group=group)
