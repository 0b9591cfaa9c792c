"""Every registered ranker has every property, from the day its class exists."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sklearn.utils import estimator_checks

from rankwright.checks import RANKER_CHECKS, check_ranker
from rankwright.rankers import REGISTRY, Ranker

OURS = {name: cls for name, cls in REGISTRY.items() if cls.__module__.startswith("rankwright.")}


def _cases() -> Iterator[object]:
    for name, cls in sorted(OURS.items()):
        for i, example in enumerate(cls.examples()):
            for check in RANKER_CHECKS:
                reason = cls.exempt.get(check)
                marks = [pytest.mark.skip(reason=reason)] if reason else []
                yield pytest.param(example, check, id=f"{name}-{i}-{check}", marks=marks)


@pytest.mark.filterwarnings("ignore:.*queries have documents of one kind only")
@pytest.mark.filterwarnings("ignore:The labels are graded")
@pytest.mark.parametrize(("ranker", "check"), list(_cases()))
def test_property(ranker: Ranker, check: str) -> None:
    others = {name: "one at a time" for name in RANKER_CHECKS if name != check}
    assert check_ranker(ranker, skip=others) == [check]


@pytest.mark.parametrize("cls", list(OURS.values()), ids=list(OURS))
def test_exemptions_name_properties_and_give_reasons(cls: type[Ranker]) -> None:
    assert all(name in RANKER_CHECKS or hasattr(estimator_checks, name) for name in cls.exempt)
    assert all(len(reason.split()) > 3 for reason in cls.exempt.values())


def test_there_are_rankers() -> None:
    assert {"single_feature", "pointwise"} <= set(OURS)
