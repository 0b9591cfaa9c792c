"""RankLib's text: what RankLib and RankyMcRankFace load, and search engines' plugins as "ranklib".

    ## Coordinate Ascent        ## Linear Regression     ## RankBoost                      ## LambdaMART
    3:0.41 7:0.23               0:1.5 3:0.41             3:0.5:0.81 7:1.25:0.33            <ensemble>...</ensemble>
    feature:weight              feature 0 the constant   feature:threshold:weight, x > t

Features are numbered from 1 and missing ones are 0. Weights are double; trees hold float32 numbers, are summed in
float32, and send x ≤ t left.
"""

from __future__ import annotations

from typing import Any, ClassVar
from xml.etree import ElementTree

import numpy as np

from rankwright.errors import InputError
from rankwright.exports.base import Format, Wanted, as_sum, trees_only
from rankwright.exports.engine import EngineModel, EngineTree
from rankwright.exports.nesting import Split, nested, unnested
from rankwright.exports.numbers import inclusive, java, single
from rankwright.exports.plain import Plain
from rankwright.learners import Tree

LINEAR = ("Coordinate Ascent", "AdaRank", "Linear Regression")
BOOSTED, TREES = "RankBoost", ("LambdaMART", "MART")


class RankLib(Format):
    """RankLib's own text format, of the ranker that fits the model best."""

    name = "ranklib"
    about = "RankLib, RankyMcRankFace, and the engines that embed them"
    ending = ".txt"
    variants: ClassVar[tuple[str, ...]] = (*LINEAR, BOOSTED, *TREES)

    def write(self, model: Any, wanted: Wanted) -> bytes:
        whole = as_sum(model, "RankLib")
        kind = wanted.variant or _fitting(whole)
        if kind in LINEAR:
            body = _linear_text(whole, kind)
        elif kind == BOOSTED:
            body = _stumps_text(whole)
        else:
            body = _ensemble_text(whole, kind)
        return f"## {kind}\n{body}\n".encode()

    def read(self, data: bytes, wanted: Wanted) -> EngineModel:
        header, _, rest = data.decode().partition("\n")
        kind = header.removeprefix("## ")
        body = "\n".join(line for line in rest.splitlines() if not line.startswith("##"))
        if kind in LINEAR:
            pairs = [token.split(":") for token in body.split()]
            weights = [(int(k) - 1, float(w)) for k, w in pairs]
            base = sum(w for k, w in weights if k < 0)
            return EngineModel(terms=tuple((k, w) for k, w in weights if k >= 0), base=base)
        if kind == BOOSTED:
            return EngineModel(trees=tuple(_read_stump(*token.split(":")) for token in body.split()))
        roots = ElementTree.fromstring(body).findall("tree/split")
        return EngineModel(trees=tuple(unnested(root, _read_node) for root in roots), single=True)


def _fitting(model: Plain) -> str:
    """The ranker of RankLib whose text can hold the model."""
    if not model.trees:
        return LINEAR[0] if model.base == 0 else LINEAR[2]
    return BOOSTED if _is_stumps(model) else TREES[0]


def _is_stumps(model: Plain) -> bool:
    return not model.used and model.base == 0 and all(map(_is_stump, model.trees))


def _is_stump(tree: Tree) -> bool:
    """Whether a tree says α 1[x_k > θ]."""
    return tree.n_splits == 1 and not tree.categories and tree.value[~tree.left[0]] == 0


def _linear_text(model: Plain, kind: str) -> str:
    if model.trees:
        raise InputError(f"RankLib's {kind} holds weights. This model has trees. Leave the variant out.")
    if model.base != 0 and kind != "Linear Regression":
        raise InputError(
            f"RankLib's {kind} has no constant. This model adds {model.base!r} to every score. Use the variant "
            "Linear Regression, or drop_constant."
        )
    constant = [f"0:{model.base!r}"] if kind == "Linear Regression" else []
    used = model.used or [0]  # a model of nothing is refused by RankLib: a feature that weighs nothing then
    return " ".join([*constant, *(f"{k + 1}:{float(model.weights[k])!r}" for k in used)])


def _stumps_text(model: Plain) -> str:
    if not _is_stumps(model):
        raise InputError("RankLib's RankBoost holds stumps. This model is not made of them. Leave the variant out.")
    stumps = ((int(t.feature[0]) + 1, float(t.threshold[0]), float(t.value[~t.right[0]])) for t in model.trees)
    return " ".join(f"{k}:{java(threshold)}:{weight!r}" for k, threshold, weight in stumps)


def _ensemble_text(model: Plain, kind: str) -> str:
    trees_only(model, "RankLib")
    trees = model.trees_with_base()
    lines = [
        f"## No. of trees = {len(trees)}",
        f"## No. of leaves = {max(t.n_leaves for t in trees)}",
        "",
        "<ensemble>",
    ]
    for number, tree in enumerate(trees, 1):
        lines += [f'\t<tree id="{number}" weight="1.0">', *_tree_lines(tree), "\t</tree>"]
    return "\n".join([*lines, "</ensemble>"])


def _tree_lines(tree: Tree) -> list[str]:
    """One element a line, as RankLib's reader needs it."""
    thresholds, values = inclusive(tree.threshold), single(tree.value)

    def leaf(i: int) -> list[str]:
        return [f"<output> {values[i]!r} </output>"]

    def split(s: int, left: list[str], right: list[str]) -> list[str]:
        head = [f"<feature> {tree.feature[s] + 1} </feature>", f"<threshold> {java(thresholds[s])} </threshold>"]
        return [*head, '<split pos="left">', *left, "</split>", '<split pos="right">', *right, "</split>"]

    return ["<split>", *nested(tree, leaf, split), "</split>"]


def _read_stump(feature: str, threshold: str, weight: str) -> EngineTree:
    k, t = int(feature) - 1, float(threshold)
    return EngineTree(np.array([k]), np.array([t]), np.array([~0]), np.array([~1]), np.array([0.0, float(weight)]))


def _read_node(element: ElementTree.Element) -> Split | float:
    output = element.findtext("output")
    if output is not None:
        return float(np.float32(output))
    feature, threshold = int(element.findtext("feature", "")), float(np.float32(element.findtext("threshold", "")))
    left, right = element.findall("split")
    return Split(feature - 1, threshold, left, right)
