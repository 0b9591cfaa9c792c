"""Normalised scores, reciprocal rank fusion, equal weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from rankwright.combination import equal_weights, normalised, reciprocal_rank_fusion
from rankwright.errors import InputError

QPTR = np.array([0, 3, 3, 5, 6], np.int64)
SCORES = np.array([1.0, 3.0, 2.0, 7.0, 7.0, 4.0])


def test_minmax():
    np.testing.assert_allclose(normalised(SCORES, QPTR, "minmax"), [0.0, 1.0, 0.5, 0.0, 0.0, 0.0])


def test_z():
    deviation = np.sqrt(2 / 3)
    np.testing.assert_allclose(normalised(SCORES, QPTR, "z"), [-1 / deviation, 1 / deviation, 0, 0, 0, 0], atol=1e-15)


def test_ranks():
    np.testing.assert_allclose(normalised(SCORES, QPTR, "ranks"), [0.0, 1.0, 0.5, 0.5, 0.5, 0.5])


def test_none():
    np.testing.assert_array_equal(normalised(SCORES, QPTR, "none"), SCORES)


def test_an_unknown_normalisation_is_refused():
    with pytest.raises(InputError, match="Did you mean 'minmax'"):
        normalised(SCORES, QPTR, "min-max")


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=12), st.sampled_from(["minmax", "z", "ranks"]))
def test_no_normalisation_reverses_an_order(values, how):
    scores = np.array(values) if how != "z" else np.array(values) / 1e200
    made = normalised(scores, np.array([0, len(scores)], np.int64), how)
    assert np.isfinite(made).all()
    assert (np.diff(made[np.argsort(scores, kind="stable")]) >= 0).all()


def test_reciprocal_ranks_are_added():
    fused = reciprocal_rank_fusion([SCORES, -SCORES], QPTR, k=60)
    expected = [1 / 63 + 1 / 61, 1 / 61 + 1 / 63, 2 / 62, 2 / 61.5, 2 / 61.5, 2 / 61]
    np.testing.assert_allclose(fused, expected)


def test_equal_weights_are_a_mean_of_normalised_scores():
    np.testing.assert_allclose(equal_weights([SCORES, 10 * SCORES], QPTR), normalised(SCORES, QPTR, "minmax"))


def test_rankers_of_other_documents_are_refused():
    with pytest.raises(InputError, match="same documents"):
        reciprocal_rank_fusion([SCORES, SCORES[:3]], QPTR)
