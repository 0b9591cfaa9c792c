"""What docstrings say of parameters is what the signatures have; nothing is written twice and left to drift."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

import rankwright as rw
from rankwright import docstrings
from rankwright.measures import REGISTRY as MEASURES
from rankwright.options import option_table, options_of
from rankwright.rankers import REGISTRY as RANKERS

RANKER_CLASSES = [cls for cls in RANKERS.values() if cls.__module__.startswith("rankwright.")]
MEASURE_CLASSES = sorted({cls for cls in MEASURES.values() if cls.__module__.startswith("rankwright.")}, key=str)


def _public_functions() -> Iterator[Any]:
    for name in rw.__all__:
        value = getattr(rw, name)
        if inspect.isfunction(value):
            yield pytest.param(value, id=name)
        elif inspect.isclass(value) and not issubclass(value, Exception):
            for part, method in vars(value).items():
                if inspect.isfunction(method) and not part.startswith("_"):
                    yield pytest.param(method, id=f"{name}.{part}")


@pytest.mark.parametrize("cls", RANKER_CLASSES, ids=lambda cls: cls.name)
def test_rankers_describe_their_signature(cls: type[Any]) -> None:
    assert set(docstrings.parameters(cls.__doc__)) == set(inspect.signature(cls).parameters)


@pytest.mark.parametrize("cls", MEASURE_CLASSES, ids=lambda cls: cls.name)
def test_measures_describe_nothing_they_have_not(cls: type[Any]) -> None:
    assert set(docstrings.inherited_parameters(cls)) <= set(inspect.signature(cls).parameters)


@pytest.mark.parametrize("function", list(_public_functions()))
def test_functions_that_describe_parameters_describe_them_all(function: Any) -> None:
    described = docstrings.parameters(function.__doc__)
    signature = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
    assert not described or sorted(described) == sorted(signature)


@pytest.mark.parametrize("cls", RANKER_CLASSES, ids=lambda cls: cls.name)
def test_tables_of_options_are_complete(cls: type[Any]) -> None:
    rows = option_table(cls)
    assert [row.name for row in rows] == list(options_of(cls))
    assert all(row.values and row.about and row.default for row in rows)
