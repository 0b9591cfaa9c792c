"""Every registered measure has every property, under every policy for ties and for queries with nothing to find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from rankwright.checks import MEASURE_CHECKS, check_measure
from rankwright.errors import InputError
from rankwright.measures import REGISTRY, Measure

OURS = sorted({cls for cls in REGISTRY.values() if cls.__module__.startswith("rankwright.")}, key=lambda cls: cls.name)


def _variants(cls: type[Measure]) -> Iterator[Measure]:
    plain = cls()
    variants = [(plain, {"k": k}) for k in (1, 3)] if plain.k is None else []
    variants += [(plain, {"ties": ties}) for ties in ("worst", "input", "docid")]
    variants += [(plain, {"empty": empty}) for empty in ("one", "skip", "error")]
    yield plain
    for base, options in variants:
        try:
            yield replace(base, **options)
        except InputError:  # a measure without this option
            continue


SUBJECTS = [m for cls in OURS for m in _variants(cls)]


@pytest.mark.parametrize("check", MEASURE_CHECKS)
@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_property(subject: Measure, check: str) -> None:
    others = {name: "one at a time" for name in MEASURE_CHECKS if name != check}
    assert check_measure(subject, skip=others) == [check]


def test_there_are_measures() -> None:
    assert {"nDCG", "AP"} <= {cls.name for cls in OURS}
