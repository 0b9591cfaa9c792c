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


def entries(text: str | None) -> dict[str, list[str]]:
    """The lines that describe each parameter of a docstring, in its order: ``name : what it is``, and what follows."""
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in section(text, "Parameters"):
        entry = _ENTRY.match(line)
        if entry is not None:
            names = [name.strip().lstrip("*") for name in entry["names"].split(",")]
            found.update({name: [entry["text"].strip()] for name in names})
        elif line.startswith(" "):
            for name in names:
                found[name].append(line.strip())
    return found


def parameters(text: str | None) -> dict[str, str]:
    """The parameters a docstring describes, in its order, each in one line."""
    return {name: " ".join(lines).strip() for name, lines in entries(text).items()}


def inherited_parameters(cls: type[Any]) -> dict[str, str]:
    """What a class and the classes it is built on say of their parameters; the nearest class has the last word."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        found.update(parameters(base.__dict__.get("__doc__")))
    return found


def completed(cls: type[Any]) -> str | None:
    """The docstring of a class, with what its bases say of the parameters that it leaves to them.

    A class that shares options with others describes its own alone, or none; readers of ``help``, of the generated
    pages and of the command's help find all of them, in the order of the signature.
    """
    text = cls.__dict__.get("__doc__")
    if text is None:  # python -OO
        return None
    own = entries(text)
    said = {
        name: lines for base in reversed(cls.__mro__) for name, lines in entries(base.__dict__.get("__doc__")).items()
    }
    names = [name for name in inspect.signature(cls).parameters if name in said]
    if set(names) <= set(own):
        return str(text)
    lines = inspect.cleandoc(text).splitlines()
    start, end = _place(lines)
    described = [line for name in names for line in _entry(name, said[name])]
    return "\n".join([*lines[:start], "Parameters", "-" * len("Parameters"), *described, "", *lines[end:]])


def _entry(name: str, lines: list[str]) -> list[str]:
    first, *more = lines
    return [f"{name} : {first}", *(f"    {line}" for line in more)]


def _place(lines: list[str]) -> tuple[int, int]:
    """Where the parameters of a docstring begin and end; where they would stand, if it has none."""
    titles = [i for i in range(len(lines) - 1) if lines[i].strip() and set(lines[i + 1].strip()) == {"-"}]
    for k, i in enumerate(titles):
        if lines[i].strip() == "Parameters":
            return i, titles[k + 1] if k + 1 < len(titles) else len(lines)
    if titles:
        return titles[0], titles[0]
    lines.append("")
    return len(lines), len(lines)
