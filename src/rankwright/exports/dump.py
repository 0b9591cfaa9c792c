"""XGBoost's dump: the nested trees of `get_dump(dump_format="json")`, which search engines' plugins read.

[{"nodeid": 0, "depth": 0, "split": "bm25", "split_condition": 3.5, "yes": 1, "no": 2, "missing": 1,
  "children": [{"nodeid": 1, "leaf": -0.5}, {"nodeid": 2, "leaf": 1.25}]}, ...]

x < split_condition goes to "yes", a missing value to "missing".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rankwright.exports.engine import EngineTree
from rankwright.exports.nesting import Split, nested, unnested
from rankwright.exports.numbers import exclusive, finite
from rankwright.exports.plain import Plain
from rankwright.learners import Tree


def dumped(model: Plain, features: Sequence[str], values: Callable[[Any], list[float]]) -> list[dict[str, Any]]:
    """The trees, a constant being a tree of one leaf.

    Parameters
    ----------
    model : the trees.
    features : their features' names.
    values : the values of leaves in the engine's numbers.
    """
    return [_dumped_tree(tree, features, values(tree.value)) for tree in model.trees_with_base()]


def _dumped_tree(tree: Tree, features: Sequence[str], values: list[float]) -> dict[str, Any]:
    thresholds = finite(exclusive(tree.threshold))
    ids, depths = numbering(tree)

    def leaf(i: int) -> dict[str, Any]:
        return {"nodeid": ids[~i], "leaf": values[i]}

    def split(s: int, yes: dict[str, Any], no: dict[str, Any]) -> dict[str, Any]:
        return {
            "nodeid": ids[s],
            "depth": depths[s],
            "split": features[tree.feature[s]],
            "split_condition": thresholds[s],
            "yes": yes["nodeid"],
            "no": no["nodeid"],
            "missing": (yes if tree.missing_left[s] else no)["nodeid"],
            "children": [yes, no],
        }

    root: dict[str, Any] = nested(tree, leaf, split)
    return root


def numbering(tree: Tree) -> tuple[dict[int, int], dict[int, int]]:
    """A number for every node, level by level, and its depth; nodes as children are encoded, c ≥ 0 or ~leaf."""
    level, depth = [0 if tree.n_splits else ~0], 0
    ids: dict[int, int] = {}
    depths: dict[int, int] = {}
    while level:
        for node in level:
            ids[node], depths[node] = len(ids), depth
        level = [int(c) for s in level if s >= 0 for c in (tree.left[s], tree.right[s])]
        depth += 1
    return ids, depths


def read_dump(trees: Sequence[dict[str, Any]], features: Sequence[str], knows_missing: bool) -> tuple[EngineTree, ...]:
    """The trees of a dump as an engine reads them that knows missing values, or takes them for 0."""
    number = {name: k for k, name in enumerate(features)}

    def node(found: dict[str, Any]) -> Split | float:
        if "leaf" in found:
            return float(found["leaf"])
        children = {child["nodeid"]: child for child in found["children"]}
        missing_left = found["missing"] == found["yes"] if knows_missing else None
        yes, no = children[found["yes"]], children[found["no"]]
        return Split(number[found["split"]], found["split_condition"], yes, no, missing_left)

    return tuple(unnested(root, node, strict=True) for root in trees)
