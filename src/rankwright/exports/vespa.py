"""Vespa: trees as the XGBoost dump that its `xgboost("m.json")` imports, linear models as a rank profile.

    rank-profile m inherits default {
        first-phase {
            expression {
                0.5 +
                0.3 * if (isNan(bm25(title)) == 1, 0.0, bm25(title))
            }
        }
    }

Features are named by rank features, such as bm25(title) or attribute(price). Numbers are float64; x < split_condition
goes to "yes", NaN to "missing".
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from rankwright.errors import InputError
from rankwright.exports.base import Format, Wanted, as_sum, linear_only, trees_only
from rankwright.exports.dump import dumped, read_dump
from rankwright.exports.engine import EngineModel
from rankwright.exports.plain import Plain

LINEAR, XGBOOST = "rank-profile", "xgboost"

_TERM = re.compile(r"(?P<weight>\S+) \* if \(isNan\((?P<name>.+)\) == 1, (?P<missing>\S+), (?P=name)\)")


class Vespa(Format):
    """An XGBoost dump for trees, a rank profile for linear models."""

    name = "vespa"
    about = "Vespa"
    ending = ".json"
    needs_names = True
    variants: ClassVar[tuple[str, ...]] = (LINEAR, XGBOOST)

    def write(self, model: Any, wanted: Wanted) -> bytes:
        whole, names = as_sum(model, "Vespa"), wanted.features or ()
        if any(name != name.strip() or re.search(r"[\s{}]", name) for name in names):
            raise InputError("Vespa's features are rank features, such as bm25(title). One has spaces. Rename it.")
        if (wanted.variant or (LINEAR if not whole.trees else XGBOOST)) == LINEAR:
            return _profile(linear_only(whole, "a rank profile"), wanted.name, names).encode()
        trees = dumped(trees_only(whole, "Vespa's xgboost"), names, np.ndarray.tolist)
        return (json.dumps(trees, ensure_ascii=False, indent=1) + "\n").encode()

    def read(self, data: bytes, wanted: Wanted) -> EngineModel:
        names, text = wanted.features or (), data.decode()
        if text.startswith("["):
            return EngineModel(trees=read_dump(json.loads(text), names, knows_missing=True), knows_missing=True)
        number = {name: k for k, name in enumerate(names)}
        inside = text.partition("expression {")[2].partition("}")[0]
        constant, *lines = (line.strip().removesuffix(" +") for line in inside.strip().splitlines())
        found = [_TERM.fullmatch(line) for line in lines]
        terms = tuple((number[term["name"]], float(term["weight"])) for term in found if term is not None)
        missing = [float(term["missing"]) for term in found if term is not None]
        return EngineModel((), terms, float(constant), missing=missing[0] if missing else 0.0, knows_missing=True)


def _profile(model: Plain, name: str, names: Sequence[str]) -> str:
    missing = repr(model.missing)
    terms = [f"{float(model.weights[k])!r} * if (isNan({names[k]}) == 1, {missing}, {names[k]})" for k in model.used]
    inside = " +\n".join(f"            {term}" for term in [repr(model.base), *terms])
    return (
        f"rank-profile {name} inherits default {{\n    first-phase {{\n        expression {{\n{inside}\n"
        "        }\n    }\n}\n"
    )
