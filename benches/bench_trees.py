"""Boosted trees beside LightGBM, XGBoost and CatBoost: a tree, the bins, memory, from a file, and sparse.

Two threads, 31 leaves, 255 bins, learning rate 0.1, at least 20 documents a leaf; λ-gradients of nDCG over the pairs
with a document among the first 30, on both sides, in every tree that is timed. Artificial data: queries of 100
documents, 136 features, a third of them of few values.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import rankwright as rw
from letor_file import made
from measuring import arguments, interleaved, report, row, seconds

THREADS, LEAVES, FEATURES, DOCS = 2, 31, 136, 100
SHARED = {"num_leaves": LEAVES, "max_bin": 255, "min_data_in_leaf": 20, "learning_rate": 0.1, "verbose": -1}
LIGHTGBM = {**SHARED, "objective": "lambdarank", "num_threads": THREADS}
Rows = list[dict[str, Any]]


def web_like(n_docs: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.random((n_docs, FEATURES), dtype=np.float32)
    X[:, ::3] = np.ceil(X[:, ::3] * 20)
    y = np.digitize(X[:, 1] + X[:, 4] + 0.5 * rng.random(n_docs), [1.1, 1.5, 1.8, 2.1])
    return X, y


def ours(X: Any, y: Any) -> Callable[[], Any]:
    """One round of LambdaMART: gradients, tree, new scores."""
    from rankwright.rankers.boosting import Boosting, Sampling
    from rankwright.rankers.lambdamart import LambdaSlopes

    data = rw.Dataset(X, y, group=np.full(len(y) // DOCS, DOCS))
    ranker = rw.LambdaMART(n_leaves=LEAVES, n_threads=THREADS)
    E = rw.measure("nDCG@30").bind(data.y)
    boosting = Boosting(
        data,
        None,
        ranker._growth(),
        Sampling(data, 1.0, 1.0, 0),
        lambda part, _: LambdaSlopes(part, E, 0.01, THREADS),
        np.zeros((1, data.n_docs)),
        None,
        THREADS,
    )
    m = 0

    def one_round() -> None:
        nonlocal m
        m += 1
        boosting.round(m, 0.1)

    return one_round


def lightgbm(X: Any, y: Any, **extra: Any) -> Callable[[], Any]:
    import lightgbm as lgb

    data = lgb.Dataset(X, y, group=np.full(len(y) // DOCS, DOCS), params=LIGHTGBM).construct()
    return lgb.Booster({**LIGHTGBM, **extra}, data).update


def xgboost(X: Any, y: Any) -> Callable[[], Any]:
    import xgboost as xgb

    data = xgb.QuantileDMatrix(X, y, qid=np.repeat(np.arange(len(y) // DOCS), DOCS), max_bin=255, nthread=THREADS)
    options = {
        "objective": "rank:ndcg",
        "lambdarank_pair_method": "topk",
        "lambdarank_num_pair_per_sample": 30,
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_leaves": LEAVES,
        "max_depth": 0,
        "max_bin": 255,
        "eta": 0.1,
        "nthread": THREADS,
    }
    booster, m = xgb.Booster(options, [data]), 0

    def one_round() -> None:
        nonlocal m
        booster.update(data, m)
        m += 1

    return one_round


def catboost(X: Any, y: Any) -> float:
    """Seconds for a tree: CatBoost trains all at once, so a longer run less a shorter one."""
    import catboost as cb

    data = cb.Pool(X, y, group_id=np.repeat(np.arange(len(y) // DOCS), DOCS), thread_count=THREADS)
    options = {
        "loss_function": "LambdaMart:metric=NDCG;top=30",
        "grow_policy": "Lossguide",
        "max_leaves": LEAVES,
        "max_depth": 16,
        "min_data_in_leaf": 20,
        "border_count": 254,
        "learning_rate": 0.1,
        "thread_count": THREADS,
        "verbose": False,
        "allow_writing_files": False,
    }
    data.quantize(border_count=254)
    spent = []
    for iterations in (2, 6):
        start = time.perf_counter()
        cb.CatBoost({**options, "iterations": iterations}).fit(data)
        spent.append(time.perf_counter() - start)
    return (spent[1] - spent[0]) / 4


def trees(n_docs: int, rounds: int, others: bool) -> Rows:
    """Rounds taking turns; each tool's best, once the first three are over."""
    X, y = web_like(n_docs)
    works = {
        "ours": ours(X, y),
        "LightGBM lambdarank": lightgbm(X, y),
        "LightGBM lambdarank, use_quantized_grad": lightgbm(X, y, use_quantized_grad=True),
    }
    if others:
        works["XGBoost hist"] = xgboost(X, y)
    spent: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            spent[name].append(time.perf_counter() - start)
    best = {name: min(times[3:]) for name, times in spent.items()}
    if others:
        best["CatBoost Lossguide"] = catboost(X, y)
    bars = {"LightGBM lambdarank": 0.5, "LightGBM lambdarank, use_quantized_grad": 0.75}
    mine = best.pop("ours")
    what = f"a tree with its gradients, {n_docs:,} × {FEATURES}, beside "
    return [
        row(what + name, seconds(mine), seconds(peer), mine / peer, bars.get(name, 0.5), at_least=False)
        for name, peer in best.items()
    ]


def binning(n_docs: int) -> Rows:
    import lightgbm as lgb

    from rankwright.learners import Coding

    X, y = web_like(n_docs)
    works = {
        "ours": lambda: Coding.of(X, n_threads=THREADS).codes(X, THREADS),
        "peer": lambda: lgb.Dataset(X, y, params=LIGHTGBM).construct(),
    }
    best = interleaved(works, 2)
    what = f"binning {n_docs:,} × {FEATURES}, beside LightGBM's Dataset"
    return [row(what, seconds(best["ours"]), seconds(best["peer"]), best["peer"] / best["ours"], 5.0)]


def memory(n_docs: int) -> Rows:
    """What training takes beyond the data set, at its highest, in a process of its own."""
    command = [sys.executable, __file__, "--peak-of", str(n_docs)]
    taken = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    allowed = n_docs * (1.5 * FEATURES + 40)
    what = f"memory of training on {n_docs:,} × {FEATURES}, in bytes a document (bar: 1.5 a cell and 40)"
    bytes_each = {name: f"{value / n_docs:.0f}" for name, value in taken.items()}
    made_of = row(what, bytes_each["ours"], f"{bytes_each['peer']} (LightGBM)", taken["ours"] / allowed, 1.0, False)
    return [made_of]


def peaks(n_docs: int) -> dict[str, int]:
    X, y = web_like(n_docs)
    data = rw.Dataset(X, y, group=np.full(len(y) // DOCS, DOCS))
    small = rw.Dataset(X[:1000], y[:1000], group=np.full(10, DOCS))
    rw.LambdaMART(n_trees=1, n_threads=THREADS).fit(small)  # what is imported is imported
    ranker = rw.LambdaMART(n_trees=5, n_leaves=LEAVES, measure="nDCG@15", n_threads=THREADS)
    out = {"ours": peak(lambda: ranker.fit(data))}
    lightgbm(X[:1000], y[:1000])()

    def theirs() -> None:
        update = lightgbm(X, y)
        for _ in range(5):
            update()

    out["peer"] = peak(theirs)
    return out


def peak(work: Callable[[], Any]) -> int:
    """The highest resident memory while working, beyond what is resident before."""

    def status(name: str) -> int:
        with open("/proc/self/status") as file:
            return int(next(line for line in file if line.startswith(name)).split()[1]) * 1024

    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = status("VmRSS")
    work()
    return status("VmHWM") - before


def from_file(megabytes: int) -> Rows:
    """From a LETOR text file to a model of 100 trees, each tool by its own reader."""
    import lightgbm as lgb

    path, plain = made(megabytes), made(megabytes, qid=False)
    works = {
        "ours": lambda: rw.LambdaMART(n_trees=100, n_leaves=LEAVES, measure="nDCG@15", n_threads=THREADS).fit(
            rw.read(path)
        ),
        "peer": lambda: lgb.train(LIGHTGBM, lgb.Dataset(str(plain), params=LIGHTGBM), 100),
    }
    best = interleaved(works, 1)
    what = f"from a LETOR file of {megabytes} MB to 100 trees, beside LightGBM"
    return [row(what, seconds(best["ours"]), seconds(best["peer"]), best["peer"] / best["ours"], 4.0)]


def sparse(n_docs: int, n_features: int, each: int, n_trees: int) -> Rows:
    """Few numbers per document in very many features, as words are: from the matrix to the trees."""
    import lightgbm as lgb
    import scipy.sparse as sp

    rng = np.random.default_rng(0)
    columns = np.sort((n_features * rng.random((n_docs, each)) ** 3).astype(np.int64), axis=1)
    numbers = rng.integers(1, 6, n_docs * each).astype(np.float32)
    X = sp.csr_matrix((numbers, columns.ravel(), np.arange(0, n_docs * each + 1, each)), shape=(n_docs, n_features))
    X.sum_duplicates()
    worth = X @ (rng.normal(size=n_features) * (rng.random(n_features) < 0.01)).astype(np.float32)
    y = np.digitize(worth + 0.1 * rng.normal(size=n_docs), np.quantile(worth, [0.6, 0.8, 0.9, 0.97]))
    group = np.full(n_docs // DOCS, DOCS)
    ranker = rw.LambdaMART(n_trees=n_trees, n_leaves=LEAVES, measure="nDCG@15", n_threads=THREADS)
    works = {
        "ours": lambda: ranker.fit(rw.Dataset(X, y, group=group)),
        "peer": lambda: lgb.train(LIGHTGBM, lgb.Dataset(X, y, group=group, params=LIGHTGBM), n_trees),
    }
    best = interleaved(works, 1)
    what = f"{n_trees} trees on {n_docs:,} × {n_features:,} sparse, {each} numbers a document, beside LightGBM"
    return [row(what, seconds(best["ours"]), seconds(best["peer"]), best["peer"] / best["ours"], None)]


def main() -> None:
    asked = arguments(__doc__, peak_of=(int, 0, "print the peak memory of training on so many documents, and end"))
    if asked.peak_of:
        print(json.dumps(peaks(asked.peak_of)))
        return
    os.environ["RANKWRIGHT_THREADS"] = str(THREADS)
    rows = trees(500_000, 13, others=True)
    rows += trees(2_000_000, 9, others=False)
    rows += binning(500_000) + memory(2_000_000) + from_file(120) + sparse(100_000, 300_000, 40, 20)
    report(rows, asked.json)


if __name__ == "__main__":
    main()
