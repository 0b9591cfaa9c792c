"""Sums of long arrays, part by part."""

from __future__ import annotations

import numpy as np
import pytest

from rankwright.rankers.long_arrays import PART, add_scaled


@pytest.mark.parametrize("n", [0, 1, PART, 2 * PART + 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_is_the_sum_bit_for_bit(n: int, dtype: type) -> None:
    rng = np.random.default_rng(n)
    total, numbers = rng.normal(size=n), rng.normal(size=n).astype(dtype)
    expected = total + 0.3 * numbers.astype(np.float64)
    add_scaled(total, 0.3, numbers)
    np.testing.assert_array_equal(total, expected)
