"""The native module, its stub and its twins name the same functions with the same arguments."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import rankwright.kernels
from rankwright.kernels import reference

_native = pytest.importorskip("rankwright.kernels._native")


def _stub() -> dict[str, list[str]]:
    text = Path(rankwright.kernels.__file__).with_name("_native.pyi").read_text()
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return {f.name: [a.arg for a in (*f.args.args, *f.args.kwonlyargs)] for f in functions}


def _public(module: object) -> dict[str, list[str]]:
    functions = inspect.getmembers(module, inspect.isroutine)
    return {name: list(inspect.signature(f).parameters) for name, f in functions if not name.startswith("_")}


def test_stub_equals_binary() -> None:
    assert _stub() == _public(_native)


def test_every_kernel_has_a_twin_with_the_same_arguments() -> None:
    twins = _public(reference)
    assert {n: twins.get(n) for n in _stub()} == _stub()


def test_every_kernel_is_behind_the_door() -> None:
    assert set(_stub()) <= set(dir(rankwright.kernels))
