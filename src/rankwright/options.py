"""Options declared once: typed and constrained in the signature, checked, printed and turned into flags from there.

An option is a field with a type: ``learning_rate: Annotated[float, Gt(0)] = 0.1``.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache, wraps
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import annotated_types as at
import numpy as np

from rankwright.docstrings import inherited_parameters
from rankwright.errors import InputError, unknown

_SIGNS = {at.Gt: ("gt", ">"), at.Ge: ("ge", "≥"), at.Lt: ("lt", "<"), at.Le: ("le", "≤")}
_WORDS: dict[Any, str] = {int: "whole number", float: "number", bool: "yes/no", str: "text", object: "anything"}
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


class Unsaved:
    """Stands where an option was an object that a file cannot hold; training refuses it and says so.

    Parameters
    ----------
    printed : the printed form of the object.
    """

    def __init__(self, printed: str) -> None:
        self.printed = printed

    def __repr__(self) -> str:
        return f"<not saved: {self.printed}>"


class Kind(NamedTuple):
    """One type an option may have: ``tuple[int, ...]`` has the element `int`, other types have none."""

    type: Any
    limits: tuple[Any, ...] = ()
    element: Any = None

    def __str__(self) -> str:
        limits = " and ".join(f"{sign} {getattr(c, at_):g}" for c in self.limits for at_, sign in [_SIGNS[type(c)]])
        word = f"{_WORDS[self.element]}s" if self.element else _WORDS.get(self.type, self.type.__name__)
        return f"{word} {limits}" if limits else word

    def take(self, value: Any) -> Any:
        """The value as this type, or MISSING when it is not one."""
        if self.element is not None:
            return self._elements(value)
        if self.type in (int, float):
            number = _as_number(value, self.type)
            return number if number is not None and all(_holds(c, number) for c in self.limits) else MISSING
        if self.type is bool:
            return bool(value) if isinstance(value, (bool, np.bool_)) else MISSING
        return value if isinstance(value, self.type) and not isinstance(value, Unsaved) else MISSING

    def _elements(self, value: Any) -> Any:
        if not isinstance(value, (tuple, list)):
            return MISSING
        numbers = [_as_number(v, self.element) for v in value]
        fine = all(n is not None and all(_holds(c, n) for c in self.limits) for n in numbers)
        return tuple(numbers) if fine else MISSING


@dataclass(frozen=True)
class Option:
    """One declared option.

    Parameters
    ----------
    name : as in the signature.
    accepts : the types a value may have, each with its limits; without None.
    choices : the allowed words of a Literal, or ().
    optional : whether None is allowed.
    default : its default; None where it has none.
    required : whether it has no default.
    about : what the docstring says of it.
    """

    name: str
    accepts: tuple[Kind, ...]
    choices: tuple[Any, ...] = ()
    optional: bool = False
    default: Any = None
    required: bool = False
    about: str = ""

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types alone, ``type(None)`` among them when None is allowed."""
        return (*(kind.type for kind in self.accepts), *([type(None)] if self.optional else []))

    def __str__(self) -> str:
        words = [*map(str, self.choices), *map(str, self.accepts), *(["None"] if self.optional else [])]
        return " or ".join(words)

    def check(self, value: Any) -> Any:
        """The value as its declared type, or an InputError that says what must hold."""
        if value is None and self.optional:
            return None
        for choice in self.choices:
            if _same(value, choice):
                return choice
        for kind in self.accepts:
            taken = kind.take(value)
            if taken is not MISSING:
                return taken
        if isinstance(value, Unsaved):
            raise InputError(
                f"{self.name} must be given again before training. A file could not hold it ({value.printed}). "
                f"Use set_params({self.name}=...)."
            )
        if self.choices and isinstance(value, str):
            raise unknown(self.name, value, map(str, self.choices))
        default = "It has no default." if self.required else f"The default is {self.default!r}."
        raise InputError(f"{self.name} must be {self}. Got {value!r:.80}. {default}")

    def parse(self, text: str) -> Any:
        """The value a user typed on the command line."""
        for value in self._readings(text):
            try:
                return self.check(value)
            except InputError:
                continue
        return self.check(text)

    def _readings(self, text: str) -> Iterator[Any]:
        """What a text may mean, most particular first."""
        if text.lower() == "none":
            yield None
        if text.lower() in _YES_NO:
            yield _YES_NO[text.lower()]
        for kind in (int, float):
            with suppress(ValueError):
                yield kind(text)
            with suppress(ValueError):
                yield tuple(kind(part) for part in text.split(",") if part.strip())


def _same(value: Any, choice: Any) -> bool:
    if isinstance(value, bool) != isinstance(choice, bool):  # True == 1
        return False
    return isinstance(value, type(choice)) and bool(value == choice)


def _as_number(value: Any, kind: type | None) -> int | float | None:
    if isinstance(value, (bool, np.bool_)):
        return None
    if kind is int:
        return int(value) if isinstance(value, (int, np.integer)) else None
    if not isinstance(value, (int, float, np.integer, np.floating)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if np.isfinite(number) else None


def _holds(limit: Any, value: Any) -> bool:
    if isinstance(limit, at.Gt):
        return bool(value > limit.gt)
    if isinstance(limit, at.Ge):
        return bool(value >= limit.ge)
    if isinstance(limit, at.Lt):
        return bool(value < limit.lt)
    return bool(value <= limit.le)


# -- from annotations to options -------------------------------------------------------------------------------------


def _alternatives(hint: Any, limits: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The leaves of a type, each with its limits: ``Annotated[int, Ge(1)] | None`` gives (int, Ge(1)), (None, )."""
    if get_origin(hint) is Annotated:
        base, *extra = get_args(hint)
        yield from _alternatives(base, (*limits, *(c for e in extra for c in _constraints(e))))
    elif get_origin(hint) in (Union, types.UnionType):
        for part in get_args(hint):
            yield from _alternatives(part, limits)
    else:
        yield hint, limits


def _constraints(extra: Any) -> Iterator[Any]:
    for constraint in extra if isinstance(extra, at.GroupedMetadata) else [extra]:
        if type(constraint) in _SIGNS:
            yield constraint
        elif isinstance(constraint, at.BaseMetadata):
            raise TypeError(f"options know the limits Gt, Ge, Lt, Le and Interval. Got {constraint}.")


def _kind(hint: Any, limits: tuple[Any, ...]) -> Kind:
    if hint is Any:
        return Kind(object)
    if get_origin(hint) is tuple and get_args(hint)[1:] == (...,) and get_args(hint)[0] in (int, float):
        return Kind(tuple, limits, get_args(hint)[0])
    return Kind(get_origin(hint) or hint, limits)


@cache
def _options_of(cls: Any) -> dict[str, Option]:
    hints = get_type_hints(cls, include_extras=True)
    about = inherited_parameters(cls)
    return {f.name: _option(f, hints[f.name], about.get(f.name, "")) for f in fields(cls) if f.init}


def options_of(cls: Any) -> dict[str, Option]:
    """The options a dataclass declares, by name: types, limits, defaults, and what the docstrings say.

    Everything that shows options (help pages, flags, tables of the documentation) is made from this.
    """
    return dict(_options_of(cls))


def _option(f: Field[Any], hint: Any, about: str) -> Option:
    leaves = list(_alternatives(hint))
    words = [word for leaf, _ in leaves if get_origin(leaf) is Literal for word in get_args(leaf)]
    kinds = [(leaf, limits) for leaf, limits in leaves if get_origin(leaf) is not Literal]
    default = f.default_factory() if f.default_factory is not MISSING else f.default
    return Option(
        f.name,
        accepts=tuple(_kind(leaf, limits) for leaf, limits in kinds if leaf is not type(None)),
        choices=tuple(word for word in words if word is not None),
        optional=None in words or any(leaf is type(None) for leaf, _ in kinds),
        default=None if default is MISSING else default,
        required=default is MISSING,
        about=about,
    )


def only_known_options(init: Callable[..., None]) -> Callable[..., None]:
    """An `__init__` that takes options by name only, and says which one was meant where a name is not one."""
    names = list(inspect.signature(init).parameters)[1:]

    @wraps(init)
    def checked(self: object, *values: Any, **options: Any) -> None:
        kind = type(self).__name__
        if values:
            got = f"Got {values[0]!r:.60} without a name."
            raise TypeError(f"{kind} takes its options by name: {', '.join(names)}. {got} Write {kind}(NAME=...).")
        for name in options:
            if name not in names:
                raise TypeError(str(unknown(f"an option of {kind}", name, names)))
        init(self, **options)

    return checked


class OptionRow(NamedTuple):
    """One option as a table shows it."""

    name: str
    values: str
    default: str
    about: str


def option_table(cls: Any) -> list[OptionRow]:
    """The options of a ranker or measure as rows of text: name, allowed values, default, meaning.

    Parameters
    ----------
    cls : a class that declares its options, such as those in ``rankwright.rankers.REGISTRY``.
    """
    return [OptionRow(o.name, str(o), "" if o.required else repr(o.default), o.about) for o in options_of(cls).values()]
