"""The units of gradients: sums of very many of them fit where they are kept."""

from __future__ import annotations

import math

import pytest

from rankwright.errors import InputError
from rankwright.learners import Growth
from rankwright.learners.units import Extent, Units


@pytest.mark.parametrize("n_docs", [1, 1000, 2**24, 2**25, 50_000_000, 2**30 - 1])
def test_the_sums_of_very_many_documents_fit_their_cells(n_docs: int) -> None:
    units = Units.of([Extent(n_docs, 2.0, 0.5, 1.0)], Growth())
    largest = math.floor(units.scales[1] * 1.0 + 1.0)  # of a document's w in units, rounded up
    assert ((n_docs * largest) << units.count_bits) + n_docs < 2**63
    assert n_docs <= units.count_mask


def test_too_many_documents_are_refused() -> None:
    with pytest.raises(InputError, match="fewer than"):
        Units.of([Extent(2**31, 2.0, 0.5, 1.0)], Growth())
