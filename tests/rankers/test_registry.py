"""The registry knows every ranker of the library by name and imports it when asked."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import rankwright.rankers as rankers
from rankwright.rankers import REGISTRY, Ranker
from rankwright.rankers.registry import HOMES


def test_every_ranker_of_the_package_is_at_home_where_the_registry_looks() -> None:
    for module in pkgutil.iter_modules(rankers.__path__):
        import_module(f"rankwright.rankers.{module.name}")
    pending, found = [Ranker], {}
    while pending:
        cls = pending.pop()
        pending += cls.__subclasses__()
        if cls.__dict__.get("name") and cls.__module__.startswith("rankwright.rankers."):
            found[cls.name] = (cls.__module__.rpartition(".")[2], cls.__name__)
    assert found == HOMES
    for name, (_, cls) in HOMES.items():
        assert REGISTRY[name] is getattr(rankers, cls)


def test_names_are_known_without_imports_and_one_ranker_brings_no_other() -> None:
    code = (
        "import sys; from rankwright.rankers import REGISTRY; list(REGISTRY); print(REGISTRY['adarank'].__name__);"
        "print([m for m in ('lambdamart', 'neural', 'svm_map') if f'rankwright.rankers.{m}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["AdaRank", "[]"]


def test_unknown_names_are_not_there() -> None:
    assert "nothing" not in REGISTRY
    assert not hasattr(rankers, "Nothing")
