"""From a measure's printed form back to the measure."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, TypeAlias

from rankwright.errors import InputError, unknown
from rankwright.measures.base import REGISTRY, Measure

MeasureLike: TypeAlias = str | Measure

_FORM = re.compile(r"^\s*(?P<name>[A-Za-z_]\w*)\s*(?:\((?P<options>.*)\))?\s*(?:@\s*(?P<k>\d+))?\s*$")
_OPTION = re.compile(r"\s*(\w+)\s*=\s*(\[[^\]]*\]|'[^']*'|\"[^\"]*\"|[^,\[\]]+?)\s*(?:,|$)")


def measure(spec: MeasureLike) -> Measure:
    """A measure from its printed form, such as ``"nDCG@10"``, ``"AP(rel=2)"`` or ``"P(ties=worst)@5"``.

    Names are matched without regard to case; common aliases (``map``, ``mrr``, ``ndcg@10``) are known.
    A Measure passes through.

    Examples
    --------
    >>> import rankwright as rw
    >>> print(rw.measure("ndcg@10"), rw.measure("MAP"))
    nDCG@10 AP
    """
    if isinstance(spec, Measure):
        return spec
    found = _FORM.match(spec) if isinstance(spec, str) else None
    if found is None:
        raise InputError(f"a measure is written name(option=value)@k, such as nDCG@10. Got {spec!r}.")
    kind = REGISTRY.get(found["name"].lower())
    if kind is None:
        raise unknown("measure", found["name"], {cls.name for cls in REGISTRY.values()})
    options = _options(kind, found["options"] or "")
    if found["k"]:
        options["k"] = int(found["k"])
    return kind(**options)


def _options(kind: type[Measure], text: str) -> dict[str, Any]:
    known = {f.name for f in fields(kind)}
    options: dict[str, Any] = {}
    at = 0
    while at < len(text.rstrip()):
        found = _OPTION.match(text, at)
        if found is None:
            raise InputError(f"options of {kind.name} are written name=value, separated by commas. Got ({text}).")
        if found[1] not in known:
            raise unknown(f"an option of {kind.name}", found[1], known)
        options[found[1]] = _value(found[2])
        at = found.end()
    return options


def _value(text: str) -> Any:
    if text[0] in "'\"":
        return text[1:-1]
    if text[0] == "[":
        return tuple(float(part) for part in text[1:-1].split(",") if part.strip())
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
