"""Figures 6 to 11 of the AdaRank paper: where the rankers err, what was trained on, and how training went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from rankwright.data.splits import Fold
from rankwright.evaluation.diagnose import by_pairs, learning_curves, pair_errors
from rankwright.evaluation.evaluate import evaluate
from rankwright.evaluation.pairs import pairs_per_query
from rankwright.evaluation.table import Table
from rankwright.rankers import Ranker
from rankwright.reproduce.letor import LABELS, PRESET

EDGES = [0, 1000, 2000, 3000, 4000, 6000, 8000]
Fitted = dict[str, list[Ranker]]  # by name, one for each fold


def errors(fitted: Fitted, folds: list[Fold]) -> Table:
    """Error rates averaged over folds: AdaRank errs less than RankBoost where a document is definitely relevant."""
    tables = [
        pair_errors({name: per_fold[k] for name, per_fold in fitted.items()}, fold.test, names=LABELS)
        for k, fold in enumerate(folds)
    ]
    means = {name: np.mean([t[name] for t in tables], axis=0) for name in fitted}
    return Table({"pair": tables[0]["pair"], "pairs": np.sum([t["pairs"] for t in tables], axis=0), **means})


def by_number_of_pairs(fitted: Fitted, folds: list[Fold]) -> Table:
    """MAP of test queries with few and with many document pairs, over all folds; and how many queries of fold 1's
    training data have so many."""
    tables = [
        by_pairs({n: per_fold[k] for n, per_fold in fitted.items()}, fold.test, "AP", edges=EDGES, preset=PRESET)
        for k, fold in enumerate(folds)
    ]
    counts = np.array([t["queries"] for t in tables])
    means = {
        n: np.nansum([t[n] * t["queries"] for t in tables], axis=0) / np.maximum(counts.sum(axis=0), 1) for n in fitted
    }
    pairs = pairs_per_query(folds[0].train.y, folds[0].train.qptr)
    trained = np.histogram(pairs, bins=[*EDGES, np.inf])[0]
    queries = {"queries, training fold 1": trained, "test queries": counts.sum(axis=0)}
    return Table({"document pairs": tables[0]["document pairs"], **queries, **means})


def on_training(named: dict[str, Ranker], folds: list[Fold], judged: Sequence[str] = ("AP", "nDCG@5")) -> Table:
    """Rankers trained on a measure, judged by every measure on their training data; the best training round is kept."""
    values = {
        name: [list(evaluate(clone(ranker).fit(f.train), f.train, judged, preset=PRESET).means.values()) for f in folds]
        for name, ranker in named.items()
    }
    columns: dict[str, Any] = {"fold": [*map(str, range(1, len(folds) + 1)), "mean"]}
    for j, measure in enumerate(judged):
        for name, per_fold in values.items():
            of_fold = [v[j] for v in per_fold]
            columns[f"{name} by {measure}"] = [*of_fold, float(np.mean(of_fold))]
    return Table(columns)


def curve(ranker: Ranker) -> Table:
    """The measure on training and validation data, the step and the bound, round by round."""
    whole = learning_curves(ranker)
    return Table({name: whole[name] for name in ("round", "train", "valid", "step", "bound")})
