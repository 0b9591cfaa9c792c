"""Solr's learning to rank: the JSON of a model for its model store.

{"class": "org.apache.solr.ltr.model.LinearModel", "name": "m", "features": [{"name": "a"}],
 "params": {"weights": {"a": 1.0}}}
{"class": "org.apache.solr.ltr.model.MultipleAdditiveTreesModel", ..., "params": {"trees": [{"weight": "1", "root":
 {"feature": "a", "threshold": "0.5", "left": {"value": "-1"}, "right": {"value": "2"}}}]}}

Everything is float32. Solr adds 1e-6 to a threshold and sends x ≤ t + 1e-6 left; a missing value is 0.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rankwright.exports.base import Format, Wanted, as_sum, linear_only, trees_only, without_constant
from rankwright.exports.engine import EngineModel
from rankwright.exports.nesting import Split, nested, unnested
from rankwright.exports.numbers import java, single
from rankwright.learners import Tree

PACKAGE = "org.apache.solr.ltr.model."
LINEAR, TREES = "LinearModel", "MultipleAdditiveTreesModel"
SLACK = np.float32(1e-6)


class Solr(Format):
    """A LinearModel or a MultipleAdditiveTreesModel for Solr's model store."""

    name = "solr"
    about = "Apache Solr's learning to rank"
    ending = ".json"
    needs_names = True
    variants: ClassVar[tuple[str, ...]] = (LINEAR, TREES)

    def write(self, model: Any, wanted: Wanted) -> bytes:
        whole, names = as_sum(model, "Solr"), wanted.features or ()
        kind = wanted.variant or (LINEAR if not whole.trees else TREES)
        params: dict[str, Any]
        if kind == LINEAR:
            linear = without_constant(linear_only(whole, "Solr's LinearModel"), "Solr's LinearModel", "another engine")
            used = linear.used or [0]
            params = {"weights": dict(zip((names[k] for k in used), single(whole.weights[used]), strict=True))}
        else:
            trees = trees_only(whole, "Solr's MultipleAdditiveTreesModel").trees_with_base()
            used = np.unique([0, *(k for tree in trees for k in tree.feature)]).tolist()
            params = {"trees": [{"weight": "1.0", "root": _node(tree, names)} for tree in trees]}
        features = [{"name": names[k]} for k in used]
        body = {"class": PACKAGE + kind, "name": wanted.name, "features": features, "params": params}
        return (json.dumps(body, ensure_ascii=False, indent=1) + "\n").encode()

    def read(self, data: bytes, wanted: Wanted) -> EngineModel:
        body = json.loads(data)
        number = {name: k for k, name in enumerate(wanted.features or ())}
        params = body["params"]
        if body["class"] == PACKAGE + LINEAR:
            listed = [feature["name"] for feature in body["features"]]
            return EngineModel(terms=tuple((number[n], params["weights"][n]) for n in listed), single=True)

        def node(found: dict[str, Any]) -> Split | float:
            if "value" in found:
                return float(np.float32(found["value"]))
            threshold = float(np.float32(found["threshold"]) + SLACK)
            return Split(number[found["feature"]], threshold, found["left"], found["right"])

        return EngineModel(trees=tuple(unnested(tree["root"], node) for tree in params["trees"]), single=True)


def _node(tree: Tree, names: Any) -> dict[str, Any]:
    thresholds, values = less_slack(tree.threshold), single(tree.value)

    def leaf(i: int) -> dict[str, Any]:
        return {"value": repr(values[i])}

    def split(s: int, left: Any, right: Any) -> dict[str, Any]:
        return {"feature": names[tree.feature[s]], "threshold": java(thresholds[s]), "left": left, "right": right}

    root: dict[str, Any] = nested(tree, leaf, split)
    return root


def less_slack(thresholds: npt.NDArray[np.float32]) -> list[float]:
    """t with t + 1e-6 = θ in float32, where there is one: a θ near 0 that is no difference of two has none."""
    t = thresholds - SLACK
    for step in (-np.inf, np.inf):
        other = np.nextafter(t, np.float32(step))
        t = np.where((t + SLACK != thresholds) & (other + SLACK == thresholds), other, t)
    return t.astype(np.float64).tolist()  # type: ignore[no-any-return]
