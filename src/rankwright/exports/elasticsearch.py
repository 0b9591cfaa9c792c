"""Elasticsearch's and OpenSearch's learning-to-rank plugins: the body that puts a model beside a feature set.

POST _ltr/_featureset/NAME/_createmodel
{"model": {"name": "m", "model": {"type": "model/linear", "definition": "{\\"title_bm25\\": 0.3}"}}}

All types score in float32, and a feature that does not match is 0. "model/linear" has no constant. In
"model/xgboost+json", x < split_condition goes to "yes"; its "missing" is not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar

from rankwright.exports.base import Format, Wanted, as_sum, linear_only, trees_only, without_constant
from rankwright.exports.dump import dumped, read_dump
from rankwright.exports.engine import EngineModel
from rankwright.exports.numbers import single
from rankwright.exports.plain import Plain
from rankwright.exports.ranklib import RankLib

LINEAR, RANKLIB, XGBOOST = "linear", "ranklib", "xgboost+json"


class Elasticsearch(Format):
    """The request body of the learning-to-rank plugin: linear models and trees."""

    name = "elasticsearch"
    about = "Elasticsearch with the learning-to-rank plugin"
    ending = ".json"
    needs_names = True
    variants: ClassVar[tuple[str, ...]] = (LINEAR, RANKLIB, XGBOOST)

    def write(self, model: Any, wanted: Wanted) -> bytes:
        whole, names = as_sum(model, self.name), wanted.features or ()
        kind = wanted.variant or (LINEAR if not whole.trees else XGBOOST)
        if kind == LINEAR:
            weights = _weights(linear_only(whole, "model/linear"), names)
            definition = json.dumps(weights, ensure_ascii=False)
        elif kind == RANKLIB:
            definition = RankLib().write(whole, Wanted()).decode()
        else:
            trees = dumped(trees_only(whole, "model/xgboost+json"), names, single)
            definition = json.dumps(trees, ensure_ascii=False)
        inner = {"type": f"model/{kind}", "definition": definition}
        body = {"model": {"name": wanted.name, "model": inner}}
        return (json.dumps(body, ensure_ascii=False, indent=1) + "\n").encode()

    def read(self, data: bytes, wanted: Wanted) -> EngineModel:
        inner = json.loads(data)["model"]["model"]
        kind, definition, names = inner["type"].removeprefix("model/"), inner["definition"], wanted.features or ()
        if kind == RANKLIB:
            return RankLib().read(definition.encode(), Wanted())
        found = json.loads(definition)
        if kind == XGBOOST:
            return EngineModel(trees=read_dump(found, names, knows_missing=False), single=True)
        terms = ((k, found[name]) for k, name in enumerate(names) if name in found)
        return EngineModel(terms=tuple(terms), single=True)


class OpenSearch(Elasticsearch):
    """The same body for OpenSearch's plugin, which began as a copy."""

    name = "opensearch"
    about = "OpenSearch with the learning-to-rank plugin"


def _weights(model: Plain, names: Sequence[str]) -> dict[str, float]:
    """Weights by name: at least one, since there is no model of nothing."""
    without_constant(model, "model/linear", 'the variant "ranklib"')
    used = model.used or [0]
    return dict(zip((names[k] for k in used), single(model.weights[used]), strict=True))
