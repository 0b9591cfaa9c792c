"""What holds of every measure, whatever its name."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from rankwright import kernels
from rankwright.kernels import reference
from rankwright.measures import REGISTRY, Measure, measure, measure_all, ties as tied

KINDS = sorted({cls for cls in REGISTRY.values() if cls.__module__.startswith("rankwright.")}, key=lambda c: c.name)
CHOICES = {
    "ties": st.sampled_from(["expected", "worst", "input"]),
    "empty": st.sampled_from(["zero", "one", "skip"]),
    "gain": st.sampled_from(["exp2", "identity", (0.0, 1.0, 1.0, 2.5, 7.0), (1.0, 2.0, 3.0, 4.0, 5.0)]),
    "discount": st.sampled_from(["log2", "letor"]),
    "rel": st.sampled_from([1.0, 2.0, 0.5]),
    "norm": st.sampled_from(["all", "cut"]),
    "short": st.sampled_from(["pad", "zero"]),
    "max_label": st.sampled_from([None, 4.0, 5.0]),
    "scores": st.sampled_from(["double", "single"]),
}


@st.composite
def measures(draw: st.DrawFn, ties: str | None = None) -> Measure:
    kind = draw(st.sampled_from(KINDS))
    options = {f.name: draw(CHOICES[f.name]) for f in fields(kind) if f.name in CHOICES}
    if kind.has_cut:
        options["k"] = draw(st.sampled_from([None, 1, 2, 3, 10]))
    return kind(**{**options, **({"ties": ties} if ties else {})})


@st.composite
def lists(draw: st.DrawFn, longest: int = 12) -> tuple[np.ndarray, np.ndarray]:
    n = draw(st.integers(1, longest))
    labels = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    scores = draw(st.lists(st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 0.25, 1.0, 3.0, np.inf]), min_size=n, max_size=n))
    return np.array(labels, float), np.array(scores)


@given(measures())
def test_measures_print_what_parses_back(m: Measure) -> None:
    assert measure(str(m)) == m
    assert hash(measure(str(m))) == hash(m)


@given(measures(), lists())
def test_values_lie_within_the_bounds(m: Measure, query: tuple[np.ndarray, np.ndarray]) -> None:
    value = m.mean(*query)
    low, high = m.bounds
    assert np.isnan(value) or low <= value <= high + 1e-12


@given(measures(), lists())
def test_monotone_maps_of_the_scores_change_nothing(m: Measure, query: tuple[np.ndarray, np.ndarray]) -> None:
    labels, scores = query
    np.testing.assert_array_equal(m.per_query(labels, scores), m.per_query(labels, np.arctan(scores) * 2 + 7))


@given(st.sampled_from(["expected", "worst"]).flatmap(measures), lists(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_no_bit(m: Measure, query: tuple[np.ndarray, np.ndarray], rnd: object) -> None:
    labels, scores = query
    order = np.random.default_rng(rnd.randrange(2**32)).permutation(len(labels))  # type: ignore[attr-defined]
    np.testing.assert_array_equal(m.per_query(labels, scores), m.per_query(labels[order], scores[order]))


@given(measures(), lists())
def test_no_order_beats_the_ideal_one(m: Measure, query: tuple[np.ndarray, np.ndarray]) -> None:
    labels, scores = query
    ideal, value = m.mean(labels, labels), m.mean(labels, scores)
    sign = -1 if m.lower_is_better else 1
    assert np.isnan(ideal) or sign * ideal >= sign * value - 1e-12


@given(measures(ties="worst"), lists())
def test_ties_averaged_are_no_worse_than_the_worst(m: Measure, query: tuple[np.ndarray, np.ndarray]) -> None:
    worst, expected = m.mean(*query), replace(m, ties="expected").mean(*query)
    sign = -1 if m.lower_is_better else 1
    assert np.isnan(worst) or sign * expected >= sign * worst - 1e-12


@settings(max_examples=60)
@given(measures(), lists(longest=7))
def test_the_kernel_follows_the_definition(m: Measure, query: tuple[np.ndarray, np.ndarray]) -> None:
    labels, scores = query
    bound = m.bind(labels)
    assume(not bound.is_empty(labels))
    order = np.lexsort((np.arange(len(labels)), -scores))
    wanted = tied.value(bound.of_ranking, labels[order], scores[order], m.ties)
    assert m.mean(labels, scores) == pytest.approx(wanted, abs=1e-13)


def some_queries(seed: int, n_queries: int, longest: int, few: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    qptr = np.concatenate([[0], np.cumsum(rng.integers(0, longest, n_queries))])
    n = int(qptr[-1])
    labels = rng.choice(5, n, p=[0.9, 0.04, 0.03, 0.02, 0.01] if few else [0.2] * 5).astype(np.float32)
    scores = np.where(rng.random(n) < 0.5, rng.normal(size=n), rng.integers(0, 9, n))
    scores += np.where(rng.random(n) < 0.1, 1e-12, 0.0)  # neighbours that agree in all but the lowest bits
    return labels, scores, qptr


ALL = [kind(k=k) if kind.has_cut else kind() for kind in KINDS for k in ((None, 1, 5) if kind.has_cut else (None,))]


@pytest.mark.parametrize("few", [True, False], ids=["few relevant", "many relevant"])
@pytest.mark.parametrize("ties", ["expected", "worst", "input", "docid"])
def test_native_equals_its_twin_on_long_lists(ties: str, few: bool) -> None:
    labels, scores, qptr = some_queries(1, 25, 300, few)
    keys = np.random.default_rng(2).permutation(len(labels))
    specs = [replace(m, ties=ties).bind(labels).kernel_spec() for m in ALL]
    native = kernels.measure_queries(specs, scores, labels, qptr, keys)
    twin = reference.measure_queries(specs, scores, labels, qptr, keys)
    np.testing.assert_allclose(native, twin, rtol=5e-14, atol=1e-15)


@pytest.mark.parametrize("few", [True, False], ids=["few relevant", "many relevant"])
def test_small_cuts_alone_give_what_they_give_beside_whole_lists(few: bool) -> None:
    labels, scores, qptr = some_queries(3, 60, 400, few)
    for ties in ("expected", "worst", "input", "docid"):
        short = [replace(measure(t), ties=ties) for t in ("nDCG@3", "P@2", "RR@3", "ERR@2", "AP@3", "Overlap@3")]
        ids = np.arange(len(labels)) % 17
        alone = measure_all(short, labels, scores, qptr, doc_ids=ids)
        beside = measure_all([*short, measure("AUC")], labels, scores, qptr, doc_ids=ids)
        np.testing.assert_array_equal(alone, beside[:-1])


def test_the_number_of_threads_changes_no_bit() -> None:
    labels, scores, qptr = some_queries(4, 800, 120, False)
    one = measure_all(ALL, labels, scores, qptr, n_threads=1)
    for n_threads in (2, 5):
        np.testing.assert_array_equal(one, measure_all(ALL, labels, scores, qptr, n_threads=n_threads))


def test_labels_that_are_not_whole_numbers_are_measured_too() -> None:
    labels, scores, qptr = some_queries(5, 40, 30, False)
    labels = labels + np.random.default_rng(0).random(len(labels)).astype(np.float32) * (labels > 0)
    specs = [m.bind(labels).kernel_spec() for m in ALL]
    native = kernels.measure_queries(specs, scores, labels, qptr)
    np.testing.assert_allclose(native, reference.measure_queries(specs, scores, labels, qptr), rtol=1e-12, atol=1e-15)
