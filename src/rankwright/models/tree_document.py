"""A tree as JSON: every array one text of numbers, so that a file of a thousand trees is short and can still be read.

{"feature": "2 7", "threshold": "0.5 3", "missing_left": "0 1", "left": "-1 -2", "right": "1 -3",
 "value": "-0.25 0.125 1.5", "gain": "3.5 1.25", "split_count": "90 60", "leaf_count": "30 40 20"}
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError
from rankwright.learners.tree import Tree

_NUMBER = re.compile(r"-?(inf|\d[\d.]*([eE][-+]?\d+)?)", re.ASCII)

_TYPES: dict[str, Any] = {
    "feature": np.int32,
    "threshold": np.float32,
    "missing_left": np.bool_,
    "left": np.int32,
    "right": np.int32,
    "value": np.float64,
    "gain": np.float64,
    "split_count": np.int64,
    "leaf_count": np.int64,
}
_OPTIONAL = {"missing_zero": np.bool_, "categories": np.int32}


def tree_to_dict(tree: Tree) -> dict[str, Any]:
    """Plain JSON values from which `tree_from_dict` makes an equal tree, bit for bit."""
    values: dict[str, Any] = {name: _text(getattr(tree, name)) for name in _TYPES}
    if tree.missing_zero is not None:
        values["missing_zero"] = _text(tree.missing_zero)
    if tree.categories:
        values["categories"] = {str(s): " ".join(map(str, chosen)) for s, chosen in sorted(tree.categories.items())}
    return values


def tree_from_dict(values: dict[str, Any], n_features: int) -> Tree:
    """The tree of `tree_to_dict`, checked."""
    unknown = set(values) - set(_TYPES) - set(_OPTIONAL)
    if unknown:
        raise InputError(f"a tree must hold {', '.join(_TYPES)}. Got {sorted(unknown)[0]!r:.60} too.")
    arrays = {name: _array(values[name], name, dtype) for name, dtype in _TYPES.items()}
    zero = _array(values["missing_zero"], "missing_zero", np.bool_) if "missing_zero" in values else None
    categories = {
        int(_array(split, "categories", np.int32)[0]): tuple(_array(chosen, "categories", np.int32).tolist())
        for split, chosen in values.get("categories", {}).items()
    }
    tree = Tree(**arrays, missing_zero=zero, categories=categories)
    tree.check(n_features)
    return tree


def _text(array: npt.NDArray[Any]) -> str:
    if array.dtype == np.float32:  # nine digits are enough to tell every float32 from its neighbours
        return " ".join(f"{x:.9g}" for x in array.tolist())
    return " ".join(map(repr, (array.astype(np.int64) if array.dtype.kind == "b" else array).tolist()))


def _array(text: Any, name: str, dtype: Any) -> npt.NDArray[Any]:
    if not isinstance(text, str):
        raise InputError(f"{name} must be numbers in one text. Got {text!r:.60}.")
    tokens = text.split(" ") if text else []
    wrong = next((token for token in tokens if not _NUMBER.fullmatch(token)), None)
    if wrong is not None or (dtype is np.bool_ and not set(tokens) <= {"0", "1"}):
        raise InputError(f"{name} must hold numbers. Got {text if wrong is None else wrong!r:.60}.")
    if dtype is np.bool_:
        return np.array([token == "1" for token in tokens], dtype=np.bool_)
    if np.dtype(dtype).kind == "i":
        return np.array([int(token) for token in tokens], dtype=dtype)
    out = np.array([float(token) for token in tokens], dtype=np.float64)
    if name != "threshold" and not np.isfinite(out).all():
        raise InputError(f"{name} must hold finite numbers. Got {text:.60}.")
    with np.errstate(over="ignore"):
        return out.astype(dtype)
