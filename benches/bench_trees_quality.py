"""LambdaMART's nDCG@10 on test queries beside LightGBM's, XGBoost's and CatBoost's; the ratio: ours less theirs.

Equal settings: 15 leaves, learning rate 0.1, 255 bins, 20 documents in a leaf, the same number of trees, λ-gradients of
nDCG@30 (LightGBM's truncation level). Tuned: the same random trials for each, trees by early stopping on validation
queries, the trial best there; each engine also draws how deep its pairs go, and the share of the queries (XGBoost: of
the documents) that a tree learns from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import catboost
import lightgbm
import numpy as np
import xgboost

import rankwright as rw
from measuring import arguments, report, row
from rankwright.data.splits import Fold

DATA = Path(__file__).parents[2] / "shared" / "data"
JUDGED_BY = rw.measure("nDCG@10")
MOST_TREES, PATIENCE = 300, 30
GAINS = [2**y - 1 for y in range(8)]
Options = dict[str, Any]
Scores = Callable[[rw.Dataset], Any]


def value(scores: Scores, data: rw.Dataset) -> float:
    return JUDGED_BY.mean(data.y, scores(data), data.qptr)


# -- the engines: options in, what scores a data set out ------------------------------------------------------------


def ours(fold: Fold, n_trees: int, o: Options, tune: bool) -> Scores:
    names = ("n_leaves", "learning_rate", "min_docs", "l2", "feature_fraction", "query_fraction")
    ranker = rw.LambdaMART(
        gradients=f"nDCG@{o['depth']}", n_trees=n_trees, patience=PATIENCE if tune else None, **{k: o[k] for k in names}
    )
    return ranker.fit(fold.train, valid=fold.valid if tune else None).predict


def of_lightgbm(fold: Fold, n_trees: int, o: Options, tune: bool) -> Scores:
    options = {
        "objective": "lambdarank", "num_leaves": o["n_leaves"], "learning_rate": o["learning_rate"],
        "min_data_in_leaf": o["min_docs"], "lambda_l2": o["l2"], "feature_fraction": o["feature_fraction"],
        "bagging_fraction": o["query_fraction"], "bagging_freq": 1, "bagging_by_query": True,
        "lambdarank_truncation_level": o["depth"], "label_gain": GAINS, "max_bin": 255, "eval_at": [10],
        "feature_pre_filter": False, "deterministic": True, "num_threads": 2, "verbose": -1,
    }  # fmt: skip
    train = lightgbm.Dataset(fold.train.X, fold.train.y, group=fold.train.group_sizes)
    valid = lightgbm.Dataset(fold.valid.X, fold.valid.y, group=fold.valid.group_sizes, reference=train)
    more: Options = {}
    if tune:
        more = {"valid_sets": [valid], "callbacks": [lightgbm.early_stopping(PATIENCE, verbose=False)]}
    booster = lightgbm.train(options, train, n_trees, **more)
    return lambda data: booster.predict(data.X)


def of_xgboost(fold: Fold, n_trees: int, o: Options, tune: bool) -> Scores:
    options = {
        "objective": "rank:ndcg", "eval_metric": "ndcg@10", "tree_method": "hist", "grow_policy": "lossguide",
        "max_depth": 0, "max_leaves": o["n_leaves"], "eta": o["learning_rate"], "lambda": o["l2"],
        "min_child_weight": o["min_docs"] / 100, "colsample_bytree": o["feature_fraction"], "max_bin": 255,
        "subsample": o["query_fraction"],
        "lambdarank_pair_method": "topk", "lambdarank_num_pair_per_sample": o["depth"], "nthread": 2, "verbosity": 0,
    }  # fmt: skip
    train, valid = (xgboost.DMatrix(d.X, d.y, group=d.group_sizes) for d in (fold.train, fold.valid))
    more: Options = {"evals": [(valid, "valid")], "early_stopping_rounds": PATIENCE} if tune else {}
    booster = xgboost.train(options, train, n_trees, verbose_eval=False, **more)
    best = (0, booster.best_iteration + 1) if tune else (0, 0)
    return lambda data: booster.predict(xgboost.DMatrix(data.X), iteration_range=best)


def of_catboost(fold: Fold, n_trees: int, o: Options, tune: bool) -> Scores:
    """Its own loss for rankings, on its own sampling."""
    train, valid = (
        catboost.Pool(d.X, d.y, group_id=np.repeat(np.arange(d.n_queries), d.group_sizes))
        for d in (fold.train, fold.valid)
    )
    model = catboost.CatBoost({
        "loss_function": "YetiRank", "custom_metric": "NDCG:top=10;type=Exp", "eval_metric": "NDCG:top=10;type=Exp",
        "grow_policy": "Lossguide", "max_leaves": o["n_leaves"], "learning_rate": o["learning_rate"],
        "min_data_in_leaf": o["min_docs"], "l2_leaf_reg": max(o["l2"], 1.0), "rsm": o["feature_fraction"],
        "bootstrap_type": "Bernoulli", "subsample": o["query_fraction"], "sampling_unit": "Group",
        "border_count": 254, "iterations": n_trees, "thread_count": 2, "random_seed": 0, "verbose": False,
        "allow_writing_files": False,
    })  # fmt: skip
    more: Options = {"eval_set": valid, "early_stopping_rounds": PATIENCE, "use_best_model": True} if tune else {}
    model.fit(train, **more)
    return lambda data: model.predict(data.X)


ENGINES = {"LambdaMART": ours, "LightGBM": of_lightgbm, "XGBoost": of_xgboost, "CatBoost": of_catboost}


# -- the two contests -----------------------------------------------------------------------------------------------


def equal_settings(name: str, folds: list[Fold], n_trees: int) -> dict[str, Any]:
    o = {
        "n_leaves": 15, "learning_rate": 0.1, "min_docs": 20, "l2": 0.0, "feature_fraction": 1.0, "depth": 30,
        "query_fraction": 1.0,
    }  # fmt: skip
    mean = {
        engine: float(np.mean([value(fit(fold, n_trees, o, False), fold.test) for fold in folds]))
        for engine, fit in ENGINES.items()
        if fit in (ours, of_lightgbm)
    }
    return difference(f"{name}, {n_trees} trees, equal settings, beside LightGBM", mean, "LightGBM", -0.002)


def tuned(name: str, folds: list[Fold], n_trials: int) -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(0)
    space = {
        "n_leaves": (7, 15, 31, 63), "learning_rate": (0.03, 0.05, 0.1, 0.2), "min_docs": (5, 20, 50, 100),
        "l2": (0.0, 1.0, 10.0), "feature_fraction": (0.4, 0.7, 1.0), "depth": (10, 20, 30),
        "query_fraction": (0.5, 0.7, 1.0),
    }  # fmt: skip
    trials = [{k: rng.choice(values).item() for k, values in space.items()} for _ in range(n_trials)]
    mean = {}
    for engine, fit in ENGINES.items():
        of_folds = []
        for fold in folds:
            fitted = [fit(fold, MOST_TREES, o, True) for o in trials]
            best = int(np.argmax([value(scores, fold.valid) for scores in fitted]))
            of_folds.append(value(fitted[best], fold.test))
        mean[engine] = float(np.mean(of_folds))
    for peer in list(ENGINES)[1:]:
        yield difference(f"{name}, best of {n_trials} trials, beside {peer}", mean, peer, 0.0)


def difference(what: str, mean: dict[str, float], peer: str, bar: float) -> dict[str, Any]:
    return row(what, f"{mean['LambdaMART']:.4f}", f"{mean[peer]:.4f}", mean["LambdaMART"] - mean[peer], bar)


# -- the data -------------------------------------------------------------------------------------------------------


def mq2008() -> list[Fold]:
    return rw.letor_folds([rw.read(DATA / "mq2008" / f"S{k}.txt.xz") for k in range(1, 6)])


def msn_sample() -> list[Fold]:
    """Trained on one part, tested on the other, both ways; there is nothing to validate on."""
    parts = [rw.read(path) for path in sorted((DATA / "msn-sample").glob("*.xz"))]
    return [Fold(a, b, b) for a, b in (parts, parts[::-1])]


def main() -> None:
    options = arguments(__doc__, trials=(int, 8, "random trials of each engine"))
    noisy = rw.artificial_fold((600, 300, 600), noise=0.5)
    rows = [
        equal_settings("artificial, 1,000 queries", [rw.artificial_fold((1000, 10, 1000))], 200),
        equal_settings("MQ2008, five folds", mq2008(), 100),
        equal_settings("MSN sample, both ways", msn_sample(), 100),
        *tuned("artificial with noise, 600 queries", [noisy], options.trials),
        *tuned("MQ2008, five folds", mq2008(), options.trials),
    ]
    report(rows, options.json)


if __name__ == "__main__":
    main()
