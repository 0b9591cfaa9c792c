"""Options declared once: typed and constrained in the signature, checked, printed and turned into flags from there.

An option is a field with a type: ``learning_rate: Annotated[float, Gt(0)] = 0.1``.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import annotated_types as at
import numpy as np

from rankwright.errors import InputError, unknown

_SIGNS = {at.Gt: ("gt", ">"), at.Ge: ("ge", "≥"), at.Lt: ("lt", "<"), at.Le: ("le", "≤")}


@dataclass(frozen=True)
class Option:
    """One declared option.

    Parameters
    ----------
    name : as in the signature.
    kinds : the types a value may have; ``type(None)`` among them when None is allowed.
    choices : the allowed words of a Literal, or ().
    limits : constraints such as ``Gt(0)``.
    default : its default.
    """

    name: str
    kinds: tuple[type, ...]
    choices: tuple[Any, ...]
    limits: tuple[Any, ...]
    default: Any

    def __str__(self) -> str:
        words = [str(c) for c in self.choices]
        words += [
            "whole number" if k is int else "number" if k is float else "yes/no" if k is bool else k.__name__
            for k in self.kinds
            if k is not type(None)
        ]
        limits = " and ".join(f"{sign} {getattr(c, at_):g}" for c in self.limits for at_, sign in [_SIGNS[type(c)]])
        return " or ".join(words) + (f" {limits}" if limits else "") + (" or None" if type(None) in self.kinds else "")

    def check(self, value: Any) -> Any:
        """The value as its declared type, or an InputError that says what must hold."""
        if value is None and type(None) in self.kinds:
            return None
        if isinstance(value, str) and value in self.choices:
            return value
        number = _as_number(value, self.kinds)
        if number is not None:
            if all(_holds(c, number) for c in self.limits):
                return number
        elif any(k not in (int, float) and isinstance(value, k) for k in self.kinds):
            return value
        if self.choices and isinstance(value, str):
            raise unknown(self.name, value, map(str, self.choices))
        raise InputError(f"{self.name} must be {self}. Got {value!r}. The default is {self.default!r}.")

    def parse(self, text: str) -> Any:
        """The value a user typed on the command line."""
        if type(None) in self.kinds and text.lower() == "none":
            return None
        if bool in self.kinds and text.lower() in ("yes", "true", "no", "false"):
            return text.lower() in ("yes", "true")
        for kind in (int, float):
            if kind in self.kinds:
                try:
                    return self.check(kind(text))
                except ValueError as wrong:
                    if isinstance(wrong, InputError):
                        raise
        return self.check(text)


def _as_number(value: Any, kinds: tuple[type, ...]) -> int | float | None:
    if isinstance(value, (bool, np.bool_)):
        return None
    if int in kinds and isinstance(value, (int, np.integer)):
        return int(value)
    if float in kinds and isinstance(value, (int, float, np.integer, np.floating)) and np.isfinite(value):
        return float(value)
    return None


def _holds(limit: Any, value: Any) -> bool:
    if isinstance(limit, at.Gt):
        return bool(value > limit.gt)
    if isinstance(limit, at.Ge):
        return bool(value >= limit.ge)
    if isinstance(limit, at.Lt):
        return bool(value < limit.lt)
    return bool(value <= limit.le)


def _unfold(hint: Any) -> Iterator[Any]:
    """The leaves of a type: ``Annotated[int, Ge(1)] | None`` gives int, Ge(1), None."""
    if get_origin(hint) is Annotated:
        base, *extra = get_args(hint)
        yield from _unfold(base)
        yield from extra
    elif get_origin(hint) in (Union, types.UnionType):
        for part in get_args(hint):
            yield from _unfold(part)
    elif get_origin(hint) is Literal:
        yield hint
    else:
        yield get_origin(hint) or hint


def options_of(cls: Any) -> dict[str, Option]:
    """The options a dataclass declares, by name."""
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: _option(f, list(_unfold(hints[f.name]))) for f in fields(cls) if f.init}


def _option(f: Field[Any], leaves: list[Any]) -> Option:
    limits = [c for leaf in leaves for c in (leaf if isinstance(leaf, at.GroupedMetadata) else [leaf])]
    return Option(
        f.name,
        kinds=tuple(object if leaf is Any else leaf for leaf in leaves if isinstance(leaf, type) or leaf is Any),
        choices=tuple(word for leaf in leaves if get_origin(leaf) is Literal for word in get_args(leaf)),
        limits=tuple(c for c in limits if type(c) in _SIGNS),
        default=None if f.default is MISSING else f.default,
    )
