"""λ-gradients of nDCG@10 beside what LightGBM's lambdarank adds to a tree: 500,000 documents, 5,000 queries, 5 labels.

The peer's share is the best time of a tree with lambdarank less the best of one with squared error, on the same two
features, so that growing the tree is the smaller part of both.
"""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np

import rankwright as rw
from measuring import arguments, interleaved, report, row, seconds
from rankwright.rankers.lambdamart import NEAR
from rankwright.rankers.lambdas import Lambdas

THREADS, TREES = 2, 20


def main() -> None:
    options = arguments(__doc__, queries=(int, 5000, "queries of 100 documents"))
    rng = np.random.default_rng(0)
    n = options.queries * 100
    y = rng.choice(5, n, p=[0.52, 0.32, 0.13, 0.02, 0.01])
    data = rw.Dataset(rng.normal(size=(n, 2)).astype(np.float32), y, group=np.full(options.queries, 100))
    scores = rng.normal(size=n)
    rows = []
    for depth in (10, 20, 30):
        lambdas = Lambdas(data, rw.measure(f"nDCG@{depth}"), NEAR, THREADS)
        lambdas.at(scores)
        best = interleaved({"ours": lambda: lambdas.at(scores)}, 15)["ours"]  # noqa: B023
        peer = per_tree(data, "lambdarank", depth) - per_tree(data, "regression", depth)
        what = f"λ-gradients, pairs above rank {depth}, {n:,} documents, {THREADS} threads"
        rows.append(row(what, seconds(best), seconds(peer), peer / best, None))
    for name in ("AP", "ERR@10", "RR", "KendallTau"):
        lambdas = Lambdas(data, rw.measure(name), NEAR, THREADS)
        lambdas.at(scores)
        best = interleaved({"ours": lambda: lambdas.at(scores)}, 15)["ours"]  # noqa: B023
        rows.append(row(f"the same of {name}; the peer has none", seconds(best), "–", None, None))
    report(rows, options.json)


def per_tree(data: rw.Dataset, objective: str, depth: int) -> float:
    options: dict[str, Any] = {
        "objective": objective, "num_leaves": 4, "num_threads": THREADS, "verbose": -1, "max_bin": 15,
        "lambdarank_truncation_level": depth, "label_gain": [2**y - 1 for y in range(8)],
    }  # fmt: skip
    train = lightgbm.Dataset(data.X, data.y, group=data.group_sizes).construct()
    booster = lightgbm.Booster(options, train)
    return interleaved({"tree": booster.update}, TREES)["tree"]


if __name__ == "__main__":
    main()
