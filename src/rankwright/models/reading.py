"""Parts of a model document, checked while they are read: whatever a file holds, the outcome is a value or an error."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from rankwright.errors import FormatError, InputError

# What hostile or damaged files raise on their way through readers that expect well-formed values.
DAMAGE = (InputError, KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError)


def read_json(path: str | Path) -> Any:
    """The JSON of a file, strictly: finite numbers only, no key twice; anything else is a FormatError."""
    return json_of(path, Path(path).read_bytes())


def json_of(path: str | Path, data: bytes, infinities: bool = False) -> Any:
    """The JSON of the bytes of a file; with `infinities`, Infinity and NaN are numbers too."""
    number: Callable[[str], Any] = float if infinities else _finite
    constant: Callable[[str], Any] = float if infinities else _refuse_constant
    try:
        return json.loads(data, parse_constant=constant, parse_float=number, object_pairs_hook=_each_key_once)
    except json.JSONDecodeError as wrong:
        line, found = wrong.lineno, wrong.msg
    except (ValueError, RecursionError) as wrong:
        line, found = 0, str(wrong)
    raise FormatError(path, line, f"a model file must be JSON. It could not be read ({found}). Save the model again.")


def _refuse_constant(token: str) -> NoReturn:
    raise ValueError(f"{token} is no JSON number")


def _finite(token: str) -> float:
    value = float(token)
    if not math.isfinite(value):
        raise ValueError(f"the number {token:.30} is too large")
    return value


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"the key {counts.most_common(1)[0][0][:60]!r} stands twice")
    return values


def a_number(values: dict[str, Any], name: str) -> float:
    """The finite number of that name."""
    return _number(values[name], name)


def a_count(values: dict[str, Any], name: str, most: int) -> int:
    """The whole number 0..most of that name."""
    return _count(values[name], name, most)


def numbers(values: dict[str, Any], name: str, length: int | None = None) -> npt.NDArray[np.float64]:
    """The list of finite numbers of that name, of the given length."""
    items = _items(values, name, length)
    return np.array([_number(item, name) for item in items], dtype=np.float64)


def table(values: dict[str, Any], name: str, rows: int, columns: int) -> npt.NDArray[np.float64]:
    """The list of `rows` lists of `columns` finite numbers of that name."""
    items = _items(values, name, rows)
    out = np.array([[_number(item, name) for item in _sized(row, name, columns)] for row in items], dtype=np.float64)
    return out.reshape(rows, columns)


def pairs(values: dict[str, Any], name: str, most: int) -> tuple[tuple[int, float], ...]:
    """The list of ``[whole number 0..most, finite number]`` of that name."""
    items = [_sized(item, name, 2) for item in _items(values, name, None)]
    return tuple((_count(k, name, most), _number(w, name)) for k, w in items)


def _items(values: dict[str, Any], name: str, length: int | None) -> list[Any]:
    return _sized(values[name], name, length)


def _sized(items: Any, name: str, length: int | None) -> list[Any]:
    if not isinstance(items, list) or (length is not None and len(items) != length):
        raise InputError(f"{name} must be a list{f' of {length}' if length is not None else ''}. Got {items!r:.60}.")
    return items


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError(f"{name} must hold finite numbers. Got {value!r:.60}.")
    return float(value)


def _count(value: Any, name: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise InputError(f"{name} must hold whole numbers in 0..{most}. Got {value!r:.60}.")
    return value
