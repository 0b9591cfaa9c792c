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


def by_number_of_pairs(fitted: Fitted, folds: list[Fold], judged: str) -> Table:
    """A measure of test queries with few and with many document pairs, over all folds; and how many queries of fold
    1's training data have so many."""
    tables = [
        by_pairs({n: per_fold[k] for n, per_fold in fitted.items()}, fold.test, judged, edges=EDGES, preset=PRESET)
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


def on_training(named: dict[str, list[Ranker]], folds: list[Fold], judged: Sequence[str]) -> Table:
    """Rankers trained on a measure, judged by every measure on their training data; of several settings and of all
    rounds, what is best there by the measure of training."""
    values = {
        name: [
            list(evaluate(best_on_training(settings, f), f.train, judged, preset=PRESET).means.values()) for f in folds
        ]
        for name, settings in named.items()
    }
    columns: dict[str, Any] = {"fold": [*map(str, range(1, len(folds) + 1)), "mean"]}
    for j, measure in enumerate(judged):
        for name, per_fold in values.items():
            of_fold = [v[j] for v in per_fold]
            columns[f"{name} by {measure}"] = [*of_fold, float(np.mean(of_fold))]
    return Table(columns)


def best_on_training(settings: list[Ranker], fold: Fold) -> Ranker:
    """The setting with the best training measure."""
    fitted = [clone(ranker).fit(fold.train) for ranker in settings]
    best: Ranker = max(fitted, key=lambda ranker: ranker.history_[ranker.best_round_ - 1]["train"])
    return best


def own_measure(trained: Table) -> str:
    """Whether what was trained on a measure is better by it, as figures 9 and 10 of the paper have it."""
    columns = [name for name in trained if name != "fold"]
    by_map, by_ndcg = columns[:2], columns[2:]
    words = []
    for own, other in (by_map, by_ndcg[::-1]):
        apart = trained[own] - trained[other]
        name, measure = own.split(" by ")
        words.append(
            f"by {measure}, {name} is better in {(apart[:-1] > 0).sum()} of {len(apart) - 1} folds, "
            f"by {apart[-1]:+.4f} in the mean"
        )
    return f"Trained on a measure and judged by it: {'; '.join(words)}."


def curve(ranker: Ranker) -> Table:
    """The measure on training and validation data, the step and the bound, round by round."""
    whole = learning_curves(ranker)
    return Table({name: whole[name] for name in ("round", "train", "valid", "step", "bound")})
