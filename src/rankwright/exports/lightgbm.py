"""LightGBM's model text, as `Booster.save_model` writes and `Booster(model_file=...)` reads it.

    tree                            Tree=0
    version=v4                      num_leaves=3
    ...                             num_cat=0
    feature_names=bm25 clicks       split_feature=1 0
    tree_sizes=320                  threshold=3.5 0.25
                                    decision_type=8 10
                                    left_child=-1 -2
                                    right_child=1 -3
                                    leaf_value=-0.5 0.1 0.3

x ≤ threshold goes left, in float64, an x with |x| ≤ 1e-35 being 0. decision_type is a sum: 1 by categories, 2 missing
goes left, 4 zeros are missing or 8 NaN is. Of a split by categories the threshold is the number of its set of bits in
cat_threshold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError
from rankwright.exports.base import Format, Wanted, trees_only
from rankwright.exports.engine import TINY, EngineModel, EngineTree
from rankwright.exports.numbers import inclusive
from rankwright.learners import Tree

CATEGORIES, LEFT, ZERO, NAN = 1, 2, 4, 8


class LightGBM(Format):
    """LightGBM's model text."""

    name = "lightgbm"
    about = "LightGBM, and what reads its models"
    ending = ".txt"

    def write(self, model: Any, wanted: Wanted) -> bytes:
        whole = trees_only(model, "LightGBM", categories=True)
        names = wanted.features or tuple(f"Column_{k}" for k in range(whole.n_features))
        if any(sign in name for name in names for sign in ' \t",:[]{}'):
            raise InputError("LightGBM's feature names have no spaces and none of \",:[]{}. Rename the features.")
        trees = [f"Tree={t}\n{_tree_text(tree)}\n\n" for t, tree in enumerate(whole.trees_with_base())]
        header = [
            "tree",
            "version=v4",
            "num_class=1",
            "num_tree_per_iteration=1",
            "label_index=0",
            f"max_feature_idx={whole.n_features - 1}",
            "objective=lambdarank",
            f"feature_names={' '.join(names)}",
            f"feature_infos={' '.join(_ranges(whole.trees, whole.n_features))}",
            f"tree_sizes={' '.join(str(len(tree)) for tree in trees)}",
        ]
        tail = "end of trees\n\nfeature_importances:\n\nparameters:\n[objective: lambdarank]\n\nend of parameters\n\n"
        return "".join(["\n".join(header), "\n\n", *trees, tail, "pandas_categorical:null\n"]).encode()

    def read(self, data: bytes, wanted: Wanted) -> EngineModel:
        blocks = data.decode().partition("end of trees")[0].split("\n\n\n")
        entries = [block[block.index("Tree=") :] for block in blocks if "Tree=" in block]
        trees = tuple(_read_tree(entry) for entry in entries)
        return EngineModel(trees=trees, knows_missing=True, tiny=TINY)


def _tree_text(tree: Tree) -> str:
    """One tree. Its arrays are ours: LightGBM encodes children as we do."""
    lines: dict[str, Any] = {"num_leaves": tree.n_leaves, "num_cat": len(tree.categories)}
    if tree.n_splits:
        lines |= {"split_feature": tree.feature, "split_gain": tree.gain, **_decisions(tree)}
        lines |= {"left_child": tree.left, "right_child": tree.right}
    lines["leaf_value"] = tree.value
    if tree.n_splits:
        lines |= {"leaf_weight": tree.leaf_count, "leaf_count": tree.leaf_count}
        lines |= {"internal_value": [0] * tree.n_splits, "internal_weight": tree.split_count}
        lines |= {"internal_count": tree.split_count, **_category_bits(tree)}
    lines |= {"is_linear": 0, "shrinkage": 1}
    return "\n".join(f"{name}={_listed(values)}" for name, values in lines.items()) + "\n"


def _listed(values: Any) -> str:
    return " ".join(map(repr, np.atleast_1d(values).tolist()))


def _decisions(tree: Tree) -> dict[str, Any]:
    """Thresholds, and how each split decides."""
    kind = np.where(tree.missing_left, NAN + LEFT, NAN)
    if tree.missing_zero is not None:
        kind = np.where(tree.missing_zero, kind - NAN + ZERO, kind)
    thresholds: list[float] = inclusive(tree.threshold)
    for number, s in enumerate(sorted(tree.categories)):
        kind[s], thresholds[s] = CATEGORIES, number
    return {"threshold": thresholds, "decision_type": kind}


def _category_bits(tree: Tree) -> dict[str, list[int]]:
    """Each set of categories as bits, 32 to a number, one set after the other."""
    if not tree.categories:
        return {}
    bits: list[int] = []
    boundaries = [0]
    for s in sorted(tree.categories):
        chosen = tree.categories[s]
        words = [0] * (max(chosen, default=0) // 32 + 1)
        for c in chosen:
            words[c // 32] |= 1 << c % 32
        bits += words
        boundaries.append(len(bits))
    return {"cat_boundaries": boundaries, "cat_threshold": bits}


def _ranges(trees: tuple[Tree, ...], n_features: int) -> list[str]:
    """What LightGBM keeps of the training data, for features that are used: here their thresholds or categories."""
    thresholds: list[set[float]] = [set() for _ in range(n_features)]
    categories: list[set[int]] = [set() for _ in range(n_features)]
    for tree in trees:
        for s, k in enumerate(tree.feature.tolist()):
            if s in tree.categories:
                categories[k].update(tree.categories[s])
            else:
                thresholds[k].add(float(tree.threshold[s]))
    return [_range(*found) for found in zip(thresholds, categories, strict=True)]


def _range(thresholds: set[float], categories: set[int]) -> str:
    if thresholds:
        return f"[{min(thresholds)!r}:{max(thresholds)!r}]"
    return ":".join(map(str, sorted(categories))) or "none"


def _read_tree(text: str) -> EngineTree:
    found = dict(line.partition("=")[::2] for line in text.splitlines() if "=" in line)

    def numbers(name: str, kind: Any) -> npt.NDArray[Any]:
        return np.array(found.get(name, "").split(), dtype=kind)

    kinds = numbers("decision_type", np.int64)
    bits, boundaries = numbers("cat_threshold", np.int64), numbers("cat_boundaries", np.int64)
    threshold = numbers("threshold", np.float64)
    categories = {}
    for s in np.flatnonzero(kinds & CATEGORIES).tolist():
        first, last = boundaries[int(threshold[s])], boundaries[int(threshold[s]) + 1]
        words = bits[first:last].tolist()
        categories[s] = tuple(32 * w + b for w, word in enumerate(words) for b in range(32) if word >> b & 1)
    return EngineTree(
        feature=numbers("split_feature", np.int64),
        threshold=threshold,
        left=numbers("left_child", np.int64),
        right=numbers("right_child", np.int64),
        value=numbers("leaf_value", np.float64),
        missing_left=kinds & (LEFT | CATEGORIES) == LEFT,
        missing_zero=kinds & ZERO > 0,
        categories=categories,
    )
