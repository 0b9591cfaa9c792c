"""The trees of RankLib's ensembles: a few elements, read one after the other with no parser of XML.

<ensemble><tree id="1" weight="0.1"><split><feature> 2 </feature><threshold> 11.2 </threshold>
    <split pos="left"><output> -0.5 </output></split><split pos="right"><output> 1.3 </output></split>
</split></tree></ensemble>
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rankwright.errors import FormatError, InputError
from rankwright.imports.arrays import make_tree
from rankwright.imports.base import part
from rankwright.learners import Tree
from rankwright.models.forest import MAX_FEATURES

_TOKEN = re.compile(r"<(/?)(\w+)((?:\s+\w+\s*=\s*\"[^\"<>]*\")*)\s*>|([^<>\s]+)|([<>])")
_ATTRIBUTE = re.compile(r"(\w+)\s*=\s*\"([^\"]*)\"")
_INSIDE = {"ensemble": ("",), "tree": ("ensemble",), "split": ("tree", "split"), "feature": ("split",),
           "threshold": ("split",), "output": ("split",)}  # fmt: skip


@dataclass
class Node:
    """A split being read: it has a feature and a threshold, or an output."""

    side: str
    found: dict[str, str] = field(default_factory=dict)
    children: dict[str, int] = field(default_factory=dict)
    number: int = -1


@dataclass
class Parts:
    """A tree being read, as lists by split and by leaf."""

    weight: float
    features: list[int] = field(default_factory=list)
    thresholds: list[float] = field(default_factory=list)
    sides: list[dict[str, int]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    root: int | None = None

    def made(self, n_features: int) -> Tree:
        """The tree; a missing value goes where 0 goes."""
        if self.root is None:
            raise InputError("a tree must have a root")
        thresholds, values = (_single(numbers) for numbers in (self.thresholds, self.values))
        left, right = ([side[name] for side in self.sides] for name in ("left", "right"))
        return make_tree(n_features, self.features, thresholds, thresholds >= 0, left, right, values.astype(np.float64))

    def close(self, node: Node, parent: Node | None) -> None:
        """Takes a split that was read to its end."""
        if "output" in node.found:
            if node.children or len(node.found) > 1:
                raise InputError("a split must have an output, or a feature, a threshold and two splits")
            number = ~len(self.values)
            self.values.append(_number(node.found["output"]))
        else:
            number = node.number
            if set(node.children) != {"left", "right"} or set(node.found) != {"feature", "threshold"}:
                raise InputError("a split must have an output, or a feature, a threshold and two splits")
            self.thresholds[number], self.sides[number] = _number(node.found["threshold"]), node.children
        if parent is None:
            if self.root is not None:
                raise InputError("a tree must have one root")
            self.root = number
        elif node.side in parent.children or node.side not in ("left", "right"):
            raise InputError(f"the splits of a split must be at left and right. Got {node.side!r:.20}")
        else:
            parent.children[node.side] = number

    def open_split(self, node: Node) -> None:
        """Numbers a split once its feature is known, so that it stands before its children."""
        k = int(node.found["feature"])
        if not 1 <= k <= MAX_FEATURES:
            raise InputError(f"features must be numbered 1..{MAX_FEATURES}. Got {k}")
        node.number = len(self.features)
        self.features.append(k - 1)
        self.thresholds.append(0.0)
        self.sides.append({})


def _number(word: str) -> float:
    value = float(word)
    if np.isnan(value):
        raise InputError("thresholds and outputs must be numbers")
    return value


def _single(numbers: list[float]) -> npt.NDArray[np.float32]:
    with np.errstate(over="ignore"):
        return np.array(numbers, dtype=np.float64).astype(np.float32)


def ensembles(name: str, lines: list[tuple[int, str]]) -> list[list[Parts]]:
    """The trees of each ensemble."""
    out: list[list[Parts]] = []
    open_tags: list[str] = []
    nodes: list[Node] = []
    last = 0
    for line, text in lines:
        last = line
        for token in _TOKEN.finditer(text):
            with part(name, "an element", line):
                _take(token, out, open_tags, nodes)
    if open_tags:
        raise FormatError(name, last, f"every element must end. <{open_tags[-1]}> does not. Copy the whole file.")
    return out


def _take(token: re.Match[str], out: list[list[Parts]], open_tags: list[str], nodes: list[Node]) -> None:
    closing, tag, attributes, word, stray = token.groups()
    inside = open_tags[-1] if open_tags else ""
    if stray:
        raise InputError(f"{stray} stands alone")
    if word:
        if inside not in ("feature", "threshold", "output") or inside in nodes[-1].found:
            raise InputError(f"{word:.40} stands where an element should")
        nodes[-1].found[inside] = word
        if inside == "feature":
            out[-1][-1].open_split(nodes[-1])
    elif not closing:
        if inside not in _INSIDE.get(tag, ()):
            raise InputError(f"<{tag:.20}> stands inside {inside or 'nothing'}")
        given = dict(_ATTRIBUTE.findall(attributes))
        open_tags.append(tag)
        if tag == "ensemble":
            out.append([])
        elif tag == "tree":
            out[-1].append(Parts(float(_single([_number(given["weight"])])[0])))
        elif tag == "split":
            nodes.append(Node(given.get("pos", "")))
    elif tag != inside:
        raise InputError(f"</{tag:.20}> ends {inside or 'nothing'}")
    else:
        open_tags.pop()
        if tag == "split":
            node = nodes.pop()
            out[-1][-1].close(node, nodes[-1] if open_tags[-1] == "split" else None)
        elif tag == "tree" and out[-1][-1].root is None:
            raise InputError("a tree must have a root")
