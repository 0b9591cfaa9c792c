"""The AdaRank paper's experiment (Xu & Li, SIGIR 2007, section 4) on OHSUMED, and RankBoost beside it.

The paper's own split of OHSUMED into four was not published. LETOR 2.0 took the same collection in five folds and
published AdaRank.MAP, AdaRank.NDCG and RankBoost on them, so those are the numbers beside ours: features scaled per
query, the round chosen on validation data, the rules of LETOR 3.0's evaluation script.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from rankwright.data.splits import Fold
from rankwright.evaluation.evaluate import evaluate
from rankwright.evaluation.table import Table
from rankwright.measures import Measure, preset
from rankwright.rankers import AdaRank, RankBoost, Ranker
from rankwright.reproduce import Tell
from rankwright.reproduce.adarank_figures import by_number_of_pairs, curve, errors, on_training
from rankwright.reproduce.letor import PRESET, ohsumed_folds, published
from rankwright.reproduce.section import Curves, Section, some_rounds

NOTE = (
    "In the paper each measure is best when trained on. Here that holds for nDCG@5; nDCG@5's graded labels serve AP on "
    "training data, too, at least as well as AP itself. The official LETOR models show the same: training MAP .4473 "
    "for AdaRank.NDCG and .4469 for AdaRank.MAP."
)
MEASURES = {"AdaRank.MAP": "AP", "AdaRank.NDCG": "nDCG@5"}
JUDGED_BY = ["AP", *(f"nDCG@{k}" for k in range(1, 11))]
LETOR_NAMES = ["MAP", *(f"NDCG@{k}" for k in range(1, 11))]


def rankers(n_rounds: int = 500) -> dict[str, list[Ranker]]:
    """The rankers of the experiment, each with the settings to choose from; named like the published files."""
    by_name: dict[str, list[Ranker]] = {
        name: [AdaRank(measure=trained_on(measure), n_rounds=n_rounds)] for name, measure in MEASURES.items()
    }
    by_name["RankBoost"] = [
        RankBoost(measure=trained_on("AP"), n_rounds=n_rounds, pair_weight="uniform"),
        RankBoost(measure=trained_on("AP"), n_rounds=n_rounds, pair_weight="query"),
    ]
    return by_name


def chosen_on_validation(settings: list[Ranker], fold: Fold) -> Ranker:
    """The setting and the round with the best validation measure."""
    fitted = [clone(ranker).fit(fold.train, valid=fold.valid) for ranker in settings]
    best: Ranker = max(fitted, key=lambda ranker: ranker.history_[ranker.best_round_ - 1]["valid"])
    return best


def trained_on(measure: str) -> Measure:
    """LETOR's measure, but a single feature's many ties worth their mean and not the luck of the file's order."""
    return replace(preset(PRESET, measure), ties="expected")


def run(data: Path, *, quick: bool, tell: Tell) -> Iterator[Section]:
    """Every table of the experiment.

    Parameters
    ----------
    data : the folder that holds ``ohsumed-letor2`` and, if there, ``published``.
    quick : fewer rounds, for a look.
    tell : is told what is being done.
    """
    folds, n_rounds = ohsumed_folds(data), 50 if quick else 500
    fitted: dict[str, list[Ranker]] = {}
    for name, settings in rankers(n_rounds).items():
        tell(f"{name} on {len(folds)} folds …")
        fitted[name] = [chosen_on_validation(settings, fold) for fold in folds]
    yield Section("Test results, fold by fold (Figure 2)", accuracy(fitted, folds, data))
    yield Section("Error rates by pair of labels, test data (Figure 6)", errors(fitted, folds))
    yield Section("MAP by document pairs per query, test data (Figures 7 and 8)", by_number_of_pairs(fitted, folds))
    tell("AdaRank judged on what it was trained on …")
    by_measure = on_training({name: rankers(n_rounds)[name][0] for name in MEASURES}, folds)
    yield Section("Measures on training data by what was trained on (Figures 9 and 10)", by_measure, NOTE)
    learning = curve(fitted["AdaRank.MAP"][0])
    yield Section(
        "Learning curve of AdaRank.MAP, fold 1 (Figure 11)",
        learning,
        curves=(Curves("round", ("train",)), Curves("round", ("valid",))),
        shown=some_rounds(learning.n_rows),
    )


def accuracy(fitted: dict[str, list[Ranker]], folds: list[Fold], data: Path) -> Table:
    """MAP and NDCG@10 per fold and their averages, ours beside the published."""
    columns: dict[str, Any] = {"ranker": [], "fold": [], "MAP": [], "published MAP": [], "NDCG@10": [], "published": []}
    for name, per_fold in fitted.items():
        official = published(data, name)
        values = np.array([test_values(r, f) for r, f in zip(per_fold, folds, strict=True)])
        theirs = np.full(values.shape, np.nan)
        if official is not None:
            theirs = np.array([official[column] for column in LETOR_NAMES]).T
        for label, ours, other in (
            *((str(k + 1), values[k], theirs[k]) for k in range(len(folds))),
            ("mean", values.mean(axis=0), theirs.mean(axis=0)),
        ):
            for column, cell in zip(columns, (name, label, ours[0], other[0], ours[10], other[10]), strict=True):
                columns[column].append(cell)
    return Table(columns)


def test_values(ranker: Ranker, fold: Fold) -> list[float]:
    return list(evaluate(ranker, fold.test, JUDGED_BY, preset=PRESET).means.values())
