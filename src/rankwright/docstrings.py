"""What the docstrings say of parameters, so that help pages and tables need not be written a second time."""

from __future__ import annotations

import inspect
import re
from typing import Any

_ENTRY = re.compile(r"^(?P<names>\*{0,2}\w+(?:,\s*\*{0,2}\w+)*)\s:\s?(?P<text>.*)$")


def section(text: str | None, title: str) -> list[str]:
    """The lines of one numpydoc section, such as ``Parameters``."""
    lines = inspect.cleandoc(text or "").splitlines()
    for i, line in enumerate(lines[:-1]):
        if line.strip() == title and set(lines[i + 1].strip()) == {"-"}:
            body = lines[i + 2 :]
            ends = (j for j in range(1, len(body)) if body[j].strip() and set(body[j].strip()) == {"-"})
            return body[: next(ends, len(body) + 1) - 1]
    return []


def parameters(text: str | None) -> dict[str, str]:
    """The parameters a docstring describes, in its order: ``name : what it is``, over as many lines as it takes."""
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section(text, "Parameters"):
        entry = _ENTRY.match(line)
        if entry is not None:
            names = [name.strip().lstrip("*") for name in entry["names"].split(",")]
            found.update(dict.fromkeys(names, entry["text"].strip()))
        elif line.startswith(" "):
            found.update({name: f"{found[name]} {line.strip()}".strip() for name in names})
    return found


def inherited_parameters(cls: type[Any]) -> dict[str, str]:
    """What a class and the classes it is built on say of their parameters; the nearest class has the last word."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        found.update(parameters(base.__dict__.get("__doc__")))
    return found
