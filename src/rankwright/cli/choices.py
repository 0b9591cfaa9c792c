"""What users type, as measures and rankers: choices come from the registries."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rankwright.cli.parameters import DEFAULT_MEASURES
from rankwright.errors import InputError, unknown

if TYPE_CHECKING:
    from rankwright.measures import Measure
    from rankwright.options import Option
    from rankwright.rankers import Ranker

TYPED = (int, float, bool, str, tuple)  # other values, such as a weak ranker, are for Python only
OWN_FLAGS = ("measure", "n_threads", "callbacks")  # options of every ranker that the commands set themselves

_CALL = re.compile(r"^\s*([\w-]+)\s*(?:\((.*)\))?\s*$")


def split_list(texts: Iterable[str]) -> list[str]:
    """``["nDCG@10,AP(rel=2)", "RR"]`` as three: commas separate, except within brackets."""
    parts: list[str] = []
    for text in texts:
        depth, start = 0, 0
        for at, sign in enumerate([*text, ","]):
            depth += (sign in "([") - (sign in ")]")
            if sign == "," and depth <= 0:
                parts.append(text[start:at].strip())
                start = at + 1
    return [part for part in parts if part]


def measures_of(texts: Sequence[str] | None, ties: str | None = None, empty: str | None = None) -> list[Measure]:
    """The measures asked for, with their policies changed where the user says so."""
    from rankwright.measures import measure

    changes = {name: value for name, value in (("ties", ties), ("empty", empty)) if value is not None}
    return [dataclasses.replace(measure(text), **changes) for text in split_list(texts or DEFAULT_MEASURES)]  # type: ignore[arg-type]


def ranker_class(name: str) -> type[Ranker]:
    """The ranker of a name as people type it: lambdamart, LambdaMART, coordinate-ascent."""
    from rankwright.rankers import REGISTRY

    return REGISTRY.as_typed(name)


def trainable_options(cls: type[Ranker]) -> dict[str, Option]:
    """The options of a ranker that are flags of their own: those whose values can be typed."""
    from rankwright.options import options_of

    return {n: option for n, option in options_of(cls).items() if n not in OWN_FLAGS and _can_be_typed(option)}


def _can_be_typed(option: Option) -> bool:
    return bool(option.choices) or any(kind in TYPED for kind in option.kinds)


def ranker_of(text: str, **common: Any) -> Ranker:
    """A ranker written like a measure: ``lambdamart``, or ``lambdamart(n_trees=50, learning_rate=0.05)``."""
    found = _CALL.match(text)
    if found is None:
        raise InputError(f"a ranker is written name(option=value). Got {text!r}. Try `rankwright rankers`.")
    cls = ranker_class(found[1])
    options = trainable_options(cls)
    given = {}
    for part in split_list([found[2] or ""]):
        name, _, value = (piece.strip() for piece in part.partition("="))
        name = name.replace("-", "_")
        if name not in options:
            raise unknown(f"an option of {cls.name}", name, options)
        given[name] = options[name].parse(value)
    return make_ranker(cls, given, **common)


def make_ranker(cls: type[Ranker], given: dict[str, Any], *, seed: int | None = None, **common: Any) -> Ranker:
    """A ranker with the user's options; the command's seed goes to those that draw random numbers."""
    if seed is not None and "rng" in trainable_options(cls):
        given = {"rng": seed, **given}
    return cls(**given, **common)
