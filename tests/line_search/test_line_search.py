"""The exact line search against brute force: a fresh evaluation between every two crossings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from rankwright.errors import InputError
from rankwright.line_search import Objective, combined, line_search
from rankwright.measures import REGISTRY, Measure, measure

TOLERANCE = 2.0**-48
BUILT_IN = sorted({c for c in REGISTRY.values() if c.__module__.startswith("rankwright.")}, key=lambda c: c.name)
WITH_CUTS = [c() for c in BUILT_IN] + [c(k=k) for c in BUILT_IN if c.has_cut for k in (1, 2, 3)]
OTHERS = [
    measure(m) for m in ("nDCG(gain=identity,discount=letor)@3", "nDCG(gain=[0,1,5],short=zero)@4", "AP(norm=cut)@2")
]
MEASURES = WITH_CUTS + OTHERS + [measure(m) for m in ("AP(rel=2)", "P(short=zero)@4", "ERR(max_label=4)@3")]
RANGES = {
    "convex": [(0.0, 1.0), (0.125, 0.75)],
    "additive": [(0.0, 1.0), (0.125, 5.0), (-3.0, 2.0), (-1.0, 0.0), (-np.inf, np.inf), (0.0, np.inf), (-np.inf, -1.0)],
}


def crossings(a, b, form):
    """Every α where two lines cross, as fractions."""
    out = set()
    for i in range(len(a)):
        for j in range(i):
            da, db = a[i] - a[j], b[j] - b[i]
            divisor = da + db if form == "convex" else db
            if divisor != 0:
                out.add(da / divisor)
    return out


def plateaus(objective, a, b, form, lo, hi):
    """The middles of all plateaus with room to stand, as fractions."""
    ends = {Fraction(e) for e in (lo, hi) if np.isfinite(e)}
    for rows in (slice(*ends_) for ends_ in pairwise(objective.qptr.tolist())):
        ends |= crossings([Fraction(x) for x in a[rows]], [Fraction(x) for x in b[rows]], form)
    inside = sorted({lo, hi} | {float(e) for e in ends if lo <= e <= hi})
    if np.isinf(lo):
        inside[0] = min(inside[1], 0.0) - 10.0
    if np.isinf(hi):
        inside[-1] = max(inside[-2], 0.0) + 10.0
    return [(x, y) for x, y in pairwise(inside) if y - x > TOLERANCE * max(abs(x), abs(y))]


def best_by_brute_force(objective, a, b, form, lo, hi, exactly=False):
    """The best mean over the middles of all plateaus; `exactly` ranks by rational scores."""
    exact_a, exact_b = [Fraction(x) for x in a], [Fraction(x) for x in b]
    best = None
    for left, right in plateaus(objective, a, b, form, lo, hi):
        alpha = left + (right - left) / 2
        scores = combined(a, b, alpha, form)
        if exactly:
            x = Fraction(alpha)
            share = 1 - x if form == "convex" else 1
            places = [share * s + x * t for s, t in zip(exact_a, exact_b, strict=True)]
            order = {s: float(rank) for rank, s in enumerate(sorted(set(places)))}
            scores = np.array([order[s] for s in places])
        value = objective.value(scores)
        if best is None or objective.measure.better(value, best):
            best = value
    return best


def random_problem(rng, scores, m=None):
    sizes = rng.integers(1, 8, rng.integers(1, 4))
    n = int(sizes.sum())
    qptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    chosen = MEASURES[rng.integers(len(MEASURES))] if m is None else m
    chosen = replace(
        chosen, ties=("expected", "worst", "input")[rng.integers(3)], empty=("zero", "one", "skip")[rng.integers(3)]
    )
    weight = None if rng.random() < 0.5 else rng.random(len(sizes)) + 0.1
    objective = Objective(rng.integers(0, 3, n).astype(np.float32), qptr, chosen, weight)
    form = ("convex", "additive")[rng.integers(2)]
    return objective, scores(rng, n), scores(rng, n), form, *RANGES[form][rng.integers(len(RANGES[form]))]


SCORES = {
    "few values": lambda rng, n: rng.integers(0, 4, n).astype(float),
    "tenths": lambda rng, n: rng.integers(0, 8, n) / 10.0,
    "normal": lambda rng, n: rng.normal(size=n),
    "mostly equal": lambda rng, n: np.where(rng.random(n) < 0.7, 1.0, rng.integers(0, 3, n)),
}


@pytest.mark.parametrize("kind", SCORES)
def test_the_search_is_exact_on_small_cases_full_of_ties(kind):
    rng = np.random.default_rng(list(SCORES).index(kind))
    checked = 0
    for _ in range(700):
        objective, a, b, form, lo, hi = random_problem(rng, SCORES[kind])
        if np.isnan(objective.value(a)):
            with pytest.raises(InputError, match="counts for"):
                line_search(objective, a, b, form=form, lo=lo, hi=hi)
            continue
        found = line_search(objective, a, b, form=form, lo=lo, hi=hi)
        assert found.value == pytest.approx(best_by_brute_force(objective, a, b, form, lo, hi), abs=1e-12)
        assert found.value == pytest.approx(objective.value(combined(a, b, found.alpha, form)), abs=1e-12)
        assert lo <= found.interval.lo < found.alpha < found.interval.hi <= hi
        checked += 1
    assert checked > 500


@pytest.mark.parametrize("m", MEASURES, ids=str)
def test_every_measure_is_exact(m):
    rng = np.random.default_rng(7)
    for _ in range(25):
        objective, a, b, form, lo, hi = random_problem(rng, SCORES["few values"], replace(m, empty="zero"))
        objective = replace(objective, measure=replace(m, empty="zero"))
        found = line_search(objective, a, b, form=form, lo=lo, hi=hi)
        assert found.value == pytest.approx(best_by_brute_force(objective, a, b, form, lo, hi), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("m", MEASURES, ids=str)
@pytest.mark.parametrize("kind", SCORES)
def test_every_measure_is_exact_on_many_cases_and_its_curve_everywhere(kind, m):
    rng = np.random.default_rng([list(SCORES).index(kind), MEASURES.index(m)])
    for _ in range(60):
        objective, a, b, form, lo, hi = random_problem(rng, SCORES[kind], replace(m, empty="zero"))
        objective = replace(objective, measure=replace(objective.measure, empty="zero"))
        found = line_search(objective, a, b, form=form, lo=lo, hi=hi, curve=True)
        assert found.value == pytest.approx(best_by_brute_force(objective, a, b, form, lo, hi), abs=1e-12)
        for left, right in plateaus(objective, a, b, form, lo, hi):
            alpha = left + (right - left) / 2
            value = found.curve.value[np.searchsorted(found.curve.lo, alpha) - 1]
            assert value == pytest.approx(objective.value(combined(a, b, alpha, form)), abs=1e-12)


def test_the_curve_is_exact_under_huge_differences_by_rational_arithmetic():
    """Slopes of 1e9 beside slopes of 1: floats cannot tell the scores apart, the crossings still are exact."""
    rng = np.random.default_rng(3)

    def huge(rng, n):
        return np.where(rng.random(n) < 0.3, rng.integers(-3, 3, n) * 1e9, rng.integers(0, 3, n)).astype(float)

    for _ in range(150):
        objective, a, b, form, lo, hi = random_problem(rng, huge)
        objective = replace(objective, measure=replace(objective.measure, empty="zero"))
        found = line_search(objective, a, b, form=form, lo=lo, hi=hi, curve=True)
        best = max(found.curve.value * objective.sign) * objective.sign
        assert best == pytest.approx(best_by_brute_force(objective, a, b, form, lo, hi, exactly=True), abs=1e-12)
        assert found.value == objective.value(combined(a, b, found.alpha, form))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_no_alpha_is_better(data):
    n = data.draw(st.integers(1, 9))
    few = st.sampled_from([-2.0, 0.0, 0.1, 0.25, 0.3, 1.0, 3.0])
    a, b = (np.array(data.draw(st.lists(few, min_size=n, max_size=n))) for _ in range(2))
    y = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), np.float32)
    m = data.draw(st.sampled_from([measure(name) for name in ("nDCG@2", "AP", "RR", "ERR@2", "KendallTau", "P@1")]))
    objective = Objective(y, np.array([0, n], np.int64), m)
    found = line_search(objective, a, b, form="convex")
    for left, right in plateaus(objective, a, b, "convex", 0.0, 1.0):
        alpha = left + (right - left) * data.draw(st.sampled_from([0.25, 0.4, 0.7]))
        assert not m.better(objective.value(combined(a, b, alpha, "convex")), found.value + 1e-12 * objective.sign)


def test_a_point_where_documents_meet_is_not_an_optimum():
    """Three documents meet at α = ½, where their tie is worth (1/log2(2) + 1/log2(3) + 1/log2(4))/3 > 1/log2(3)."""
    objective = Objective(np.array([0, 1, 0], np.float32), np.array([0, 3], np.int64), measure("DCG"))
    a, b = np.array([3.0, 2.0, 1.0]), np.array([1.0, 2.0, 3.0])
    found = line_search(objective, a, b, form="convex")
    assert found.value == pytest.approx(1 / np.log2(3))
    assert objective.value(combined(a, b, 0.5, "convex")) > found.value
    assert found.interval.hi == 0.5 or found.alpha != 0.5


def test_the_widest_of_equal_plateaus_is_taken():
    """P@1 is 1 on (0, ⅕) and on (½, 1)."""
    objective = Objective(np.array([1, 0, 1], np.float32), np.array([0, 3], np.int64), measure("P@1"))
    a, b = np.array([4.0, 3.0, 0.0]), np.array([0.0, 3.0, 6.0])
    found = line_search(objective, a, b, form="convex")
    assert found.value == 1.0
    assert found.interval == pytest.approx((0.5, 1.0))
    curve = line_search(objective, a, b, form="convex", curve=True).curve
    assert curve.lo == pytest.approx([0.0, 0.25, 0.5])
    assert curve.value == pytest.approx([1.0, 0.0, 1.0])


@dataclass(frozen=True)
class FirstTwoDiffer(Measure):
    """A measure known by its definition only."""

    name = "_first_two_differ"

    def of_ranking(self, labels):
        return float(len(labels) > 1 and labels[0] != labels[1])


def test_a_users_measure_is_searched_exactly():
    rng = np.random.default_rng(11)
    for _ in range(40):
        objective, a, b, form, lo, hi = random_problem(rng, SCORES["few values"], FirstTwoDiffer())
        objective = replace(objective, measure=replace(objective.measure, empty="zero"))
        found = line_search(objective, a, b, form=form, lo=lo, hi=hi)
        assert found.value == pytest.approx(best_by_brute_force(objective, a, b, form, lo, hi), abs=1e-12)


def test_document_ids_break_ties_along_the_line():
    y, ids = np.array([1, 0, 0], np.float32), np.array(["a", "b", "c"])
    objective = Objective(y, np.array([0, 3], np.int64), measure("RR(ties=docid)"), doc_ids=ids)
    found = line_search(objective, np.ones(3), np.ones(3), form="convex")
    assert found.value == pytest.approx(1 / 3)  # descending ids: c, b, a


def test_scores_near_the_largest_float_do_not_overflow():
    y = np.array([0, 1], np.float32)
    objective = Objective(y, np.array([0, 2], np.int64), measure("RR"))
    found = line_search(objective, np.array([1e308, -1e308]), np.array([-1e308, 1e308]), form="convex")
    assert found.value == 1.0
    assert found.interval == pytest.approx((0.5, 1.0))
