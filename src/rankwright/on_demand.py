"""Packages whose names are imported when they are first used, so that nobody waits for what they do not use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package.

    Parameters
    ----------
    package : its name.
    homes : the module of each name, within the package.
    """

    def found(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"{package} has no {name!r}.")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return found
