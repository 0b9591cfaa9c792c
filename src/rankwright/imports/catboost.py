"""CatBoost's JSON, as `save_model(path, format="json")` writes it.

    {"features_info": {"float_features": [{"flat_feature_index": 0, "nan_value_treatment": "AsIs", ...}, ...]},
     "oblivious_trees": [{"splits": [{"float_feature_index": 0, "border": 0.5}, ...], "leaf_values": [...]}, ...],
     "scale_and_bias": [1, [0.25]]}

Bit i of a leaf's number says whether x > border of split i, in float32; all splits of a depth are the same. Trees that
are not oblivious are nested under "trees". Splits of type OneHotFeature ask whether x is a category, of which the file
holds the hash. The score is scale · Σ values + bias, in float64.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rankwright.errors import InputError
from rankwright.imports.arrays import at_most, make_tree
from rankwright.imports.base import Found, part, refused
from rankwright.imports.cityhash import MOST, numbers_of
from rankwright.learners import Tree
from rankwright.models import BlendModel, ForestModel, Model
from rankwright.models.forest import MAX_FEATURES
from rankwright.models.reading import a_count, a_number, json_of, numbers

ENGINE = "CatBoost"
DEEPEST = 16  # of an oblivious tree: CatBoost's own bound


@dataclass(frozen=True)
class _Split:
    """x > border goes right; or, where there is a category, x equal to it does, which goes left here."""

    column: int
    border: float
    missing_left: bool
    category: int | None = None


class _Features:
    """The columns of features, where the missing values of numbers go, and the numbers of categories."""

    def __init__(self, found: Any) -> None:
        numeric, categorical = found.get("float_features") or [], found.get("categorical_features") or []
        self.column = [a_count(f, "flat_feature_index", MAX_FEATURES - 1) for f in numeric]
        self.missing_left = [f.get("nan_value_treatment", "AsIs") != "AsTrue" for f in numeric]
        self.category_column = [a_count(f, "flat_feature_index", MAX_FEATURES - 1) for f in categorical]
        self.n_features = max([*self.column, *self.category_column], default=-1) + 1
        hashes = [value for f in categorical for value in f.get("values") or []]
        if not all(isinstance(value, int) for value in hashes):
            raise InputError("the values of categorical features must be whole numbers")
        self.numbers = numbers_of(hashes)
        names = [f.get("feature_name") or f.get("feature_id") for f in [*numeric, *categorical]]
        by_column = dict(zip([*self.column, *self.category_column], names, strict=True))
        listed = [by_column.get(k) for k in range(self.n_features)]
        plain = all(isinstance(name, str) and name for name in listed) and len(set(listed)) == len(listed)
        numbered = listed == [str(k) for k in range(self.n_features)]
        self.names = tuple(map(str, listed)) if plain and not numbered else None

    def split(self, found: dict[str, Any]) -> _Split:
        kind = found.get("split_type", "FloatFeature")
        if kind == "OneHotFeature":
            k = a_count(found, "cat_feature_index", len(self.category_column) - 1)
            number = self.numbers.get(found["value"]) if isinstance(found["value"], int) else None
            if number is None:
                reason = f"has a category that is no whole number in 0..{MOST - 1}"
                raise refused(ENGINE, reason, "Number the categories 0, 1, 2, ....")
            return _Split(self.category_column[k], 0.0, False, number)
        if kind != "FloatFeature":
            advice = "Raise one_hot_max_size above the number of categories, or train it on numbers alone."
            raise refused(ENGINE, f"has splits of type {kind!s:.40}", advice)
        k = a_count(found, "float_feature_index", len(self.column) - 1)
        return _Split(self.column[k], a_number(found, "border"), self.missing_left[k])


def read(name: str, data: bytes) -> Found:
    """The model of a JSON file."""
    return of_document(name, json_of(name, data))


def of_document(name: str, document: Any) -> Found:
    """The model of a document."""
    with part(name, "the model's head"):
        features = _Features(document["features_info"])
        scale, biases = document.get("scale_and_bias", [1.0, [0.0]])
        biases = biases if isinstance(biases, list) else [biases]
        if len(biases) > 1:
            raise refused(ENGINE, "has several scores per row", "Train it for one score per row.")
        bias = a_number({"bias": biases[0] if biases else 0.0}, "bias")
        scale = a_number({"scale": scale}, "scale")
        oblivious = "oblivious_trees" in document
        listed = document["oblivious_trees" if oblivious else "trees"]
    trees = []
    for number, tree in enumerate(listed):
        with part(name, f"tree {number}"):
            trees.append(_oblivious(tree, features) if oblivious else _nested(tree, features))
    with part(name, "the model"):
        model: Model = ForestModel(tuple(trees), features.n_features, base=bias, base_first=False)
        if scale != 1:
            constant = ForestModel((), features.n_features, base=bias)
            model = BlendModel(((scale, ForestModel(tuple(trees), features.n_features)), (1.0, constant)))
    return Found(ENGINE, model, features.names)


def bytes_of(model: Any) -> bytes:
    """A fitted CatBoost model as JSON."""
    if not getattr(model, "is_fitted", lambda: False)():
        raise InputError(f"a fitted CatBoost model must be passed. Got {type(model).__name__}. Fit it.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        return path.read_bytes()


def _oblivious(found: dict[str, Any], features: _Features) -> Tree:
    splits = [features.split(split) for split in found.get("splits") or ()]
    depth = len(splits)
    if depth > DEEPEST:
        raise InputError(f"a tree must be at most {DEEPEST} deep. This is {depth}")
    values = numbers(found, "leaf_values")
    if len(values) != 1 << depth:
        raise refused(ENGINE, f"tree of {depth} splits has {len(values)} values", "Train it for one score per row.")
    by_level = splits[::-1]  # the last split has the highest bit: it is the root
    level = np.repeat(np.arange(depth), 1 << np.arange(depth))
    n = len(level)
    child = 2 * np.arange(n) + 1
    sides = np.stack([np.where(c < n, c, ~(c - n)) for c in (child, child + 1)], axis=1)
    counts = np.array(found.get("leaf_weights") or np.zeros(len(values)), dtype=np.float64)
    sound = counts.shape == values.shape and (counts == np.floor(counts)).all() and (counts >= 0).all()
    more: dict[str, Any] = {"leaf_count": counts} if sound else {}
    return _tree(features, [by_level[i] for i in level.tolist()], sides, values, **more)


def _tree(features: _Features, splits: list[_Split], sides: Any, values: Any, **more: Any) -> Tree:
    """A tree of splits and what is on their two sides."""
    categories = {s: (split.category,) for s, split in enumerate(splits) if split.category is not None}
    by_category = list(categories)
    sides = sides.copy()
    sides[by_category] = sides[by_category, ::-1]
    return make_tree(
        features.n_features,
        np.array([split.column for split in splits]),
        at_most(np.array([split.border for split in splits])),
        np.array([split.missing_left for split in splits]),
        sides[:, 0],
        sides[:, 1],
        values,
        categories,
        **more,
    )


def _nested(root: dict[str, Any], features: _Features) -> Tree:
    splits: list[_Split] = []
    children: list[list[int]] = []
    values: list[float] = []
    waiting = [(root, -1, 0)]  # node, its parent, its side
    while waiting:
        node, parent, side = waiting.pop()
        if "split" in node:
            number = len(splits)
            splits.append(features.split(node["split"]))
            children.append([0, 0])
            waiting += [(node["right"], number, 1), (node["left"], number, 0)]
        else:
            number = ~len(values)
            values.append(a_number(node, "value"))
        if parent >= 0:
            children[parent][side] = number
    sides = np.array(children, dtype=np.int64).reshape(-1, 2)
    return _tree(features, splits, sides, values)
