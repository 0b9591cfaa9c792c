"""Whatever bytes come in, a model that scores or a FormatError comes out, soon and in little memory."""

from __future__ import annotations

import json
import random
import resource
import time
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.exports.given import NAMES, forest
from tests.imports.test_sklearn_and_catboost import oblivious

import rankwright as rw
from rankwright.imports import of_bytes
from rankwright.learners import Stump
from rankwright.models import LinearModel, StumpModel
from rankwright.models.base import document_bytes, model_to_dict

PIECES = [
    *(bytes([b]) for b in b'0123456789:.,-+eE# \t\r\n\x00\xff[]{}"=<>/~$L'),
    *(b"-1", b"99999999999999999999", b"1e999", b"nan", b"Infinity", b"NaN", b"null", b"true", b'"x"', b"[[[[", b"{}"),
    *(b"num_leaves=1000000000", b"\nTree=0\n", b"end of trees", b"left_child=0 0 0", b"decision_type=1 1 1 1"),
    *(b"<split>", b"</split>", b"<tree weight=\"1\">", b"</tree>", b"<!ENTITY a 'b'>", b"\n0:", b":1:1 "),
    *(b"[$U#L\x00\x00\x00\xff\x00\x00\x00\x00", b"[$Z#L\x00\x00\x00\x00\x7f\xff\xff\xff", b"#i\xff"),
    *(b"[[[" * 1000, b"\x80"),
]  # fmt: skip


@cache
def seeds() -> dict[str, bytes]:
    """A small whole model of every format."""
    small = forest(1, categories=True, base=0.5)
    plain = forest(2)
    stumps = StumpModel(((0.5, Stump(0, 1.5)), (-0.25, Stump(1, 0.5, True))), 6)
    texts = {
        "lightgbm": rw.export(small, "lightgbm", features=NAMES).data,
        "xgboost": rw.export(small, "xgboost", features=NAMES).data,
        "ranklib trees": rw.export(plain, "ranklib").data,
        "ranklib stumps": rw.export(stumps, "ranklib").data,
        "ranklib linear": rw.export(LinearModel([1.0, 2.0, -0.5], 0.25), "ranklib").data,
        "catboost": json.dumps(oblivious()).encode(),
        "forest": document_bytes({"engine": "x", "features": NAMES, "model": model_to_dict(small)}),
        "stumps": document_bytes({"engine": "x", "model": model_to_dict(stumps)}),
    }
    texts["ubjson"] = ubjson(json.loads(texts["xgboost"]))
    return texts


def ubjson(value: Any) -> bytes:
    """A value as XGBoost would write it."""
    if isinstance(value, dict):
        inside = b"".join(ubjson(str(k))[1:] + ubjson(v) for k, v in value.items())
        return b"{" + inside + b"}"
    if isinstance(value, list):
        if value and all(type(v) is int for v in value):
            return b"[$l#L" + len(value).to_bytes(8, "big") + np.array(value, dtype=">i4").tobytes()
        if value and all(isinstance(v, float) for v in value):
            return b"[$d#L" + len(value).to_bytes(8, "big") + np.array(value, dtype=">f4").tobytes()
        return b"[#L" + len(value).to_bytes(8, "big") + b"".join(map(ubjson, value))
    if isinstance(value, str):
        return b"SL" + len(value.encode()).to_bytes(8, "big") + value.encode()
    return b"L" + int(value).to_bytes(8, "big", signed=True)


def mutated(rng: random.Random, text: bytes) -> bytes:
    out = bytearray(text)
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        at = rng.randrange(len(out) + 1)
        end = min(len(out), at + rng.randrange(12))
        what = rng.randrange(6)
        if what == 0:
            out[at:at] = rng.choice(PIECES)
        elif what == 1:
            out[at:end] = rng.choice(PIECES)
        elif what == 2:
            del out[at:end]
        elif what == 3:
            out[at:at] = out[at : at + rng.randrange(300)]
        elif what == 4 and end > at:
            out[at] = rng.randrange(256)
        elif what == 5 and rng.random() < 0.3:
            del out[at:]
    return bytes(out)


def outcome(text: bytes) -> str:
    try:
        model = of_bytes("m", text).model
    except rw.FormatError as wrong:
        return "refused" if wrong.path == "m" and len(str(wrong)) < 2000 else str(wrong)
    if model.n_features <= 1000:
        rows = np.zeros((20, model.n_features), dtype=np.float32)
        rows[::2] = np.nan
        with np.errstate(all="ignore"):
            assert model.scores(rows).shape == (20,)
    return "read"


@pytest.mark.parametrize("kind", list(seeds()))
def test_mutated_models_are_read_or_refused(kind: str) -> None:
    rng = random.Random(kind)
    text = seeds()[kind]
    assert outcome(text) == "read"
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = [outcome(mutated(rng, text)) for _ in range(400)]
    assert "refused" in found
    assert time.perf_counter() - start < 60
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # kB


@pytest.mark.parametrize("kind", ["xgboost", "catboost", "forest"])
def test_numbers_that_lie_are_read_or_refused(kind: str) -> None:
    """Every number of a document in turn, replaced by what hurts: sizes, children and indices among them."""
    rng = random.Random(kind)
    document = json.loads(seeds()[kind])
    places: list[tuple[Any, Any]] = []

    def collect(value: Any) -> None:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, (dict, list)):
                collect(inner)
            else:
                places.append((value, key))

    collect(document)
    for parent, key in rng.sample(places, min(len(places), 250)):
        kept = parent[key]
        for lie in (0, -1, 3, 2**31, 2**63, 1e308, "x", "1 -1", None, [], {}, True):
            parent[key] = lie
            assert outcome(json.dumps(document).encode()) in ("read", "refused")
        parent[key] = kept


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"learner":' * 100_000,
        b"{L" + b"\x00" * 7 + b"\x01a" + b"[" * 100_000,
        b"{i\x01a" * 50_000,
        b"{i\x01a[$d#L\x7f" + b"\xff" * 7,
        b"{i\x01a[#L\x7f" + b"\xff" * 7,
        b"{i\x01a[$T#l\x7f\xff\xff\xff",
        b"tree\n",
        b"tree\nmax_feature_idx=4000000000\nfeature_names=a\nend of trees\n",
        b"tree\nmax_feature_idx=0\nfeature_names=a\n\nTree=0\nnum_leaves=999999999999\nleaf_value=1\nend of trees\n",
        b"## LambdaMART\n<ensemble>" + b'<tree weight="1">' + b"<split>" * 100_000,
        b"## LambdaMART\n" + b"<" * 100_000,
        b"## AdaRank\n" + b"9" * 100_000 + b":1",
        b"## AdaRank\n1:" + b"9" * 100_000,
        b"\x80\x04\x95pickle",
        b"binf\x00\x00",
    ],
    ids=lambda text: repr(text[:20]),
)  # fmt: skip
def test_hostile_files_are_refused(text: bytes) -> None:
    start = time.perf_counter()
    assert outcome(text) == "refused"
    assert time.perf_counter() - start < 5


def deep(n: int) -> bytes:
    """A chain of so many splits in RankLib's text."""
    head = "".join(
        f'<split pos="left"><feature>1</feature><threshold>{-k}</threshold>'
        f'<split pos="right"><output>{k}</output></split>'
        for k in range(n)
    )
    inside = head.replace('<split pos="left">', "<split>", 1) + '<split pos="left"><output>0</output></split>'
    return f'## MART\n<ensemble><tree weight="1">{inside}{"</split>" * n}</tree></ensemble>'.encode()


def test_absurdly_deep_trees_are_scored_all_the_same() -> None:
    model = of_bytes("m", deep(20_000)).model
    assert model.scores(np.array([[5.0], [-7.5]], np.float32)).tolist() == [0.0, 8.0]


@pytest.mark.parametrize("children", [[0, 0, 0, -1, -1], [1, 1, 3, -1, -1], [1, 2, 1, -1, -1], [4, -1, -1, -1, 0]])
def test_cycles_are_refused(children: list[int]) -> None:
    document = json.loads(seeds()["xgboost"])
    tree = document["learner"]["gradient_booster"]["model"]["trees"][0]
    n = len(tree["left_children"])
    tree["left_children"] = (children * n)[:n]
    tree["right_children"] = (children[::-1] * n)[:n]
    assert outcome(json.dumps(document).encode()) == "refused"
