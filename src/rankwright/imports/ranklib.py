"""RankLib's text; :mod:`rankwright.exports.ranklib` says what it looks like. Features are numbered from 1, and missing
ones are 0. Trees are float32 and summed in float32; weights and the thresholds of RankBoost are float64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rankwright.errors import FormatError, InputError
from rankwright.imports.arrays import at_most, make_tree
from rankwright.imports.base import Found, part, refused
from rankwright.imports.ranklib_trees import ensembles
from rankwright.learners import Stump, Tree
from rankwright.models import BlendModel, ForestModel, LinearModel, Model, StumpModel
from rankwright.models.forest import MAX_FEATURES

ENGINE = "RankLib"
LINEAR = ("Coordinate Ascent", "AdaRank", "Linear Regression")
BOOSTED = "RankBoost"
TREES = ("LambdaMART", "MART")
BAGS = "Random Forests"


@dataclass
class _Text:
    """The lines of a file that are no comments, and what the first says."""

    name: str
    kind: str
    lines: list[tuple[int, str]] = field(default_factory=list)

    def tokens(self) -> Iterator[tuple[int, list[str]]]:
        """The parts between colons of every word, with its line."""
        for number, line in self.lines:
            for word in line.split():
                yield number, word.split(":")


def read(name: str, data: bytes) -> Found:
    """The model of a text."""
    text = _text(name, data)
    if text.kind in LINEAR:
        return Found(ENGINE, _linear(text))
    if text.kind == BOOSTED:
        return Found(ENGINE, _stumps(text))
    if text.kind in (*TREES, BAGS):
        return Found(ENGINE, _forests(text))
    known = ", ".join((*LINEAR, BOOSTED, *TREES, BAGS))
    raise FormatError(name, 1, f"a RankLib model must be one of {known}. Got {text.kind!r:.60}. Train one of them.")


def _text(name: str, data: bytes) -> _Text:
    lines = [(n, line.strip()) for n, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1)]
    lines = [(n, line) for n, line in lines if line]
    kind = lines[0][1].removeprefix("##").strip() if lines else ""
    return _Text(name, kind, [(n, line) for n, line in lines[1:] if not line.startswith("##")])


def _feature(word: str) -> int:
    """The column of a feature numbered from 1; -1 for the constant."""
    k = int(word)
    if not 0 <= k <= MAX_FEATURES:
        raise InputError(f"features must be numbered 1..{MAX_FEATURES}. Got {k}")
    return k - 1


def _number(word: str) -> float:
    value = float(word)
    if not np.isfinite(value):
        raise InputError(f"weights must be finite. Got {word:.40}")
    return value


def _linear(text: _Text) -> Model:
    steps, intercept = [], 0.0
    for line, word in text.tokens():
        with part(text.name, "a feature:weight", line):
            k, weight = word
            if int(k) == 0 and text.kind == "Linear Regression":
                intercept += _number(weight)
            elif int(k) == 0:
                raise InputError("features are numbered from 1")
            else:
                steps.append((_feature(k), _number(weight)))
    _some(text, steps)
    with part(text.name, "the sum of the weights"):
        model = LinearModel.of_steps(tuple(steps), 1 + max(k for k, _ in steps), intercept=intercept)
        if not np.isfinite(model.weights).all():
            raise InputError("weights must be finite")
    return model if text.kind == "AdaRank" else LinearModel(model.weights, model.intercept)


def _stumps(text: _Text) -> Model:
    steps = []
    for line, word in text.tokens():
        with part(text.name, "a feature:threshold:weight", line):
            k, threshold, weight = word
            t = at_most(float(threshold))
            if np.isnan(t) or int(k) == 0:
                raise InputError("thresholds must be numbers, and features are numbered from 1")
            steps.append((_number(weight), Stump(_feature(k), float(t), bool(t < 0))))
    _some(text, steps)
    n_features = 1 + max(h.feature for _, h in steps)
    if all(np.isfinite(h.threshold) for _, h in steps):
        return StumpModel(tuple(steps), n_features)
    return ForestModel(tuple(_as_tree(alpha, h, n_features) for alpha, h in steps), n_features)


def _as_tree(alpha: float, h: Stump, n_features: int) -> Tree:
    """A stump that fires below every number or on none: -Infinity is a threshold of RankLib's."""
    return make_tree(
        n_features, [h.feature], np.array([h.threshold], dtype=np.float32), [not h.if_missing], [~0], [~1], [0.0, alpha]
    )


def _forests(text: _Text) -> Model:
    bags = ensembles(text.name, text.lines)
    _some(text, bags)
    n_features = 1 + max((k for trees in bags for tree in trees for k in tree.features), default=0)
    forests = []
    for trees in bags:
        with part(text.name, "an ensemble"):
            weights = np.array([tree.weight for tree in trees])
            forests.append(
                ForestModel(tuple(tree.made(n_features) for tree in trees), n_features, weights, arithmetic="single")
            )
    if text.kind != BAGS:
        if len(forests) > 1:
            raise refused(ENGINE, f"{text.kind} has {len(forests)} ensembles", "Check that it is one model.")
        return forests[0]
    return BlendModel(tuple((1 / len(forests), forest) for forest in forests))


def _some(text: _Text, found: Sequence[object]) -> None:
    if not found:
        reason = f"a {text.kind} model must have a part. This has none. Copy the whole file."
        raise FormatError(text.name, 0, reason)
