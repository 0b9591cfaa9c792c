"""Closed forms of swap deltas, and decompositions, against recomputing, on all short label lists."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from rankwright.measures import REGISTRY, Measure, measure

MEASURES = [
    "DCG@3", "nDCG", "nDCG@1", "nDCG@3", "nDCG(gain=identity,discount=letor)@2", "nDCG(short=zero)@4",
    "MeanNDCG", "MeanNDCG@2",
    "AP", "AP@2", "AP(norm=cut)@3", "AP(rel=2)", "P@1", "P@3", "P(short=cut)@4", "P(short=zero)@4", "Recall@2", "WTA",
    "RR", "RR@2", "RR(rel=2)@3", "ERR", "ERR@2", "ERR(max_label=4)@3", "KendallTau", "AUC", "AUC(rel=2)", "Overlap@2",
]  # fmt: skip
LISTS = [np.array(y, float) for n in range(6) for y in product(range(3), repeat=n)]


@pytest.mark.parametrize("text", MEASURES)
def test_closed_form_equals_recomputing(text: str) -> None:
    m = measure(text).bind(np.array([2.0]))
    for labels in LISTS:
        closed, wanted = m.swap_deltas(labels), m.recomputed_swap_deltas(labels)
        assert closed.shape == (len(labels), len(labels))
        np.testing.assert_allclose(closed, wanted, rtol=0, atol=4e-15, err_msg=f"{labels}")


def test_no_measure_of_the_library_recomputes() -> None:
    for kind in {cls for cls in REGISTRY.values() if cls.__module__.startswith("rankwright.")}:
        assert kind.swap_deltas is not Measure.swap_deltas or kind.decomposition is not Measure.decomposition


def test_swap_delta_of_nDCG_by_hand() -> None:
    # labels 1, 0 swapped: gain 1 moves from discount 1 to 1/log2(3), the ideal being 1
    assert measure("nDCG").swap_deltas(np.array([1.0, 0.0]))[0, 1] == pytest.approx(1 - 1 / np.log2(3))


@pytest.mark.parametrize("text", MEASURES)
def test_decomposition_sums_to_the_value_in_any_order(text: str) -> None:
    m = measure(text)
    rng = np.random.default_rng(0)
    checked = 0
    for labels in LISTS:
        if m.is_empty(labels) or (parts := m.decomposition(labels)) is None:
            continue
        order = rng.permutation(len(labels))
        value = float(parts.gain[order] @ parts.discount) / parts.norm
        assert value == pytest.approx(m.of_ranking(labels[order]), abs=1e-15 * 8)
        checked += 1
    assert checked or m.decomposition(LISTS[-1]) is None
