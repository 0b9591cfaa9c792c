"""LightGBM's model text, as `Booster.save_model` writes it; see :mod:`rankwright.exports.lightgbm` for its form.

LightGBM compares float64 numbers, and takes an x with |x| ≤ 1e-35 for 0. On float32 features that is x ≤ θ with

    t                    θ
    −1e-35 ≤ t < 0       the float32 below −1e-35: whatever is 0 lies above
    0 ≤ t < 1e-35        1e-35: whatever is 0 lies below
    any other            the largest float32 that is not above t
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import FormatError, InputError
from rankwright.imports.arrays import at_most, make_tree, whole
from rankwright.imports.base import Found, part, refused
from rankwright.learners import Tree
from rankwright.learners.tree import MAX_CATEGORY, TINY
from rankwright.models import ForestModel
from rankwright.models.forest import MAX_FEATURES

ENGINE = "LightGBM"
CATEGORIES, LEFT, MISSING, ZERO, NAN = 1, 2, 12, 4, 8
PLAIN_OBJECTIVES = ("lambdarank", "rank_xendcg", "regression", "regression_l1", "huber", "fair", "quantile", "mape")

Block = dict[str, str]


def read(name: str, data: bytes) -> Found:
    """The model of a text."""
    header, blocks = _blocks(name, data)
    with part(name, "the head of the model"):
        n_features = int(header["max_feature_idx"]) + 1
        if not 1 <= n_features <= MAX_FEATURES:
            raise InputError(f"max_feature_idx must be in 0..{MAX_FEATURES - 1}")
        features = tuple(header["feature_names"].split())
        if len(features) != n_features or len(set(features)) != n_features:
            raise InputError(f"feature_names must be {n_features} different names")
        if int(header.get("num_class", "1")) != 1 or int(header.get("num_tree_per_iteration", "1")) != 1:
            raise refused(ENGINE, f"one has {header['num_class']} classes", "Train it for one score per row.")
    trees = []
    for number, (line, block) in enumerate(blocks):
        with part(name, f"tree {number}", line):
            trees.append(_tree(block, n_features))
    objective = header.get("objective", "").split()
    notes: tuple[str, ...] = ()
    if objective and (objective[0] not in PLAIN_OBJECTIVES or "sqrt" in objective):
        notes = (f"Scores are LightGBM's raw_score; its predict puts them through {objective[0]}'s function.",)
    model = ForestModel(tuple(trees), n_features, average="average_output" in header)
    return Found(ENGINE, model, features, notes)


def text_of(model: Any) -> bytes:
    """The text of a Booster or of a scikit-learn-like estimator."""
    booster = getattr(model, "booster_", model)
    if not hasattr(booster, "model_to_string"):
        raise InputError(f"a fitted LightGBM model or a Booster must be passed. Got {type(model).__name__}. Fit it.")
    text: str = booster.model_to_string()
    return text.encode()


def _blocks(name: str, data: bytes) -> tuple[Block, list[tuple[int, Block]]]:
    """The lines name=value of the head, and of each tree with the line where it begins."""
    header: Block = {}
    trees: list[tuple[int, Block]] = []
    block = header
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        key, _, value = line.partition("=")
        if line == "end of trees":
            return header, trees
        if key == "Tree":
            block = {}
            trees.append((number, block))
        elif key and key in block:
            raise FormatError(name, number, f"a name must stand once. {key!r:.60} stands twice. Save the model again.")
        elif key:
            block[key] = value
    reason = "a LightGBM model ends its trees with the line 'end of trees'. There is none. Copy the whole file."
    raise FormatError(name, len(data.splitlines()), reason)


def _tree(block: Block, n_features: int) -> Tree:
    if block.get("is_linear", "0").strip() not in ("", "0"):
        raise refused(ENGINE, "tree has linear models in its leaves", "Train without linear_tree.")
    m = int(block["num_leaves"])
    value = _numbers(block, "leaf_value", np.float64)
    if len(value) != m:
        raise InputError(f"leaf_value must be {m} numbers. There are {len(value)}")
    if m == 1:
        return make_tree(n_features, [], np.empty(0, np.float32), [], [], [], value)
    t, kind = _numbers(block, "threshold", np.float64), _numbers(block, "decision_type", np.int64)
    if len(t) != m - 1 or len(kind) != m - 1:
        raise InputError(f"threshold and decision_type must be {m - 1} numbers")
    by_category = kind & CATEGORIES > 0
    as_zero = ~by_category & (kind & MISSING != NAN)  # a missing value is 0 there, which may be missing in turn
    missing_zero = ~by_category & (kind & MISSING == ZERO)
    missing_left = np.where(as_zero & ~missing_zero, t >= 0, kind & LEFT > 0) & ~by_category
    more: dict[str, Any] = {"missing_zero": missing_zero} if missing_zero.any() else {}
    for ours, theirs in (("gain", "split_gain"), ("split_count", "internal_count"), ("leaf_count", "leaf_count")):
        if theirs in block:
            more[ours] = _numbers(block, theirs, np.float64)
    left_child, right_child = (_numbers(block, side, np.int64) for side in ("left_child", "right_child"))
    features = _numbers(block, "split_feature", np.int64)
    sets = _categories(block, t, by_category)
    return make_tree(n_features, features, thresholds(t), missing_left, left_child, right_child, value, sets, **more)


def thresholds(t: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """θ of each t, as in the table above."""
    with np.errstate(over="ignore"):
        under = np.nextafter(-TINY, np.float32(-np.inf))
    tiny = float(TINY)
    out = np.where((t >= 0) & (t < tiny), TINY, at_most(t))
    return np.where((t >= -tiny) & (t < 0), under, out).astype(np.float32)


def _categories(block: Block, t: npt.NDArray[np.float64], by_category: Any) -> dict[int, tuple[int, ...]]:
    """The sets of bits, 32 to a number, that thresholds of splits by categories number."""
    if not by_category.any():
        return {}
    ends = whole(_numbers(block, "cat_boundaries", np.int64), "cat_boundaries", 0)
    words = whole(_numbers(block, "cat_threshold", np.int64), "cat_threshold", 0, 2**32 - 1)
    if len(ends) == 0 or ends[-1] > len(words) or (np.diff(ends) < 0).any():
        raise InputError("cat_boundaries must ascend to the number of cat_threshold")
    numbers = whole(t[by_category], "thresholds of splits by categories", 0, len(ends) - 2)
    out = {}
    for s, number in zip(np.flatnonzero(by_category).tolist(), numbers.tolist(), strict=True):
        bits = words[ends[number] : ends[number + 1]].astype("<u4")
        chosen = np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little"))
        if len(chosen) and chosen[-1] >= MAX_CATEGORY:
            raise InputError(f"categories must be below {MAX_CATEGORY}")
        out[s] = tuple(chosen.tolist())
    return out


def _numbers(block: Block, name: str, dtype: Any) -> npt.NDArray[Any]:
    return np.array(block[name].split(), dtype=dtype)
