"""Scoring 500 trees × 31 leaves × 136 features beside LightGBM, XGBoost, CatBoost, lleaves, tl2cgen and ONNX Runtime.

One thread where nothing else is said, peers taking turns; time is of the whole Python call. The linear and the stump
model are beside a multiplication by a vector (BLAS, float32), which reads the features once. `--prepare` trains and
compiles what is kept in bench-data, and measures nothing.
"""

from __future__ import annotations

import os
from typing import Any

os.environ["RANKWRIGHT_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np

import rankwright as rw
from forest_peers import catboost_model, engines, lightgbm_model, web_like
from measuring import arguments, interleaved, report, row, seconds
from rankwright import kernels
from rankwright.learners import Stump
from rankwright.models import ForestModel, LinearModel, Model, StumpModel

BARS = {"LightGBM predict": 25.0, "XGBoost inplace_predict": 8.0, "lleaves": 5.0, "tl2cgen": 5.0, "CatBoost": 1.0}
BATCH = 4000
Rows = list[dict[str, Any]]


def beside_engines(model: Model, peers: dict[str, Any], X: Any) -> Rows:
    """All engines on the same batch."""
    works = {"ours": lambda: model.scores(X), **{name: (lambda f=f: f(X)) for name, f in peers.items()}}
    best = interleaved(works, 7)
    ours = best.pop("ours") / len(X)
    rows = []
    for name, took in best.items():
        bar = next((bar for start, bar in BARS.items() if name.startswith(start)), None)
        what = f"a document, batches of {len(X):,}, beside {name}"
        rows.append(row(what, seconds(ours), seconds(took / len(X)), took / len(X) / ours, bar))
    return rows


def their_own_model(X: Any, error: float) -> Rows:
    """CatBoost's own trees, read and scored here: as accurate as can be."""
    try:
        from catboost import CatBoostRegressor
    except ImportError:
        return []
    theirs = CatBoostRegressor().load_model(str(catboost_model(error)))
    ours = rw.read_model(theirs)
    assert np.array_equal(ours.scores(X), theirs.predict(X))
    best = interleaved({"ours": lambda: ours.scores(X), "theirs": lambda: theirs.predict(X, thread_count=1)}, 15)
    what = f"a document, CatBoost's own {theirs.tree_count_} oblivious trees, read and scored here, beside CatBoost"
    each = {name: took / len(X) for name, took in best.items()}
    return [row(what, seconds(each["ours"]), seconds(each["theirs"]), each["theirs"] / each["ours"], 1.0)]


def on_width(model: ForestModel, X: Any, bits: int) -> Any:
    plan, sums = model.plan, np.empty(len(X))

    def score() -> None:
        sums[:] = model.base
        kernels.add_trees(sums, X, plan, (0, len(model.trees)), False, bits, 1)

    return score


def by_width(model: ForestModel, X: Any, what: str, bars: dict[int, float | None]) -> Rows:
    """Microseconds a document on every width of vectors."""
    best = interleaved({str(bits): on_width(model, X, bits) for bits in bars}, 15)
    rows = []
    for bits, bar in bars.items():
        each = best[str(bits)] / len(X)
        name = f"{what}: a document in batches of {len(X):,}, {bits}-bit vectors (ratio: µs)"
        rows.append(row(name, seconds(each), "", each * 1e6, bar, at_least=False))
    return rows


def few(model: ForestModel, X: Any) -> Rows:
    """The Python call for 100 documents, and for one."""
    hundred, one = X[:100].copy(), X[:1].copy()
    best = interleaved({"100": lambda: model.scores(hundred), "1": lambda: model.scores(one)}, 500)
    return [
        row("100 documents (ratio: µs)", seconds(best["100"]), "", best["100"] * 1e6, 150, at_least=False),
        row("one document (ratio: µs)", seconds(best["1"]), "", best["1"] * 1e6, 15, at_least=False),
    ]


def threads(model: ForestModel, X: Any) -> Rows:
    """Two threads beside one."""
    plan, sums = model.plan, np.zeros(len(X))
    span = (0, len(model.trees))
    works = {str(n): (lambda n=n: kernels.add_trees(sums, X, plan, span, False, 512, n)) for n in (1, 2)}
    best = interleaved(works, 9)
    ratio = best["1"] / best["2"]
    return [row(f"{len(X):,} documents, 2 threads beside 1", seconds(best["2"]), seconds(best["1"]), ratio, 1.8)]


def at_the_top(model: ForestModel, X: Any) -> Rows:
    """The ten best of 1,000 documents a query: all scored, and with an early exit."""
    return [
        with_exit(model, X, "the 10 best of each 1,000, with early exit beside without"),
        with_exit(
            model.replace(weights=0.97 ** np.arange(len(model.trees))), X, "the same, every tree weighing 3 % less"
        ),
    ]


def with_exit(model: ForestModel, X: Any, what: str) -> dict[str, Any]:
    qptr = np.arange(0, len(X) + 1, 1000)
    works = {"all": lambda: model.rank(X, qptr, 10), "exit": lambda: model.rank(X, qptr, 10, early_exit=True)}
    first, again = works["all"](), works["exit"]()
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    best = interleaved(works, 9)
    return row(what, seconds(best["exit"]), seconds(best["all"]), best["all"] / best["exit"], None)


def flat_models(X: Any) -> Rows:
    """Linear models and stumps, which cost no more than reading the features."""
    rng = np.random.default_rng(0)
    weights = rng.normal(size=X.shape[1])
    linear, single = LinearModel(weights), weights.astype(np.float32)
    picked = rng.integers(0, X.shape[1], 50).tolist()
    stumps = StumpModel(tuple((0.5, Stump(k, 0.5)) for k in picked), X.shape[1])
    works = {
        "blas": lambda: X @ single,
        "linear": lambda: linear.scores(X),
        "stumps": lambda: stumps.scores(X),
    }
    best = interleaved(works, 9)
    gigabytes = X.nbytes / 1e9
    rows = []
    for name, what in (("linear", "linear model, 136 weights"), ("stumps", "50 stumps on up to 50 features")):
        own, blas = (f"{gigabytes / best[work]:.3g} GB/s" for work in (name, "blas"))
        said = f"{what}, {len(X):,} documents ({own}), beside BLAS ({blas})"
        rows.append(row(said, seconds(best[name]), seconds(best["blas"]), best["blas"] / best[name], 0.9))
    return rows


def main() -> None:
    asked = arguments(__doc__, prepare=(int, 0, "1 to train and compile only"))
    text, large = lightgbm_model(500, 31), lightgbm_model(1000, 64)
    X, _ = web_like(BATCH, seed=2)
    model, larger = rw.read_model(text), rw.read_model(large)
    others, truth = web_like(5000, seed=1)
    error = float(((model.scores(others) - truth) ** 2).mean())
    peers = engines(text, error)
    if asked.prepare:
        return
    print(f"{len(np.unique(np.concatenate([t.feature for t in model.trees])))} features used, error {error:.4f}")
    for name, score in peers.items():
        if name.startswith(("LightGBM", "lleaves", "tl2cgen", "ONNX")):
            assert np.allclose(np.ravel(score(X[:50])), model.scores(X[:50]), atol=1e-3), name
    rows = beside_engines(model, peers, X)
    rows += their_own_model(X, error)
    rows += by_width(model, X, "500 × 31", {512: 1.0, 256: 2.0, 128: None})
    rows += by_width(model, X[:1000].copy(), "500 × 31", {512: 1.0, 256: 2.0, 128: None})
    rows += by_width(larger, X, "1,000 × 64", {512: None, 256: None, 128: None})
    rows += few(model, X)
    big = np.tile(X, (5, 1))
    rows += threads(model, big) + at_the_top(model, big) + flat_models(np.tile(big, (4, 1)))
    report(rows, asked.json)


if __name__ == "__main__":
    main()
