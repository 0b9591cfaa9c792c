"""XGBoost's model JSON, as `Booster.save_model("m.json")` writes and `load_model` reads it.

A node is a number in every array of a tree, the root 0; left_children is -1 at a leaf, whose value is its
split_conditions. x < split_conditions goes left, in float32; NaN goes left where default_left is 1. A split by
categories sends those it lists to the right, all others to the left. Scores are summed in float32.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from rankwright.exports.base import Format, Wanted, trees_only
from rankwright.exports.dump import numbering
from rankwright.exports.engine import EngineModel, EngineTree
from rankwright.exports.numbers import exclusive, single
from rankwright.learners import Tree

NO_PARENT = 2**31 - 1


class XGBoost(Format):
    """XGBoost's model JSON."""

    name = "xgboost"
    about = "XGBoost, and what reads its models"
    ending = ".json"

    def write(self, model: Any, wanted: Wanted) -> bytes:
        whole = trees_only(model, "XGBoost", categories=True)
        trees = whole.trees if whole.base_first else tuple(whole.trees_with_base())
        base = single([whole.base if whole.base_first else 0.0])[0]
        size = {"num_deleted": "0", "num_feature": str(whole.n_features), "size_leaf_vector": "1"}
        kinds = ["float"] * whole.n_features
        for tree in trees:
            for s in tree.categories:
                kinds[tree.feature[s]] = "c"
        learner = {
            "attributes": {},
            "feature_names": list(wanted.features or ()),
            "feature_types": kinds if wanted.features or "c" in kinds else [],
            "gradient_booster": {
                "model": {
                    "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(len(trees))},
                    "iteration_indptr": list(range(len(trees) + 1)),
                    "tree_info": [0] * len(trees),
                    "trees": [{"id": t, **_tree(tree, size)} for t, tree in enumerate(trees)],
                },
                "name": "gbtree",
            },
            "learner_model_param": {
                "base_score": repr(base),
                "boost_from_average": "0",
                "num_class": "0",
                "num_feature": str(whole.n_features),
                "num_target": "1",
            },
            "objective": {"name": "rank:ndcg", "lambdarank_param": {}},
        }
        return (json.dumps({"learner": learner, "version": [2, 1, 0]}, ensure_ascii=False) + "\n").encode()

    def read(self, data: bytes, wanted: Wanted) -> EngineModel:
        learner = json.loads(data)["learner"]
        trees = tuple(_read_tree(tree) for tree in learner["gradient_booster"]["model"]["trees"])
        base = float(np.float32(learner["learner_model_param"]["base_score"]))
        return EngineModel(trees=trees, base=base, single=True, knows_missing=True)


def _tree(tree: Tree, size: dict[str, str]) -> dict[str, Any]:
    ids, _ = numbering(tree)
    n, root = tree.n_splits + tree.n_leaves, {0: NO_PARENT}
    parents, left, right = dict(root), [-1] * n, [-1] * n
    conditions, default_left, features, by_category = [0.0] * n, [0] * n, [0] * n, [0] * n
    gains, counts = [0.0] * n, [0.0] * n
    thresholds, values = exclusive(tree.threshold), single(tree.value)
    for s in range(tree.n_splits):
        node, sides = ids[s], [ids[int(tree.left[s])], ids[int(tree.right[s])]]
        swapped = s in tree.categories  # what is listed goes right
        left[node], right[node] = sides[::-1] if swapped else sides
        parents |= dict.fromkeys(sides, node)
        default_left[node] = int(bool(tree.missing_left[s]) != swapped)
        features[node], by_category[node] = int(tree.feature[s]), int(swapped)
        conditions[node] = thresholds[s]
        gains[node], counts[node] = float(tree.gain[s]), float(tree.split_count[s])
    for i, value in enumerate(values):
        conditions[ids[~i]], counts[ids[~i]] = value, float(tree.leaf_count[i])
    return {
        "base_weights": conditions,
        **_categories(tree, ids),
        "default_left": default_left,
        "left_children": left,
        "loss_changes": gains,
        "parents": [parents[node] for node in range(n)],
        "right_children": right,
        "split_conditions": conditions,
        "split_indices": features,
        "split_type": by_category,
        "sum_hessian": counts,
        "tree_param": {**size, "num_nodes": str(n)},
    }


def _categories(tree: Tree, ids: dict[int, int]) -> dict[str, list[int]]:
    """The sets of categories, one after the other, in the order of their nodes."""
    sets = sorted((ids[s], sorted(chosen)) for s, chosen in tree.categories.items())
    sizes = [len(chosen) for _, chosen in sets]
    return {
        "categories": [c for _, chosen in sets for c in chosen],
        "categories_nodes": [node for node, _ in sets],
        "categories_segments": [sum(sizes[:i]) for i in range(len(sizes))],
        "categories_sizes": sizes,
    }


def _read_tree(found: dict[str, Any]) -> EngineTree:
    """The arrays with splits and leaves apart."""
    left, right = np.array(found["left_children"]), np.array(found["right_children"])
    splits, leaves = np.flatnonzero(left >= 0), np.flatnonzero(left < 0)
    renumbered = np.zeros(len(left), dtype=np.int64)
    renumbered[splits], renumbered[leaves] = np.arange(len(splits)), ~np.arange(len(leaves))
    conditions = np.array(found["split_conditions"], dtype=np.float32).astype(np.float64)
    default_left = np.array(found["default_left"])[splits] == 1
    sides = [renumbered[left[splits]], renumbered[right[splits]]]
    categories = {}
    listed = zip(found["categories_nodes"], found["categories_segments"], found["categories_sizes"], strict=True)
    for node, start, size in listed:
        s = int(renumbered[node])
        categories[s] = tuple(found["categories"][start : start + size])
        sides[0][s], sides[1][s] = sides[1][s], sides[0][s]  # listed ones go right there, and left here
        default_left[s] = not default_left[s]
    return EngineTree(
        feature=np.array(found["split_indices"])[splits],
        threshold=conditions[splits],
        left=sides[0],
        right=sides[1],
        value=conditions[leaves],
        missing_left=default_left,
        strict=True,
        categories=categories,
    )
