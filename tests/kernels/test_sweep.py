"""The native line search against its NumPy twin, and against itself on other threads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rankwright.kernels import reference
from rankwright.line_search import Objective
from rankwright.measures import measure

native = pytest.importorskip("rankwright.kernels._native")

SHORT = ["nDCG@3", "DCG@10", "P@6", "Recall@8", "AP@5", "RR@4", "ERR@7", "ERR", "MeanNDCG@4", "Overlap@5"]
LONG = ["nDCG", "AP", "RR", "AUC", "KendallTau", "MeanNDCG"]


def problem(m, sizes, seed, opposed=False, ints=True):
    rng = np.random.default_rng(seed)
    n = int(sum(sizes))
    qptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    objective = Objective(rng.integers(0, 3, n).astype(np.float32), qptr, m)
    column = (lambda: rng.integers(0, 8, n).astype(float)) if ints else (lambda: rng.normal(size=n))
    a, b = column(), column()
    return objective, a, (0.25 * b - a if opposed else b)


def height(curve, alpha):
    return curve[2][np.clip(np.searchsorted(curve[0], alpha, side="right") - 1, 0, None)]


@pytest.mark.parametrize("ties", ["expected", "worst", "input"])
@pytest.mark.parametrize("name", SHORT + LONG)
def test_native_is_its_twin(name, ties):
    """Lists long enough that the first k are followed by the kinetic list and its tournament."""
    m = replace(measure(name), ties=ties)
    for seed, (opposed, ints) in enumerate([(False, True), (True, True), (False, False)]):
        objective, a, b = problem(m, [35, 1, 40], seed, opposed, ints)
        span = (0.0, 1.0, True) if seed % 2 else (-0.5, 2.0, False)
        args = (a, b, objective.qptr, objective.worth, span, objective.tiebreak, 4, True)
        best, curve, _ = native.line_search(*args, 2)
        expected, twin, _ = reference.line_search(*args)
        assert best[2][0] == pytest.approx(expected[2][0], abs=1e-12)
        alpha = np.random.default_rng(0).uniform(span[0], span[1], 300)
        np.testing.assert_allclose(height(curve, alpha), height(twin, alpha), atol=1e-12)


@pytest.mark.parametrize("name", ["nDCG@5", "AP", "KendallTau", "ERR@4"])
def test_step_functions_are_those_of_the_twin(name):
    objective, a, b = problem(measure(name), [12, 1, 20, 9], 1, ints=False)
    args = (a, b, objective.qptr, objective.worth, (0.0, 1.0, True), objective.tiebreak)
    start, ends, alpha, change = native.step_functions(*args, 2)
    moved = change != 0
    t_start, t_ends, t_alpha, t_change = reference.step_functions(*args)
    np.testing.assert_allclose(start, t_start, atol=1e-12)
    np.testing.assert_array_equal(np.concatenate([[0], np.cumsum(moved)])[ends], t_ends)
    np.testing.assert_allclose(alpha[moved], t_alpha, rtol=1e-13)
    np.testing.assert_allclose(change[moved], t_change, atol=1e-12)


@pytest.mark.parametrize("name", ["nDCG@10", "AP", "ERR@5", "KendallTau"])
def test_the_same_bits_on_any_number_of_threads(name):
    objective, a, b = problem(measure(name), [60] * 150, 5, ints=False)
    worth = objective.worth
    runs = [
        native.line_search(a, b, objective.qptr, worth, (0.0, 1.0, True), None, 16, True, threads)
        for threads in (1, 2, 5)
    ]
    for best, curve, n_steps in runs[1:]:
        assert n_steps == runs[0][2]
        for mine, first in zip((*best, *curve), (*runs[0][0], *runs[0][1]), strict=True):
            np.testing.assert_array_equal(mine, first)


@pytest.mark.parametrize("name", ["nDCG@10", "AP", "KendallTau"])
def test_the_optimum_does_not_depend_on_the_windows(name):
    for ints in (True, False):
        objective, a, b = problem(measure(name), [30] * 20, 8, ints=ints)
        args = (a, b, objective.qptr, objective.worth, (0.0, 1.0, True), None, 16, False, 2)
        whole, windows = native.line_search(*args)[0], native.line_search(*args, 150)[0]
        assert windows[2][0] == whole[2][0]
        assert whole[0][0] <= (windows[0][0] + windows[1][0]) / 2 <= whole[1][0]


def test_the_order_of_queries_does_not_matter():
    objective, a, b = problem(measure("nDCG@10"), [50] * 40, 2, ints=False)
    rows = np.arange(len(a)).reshape(40, 50)[::-1].ravel()
    other = replace(objective, y=objective.y[rows])
    span = (0.0, 1.0, True)
    one = native.line_search(a, b, objective.qptr, objective.worth, span, None, 16, True)
    two = native.line_search(a[rows], b[rows], other.qptr, other.worth, span, None, 16, True)
    for mine, first in zip((*two[0], *two[1]), (*one[0], *one[1]), strict=True):
        np.testing.assert_array_equal(mine, first)


def test_only_exchanges_that_touch_the_first_k_are_visited():
    """Opposed rankers of 400 documents: 79,800 crossings, of which at most 2·k·n can touch the first k = 5."""
    rng = np.random.default_rng(0)
    n = 400
    a = rng.normal(size=n)
    y = rng.integers(0, 3, n).astype(np.float32)
    objective = Objective(y, np.array([0, n], np.int64), measure("nDCG@5"))
    b = -a + 0.3 * rng.normal(size=n)
    n_steps = native.line_search(a, b, objective.qptr, objective.worth, (0.0, 1.0, True), None, 1, True)[2]
    assert 0 < n_steps < 2 * 5 * n


def test_arrays_that_do_not_fit_are_refused():
    objective, a, b = problem(measure("nDCG@5"), [10], 0)
    with pytest.raises(ValueError, match="do not fit"):
        native.line_search(a[:-1], b, objective.qptr, objective.worth, (0.0, 1.0, True))


@pytest.mark.parametrize("name", ["nDCG@10", "P@5", "DCG", "AP", "ERR@5"])
@pytest.mark.parametrize("span", [(0.0, 1.0, True), (-np.inf, np.inf, False)])
def test_passing_over_steps_loses_none_of_the_best_plateaus(name, span):
    """Thousands of steps: without the curve only those that can matter are put in order."""
    for seed, ints in [(3, True), (4, False)]:
        objective, a, b = problem(measure(name), [40] * 300, seed, ints=ints)
        args = (a, b, objective.qptr, objective.worth, span, None)
        for n_best in (1, 5, 16):
            best, _, n_steps = native.line_search(*args, n_best, False, 2)
            every, curve, n_all = native.line_search(*args, n_best, True, 2)
            assert n_steps == n_all > 1024
            for mine, first in zip(best, every, strict=True):
                np.testing.assert_array_equal(mine, first)
            assert best[2][0] == curve[2].max()


@pytest.mark.parametrize("ties", ["expected", "worst", "input"])
@pytest.mark.parametrize("name", ["nDCG@3", "DCG", "P@4", "Recall@8", "Overlap@5"])
def test_over_the_whole_line_native_is_its_twin(name, ties):
    """Documents without an order: equal lines, parallel ones, and lists longer than what counts."""
    m = replace(measure(name), ties=ties)
    for seed, (opposed, ints) in enumerate([(False, True), (True, True), (False, False), (True, False)]):
        objective, a, b = problem(m, [25, 1, 2, 40], seed, opposed, ints)
        args = (a, b, objective.qptr, objective.worth, (-np.inf, np.inf, False), objective.tiebreak, 4, True)
        best, curve, _ = native.line_search(*args, 2)
        expected, twin, _ = reference.line_search(*args)
        assert best[2][0] == pytest.approx(expected[2][0], abs=1e-12)
        alpha = np.random.default_rng(0).standard_cauchy(400)
        np.testing.assert_allclose(height(curve, alpha), height(twin, alpha), atol=1e-12)
