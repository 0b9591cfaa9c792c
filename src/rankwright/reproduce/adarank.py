"""The AdaRank paper's experiment (Xu & Li, SIGIR 2007, section 4) on OHSUMED, and RankBoost beside it.

The paper's own split of OHSUMED into four was not published. LETOR 2.0 took the same collection in five folds and
published AdaRank.MAP, AdaRank.NDCG, RankBoost and RankSVM on them, so those are the numbers beside ours: features
scaled per query, the round (or C) chosen on validation data, the rules of LETOR 3.0's evaluation script. The paper's
BM25 was Lemur's, tuned; ours is the feature of that name. ListNet, which is no baseline of the paper's, is here because
LETOR published it: a linear net, a query a step as its authors have it, the size of the steps chosen with the round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from sklearn.base import clone

from rankwright.data.splits import Fold
from rankwright.evaluation.compare import compare
from rankwright.evaluation.evaluate import evaluate
from rankwright.evaluation.table import Table
from rankwright.measures import Measure, preset
from rankwright.rankers import AdaRank, ListNet, RankBoost, Ranker, RankingSVM, SingleFeature
from rankwright.reproduce import Tell
from rankwright.reproduce.adarank_figures import by_number_of_pairs, curve, errors, on_training, own_measure
from rankwright.reproduce.letor import PRESET, ohsumed_folds, published
from rankwright.reproduce.section import Curves, Section, some_rounds, without_left_out

Reweight = Literal["paper", "cumulative"]

PAPER_AP = "AP(rel=2)"
BM25 = 20  # the column of BM25 over title and abstract; the next one is its logarithm
RULES: dict[Reweight, str] = {
    "paper": "P ∝ exp(−E(f)), as printed",
    "cumulative": "P ∝ P exp(−α E(f)), as RankLib has it",
}
REPEATS = (1, 2, 5, None)  # times in a row that one feature may be chosen
LISTNET_RATES = (0.003, 0.01, 0.03)
JUDGED_BY = ["AP", *(f"nDCG@{k}" for k in range(1, 11))]
LETOR_NAMES = ["MAP", *(f"NDCG@{k}" for k in range(1, 11))]


def adaranks(ap: str, n_rounds: int, **settings: Any) -> dict[str, Ranker]:
    """AdaRank trained on AP and on nDCG@5."""
    measures = {"AdaRank.MAP": ap, "AdaRank.NDCG": "nDCG@5"}
    return {name: AdaRank(measure=trained_on(m), n_rounds=n_rounds, **settings) for name, m in measures.items()}


def rankers(ap: str, n_rounds: int, quick: bool) -> dict[str, list[Ranker]]:
    """The rankers of the experiment, each with the settings to choose from; named like the published files."""
    by_name: dict[str, list[Ranker]] = {name: [ranker] for name, ranker in adaranks(ap, n_rounds).items()}
    by_name["RankBoost"] = [
        RankBoost(measure=trained_on(ap), n_rounds=n_rounds, pair_weight="uniform"),
        RankBoost(measure=trained_on(ap), n_rounds=n_rounds, pair_weight="query"),
    ]
    C: Any = 1.0 if quick else "path"
    by_name["RankSVM"] = [RankingSVM(measure=trained_on(ap), C=C, pair_weight="uniform", scale="none")]
    rates = LISTNET_RATES[1:2] if quick else LISTNET_RATES
    by_name["ListNet"] = [
        ListNet(hidden=(), batch=1, learning_rate=rate, n_rounds=50 if quick else 200, measure=trained_on(ap))
        for rate in rates
    ]
    by_name["BM25"] = [SingleFeature(feature=BM25, measure=trained_on(ap))]
    return by_name


def chosen_on_validation(settings: list[Ranker], fold: Fold) -> Ranker:
    """The setting and the round with the best validation measure."""
    with without_left_out():
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
    folds = ohsumed_folds(data)
    yield Section("Test results, fold by fold (Figure 2)", accuracy(fitted("AP", folds, quick, tell), folds, data))
    tell("The same with the paper's own notion of relevance …")
    own = fitted(PAPER_AP, folds, quick, tell)
    yield Section("AdaRank against the baselines, paired t-tests (section 4.2)", against_baselines(own, folds))
    yield Section("Error rates by pair of labels, test data (Figure 6)", errors(own, folds))
    pairs = by_number_of_pairs(own, folds, PAPER_AP)
    yield Section(f"{PAPER_AP} by document pairs per query, test data (Figures 7 and 8)", pairs)
    tell("AdaRank judged on what it was trained on …")
    printed = {name: [ranker] for name, ranker in adaranks(PAPER_AP, n_rounds(quick)).items()}
    for which, named in (("as printed", printed), ("settings chosen on training data", settings(n_rounds(quick)))):
        trained = on_training(named, folds, (PAPER_AP, "nDCG@5"))
        title = f"Measures on training data by what was trained on, {which} (Figures 9 and 10)"
        yield Section(title, trained, own_measure(trained))
    for reweight, rule in RULES.items():
        ranker = adaranks(PAPER_AP, n_rounds(quick), reweight=reweight)["AdaRank.MAP"]
        learning = curve(ranker.fit(folds[0].train, valid=folds[0].valid))
        yield Section(
            f"Learning curve of AdaRank.MAP, fold 1, {rule} (Figure 11)",
            learning,
            curves=(Curves("round", ("train",)), Curves("round", ("valid",))),
            shown=some_rounds(learning.n_rows),
        )


def n_rounds(quick: bool) -> int:
    return 50 if quick else 500


def settings(n_rounds: int) -> dict[str, list[Ranker]]:
    """Both rules for P, and features that may be chosen more or less often in a row."""
    all_of_them = [
        adaranks(PAPER_AP, n_rounds, reweight=rule, max_consecutive=times) for rule in RULES for times in REPEATS
    ]
    return {name: [made[name] for made in all_of_them] for name in all_of_them[0]}


def fitted(ap: str, folds: list[Fold], quick: bool, tell: Tell) -> dict[str, list[Ranker]]:
    """Every ranker on every fold, its setting and its round chosen on validation data."""
    out: dict[str, list[Ranker]] = {}
    for name, settings in rankers(ap, n_rounds(quick), quick).items():
        tell(f"{name} on {len(folds)} folds …")
        out[name] = [chosen_on_validation(settings, fold) for fold in folds]
    return out


def accuracy(by_name: dict[str, list[Ranker]], folds: list[Fold], data: Path) -> Table:
    """MAP and NDCG@10 per fold and their averages, ours beside the published."""
    columns: dict[str, Any] = {"ranker": [], "fold": [], "MAP": [], "published MAP": [], "NDCG@10": [], "published": []}
    for name, per_fold in by_name.items():
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


def against_baselines(by_name: dict[str, list[Ranker]], folds: list[Fold]) -> Table:
    """Each AdaRank and each baseline on all test queries, by the measure that AdaRank was trained on."""
    columns: dict[str, Any] = {"ranker": [], "measure": [], "against": [], "difference": [], "p": []}
    for name, measure in (("AdaRank.MAP", PAPER_AP), ("AdaRank.NDCG", "nDCG@5")):
        for other in ("BM25", "RankSVM", "RankBoost"):
            both = {which: list(by_name[which]) for which in (name, other)}
            found = compare(both, [fold.test for fold in folds], measure, preset=PRESET)
            row = found.pairs().rows()[0]
            sign = 1.0 if row["a"] == name else -1.0
            cells = (name, measure, other, sign * row["difference"], row["p_t"])
            for column, cell in zip(columns, cells, strict=True):
                columns[column].append(cell)
    return Table(columns)


def test_values(ranker: Ranker, fold: Fold) -> list[float]:
    return list(evaluate(ranker, fold.test, JUDGED_BY, preset=PRESET).means.values())
