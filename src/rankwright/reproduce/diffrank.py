"""The DiffRank paper's experiment (Wang et al. 2011, section 4): the bound of Theorem 1 and the error fall together.

Its data, MQ2008-list, has a full order for every query. Here are MQ2008's graded labels, on fold 1, and artificial full
orders: the documents of a query sorted by a random cubic polynomial of their features.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rankwright.data.artificial import artificial
from rankwright.data.splits import Fold
from rankwright.evaluation.diagnose import learning_curves
from rankwright.evaluation.evaluate import evaluate
from rankwright.evaluation.table import Table
from rankwright.rankers import AdaRank, DiffRank, ListMLE, RankBoost, Ranker, SingleFeature, SVMMap
from rankwright.reproduce import Tell
from rankwright.reproduce.letor import mq2008_folds
from rankwright.reproduce.section import Curves, Section, some_rounds, without_left_out

DOCS = 50  # of an artificial query
JUDGED_BY = ["KendallTau", "Overlap@10"]
NOTE = (
    "Means over test queries; Kendall's τ is a distance: lower is better. The paper's numbers are of MQ2008-list, "
    "which is other data than ours: it has a full order of all documents of a query."
)
PUBLISHED = {"SVM-map": (0.204, 0.207), "ListMLE": (0.294, 0.099), "DiffRank": (0.134, 0.336)}
RELEVANT = 0.05  # of a full order, the share of the best documents that SVM-map takes as relevant, as in the paper


def run(data: Path, *, quick: bool, tell: Tell) -> Iterator[Section]:
    """Figure 2 and table 1 on both data sets.

    Parameters
    ----------
    data : the folder that holds ``mq2008``.
    quick : one fold of MQ2008, few artificial queries.
    tell : is told what is being done.
    """
    folds = mq2008_folds(data)
    yield from figure_2("MQ2008, fold 1", folds[0], tell)
    full_orders = orders(40 if quick else 400)
    yield from figure_2("artificial full orders", full_orders, tell)
    tell("DiffRank beside others …")
    graded, title = table_1(folds[: 1 if quick else 5], 1.0, quick), "error of the whole order and of the top (Table 1)"
    yield Section(f"MQ2008: {title}", graded, NOTE)
    best = float(np.ceil(DOCS * (1 - RELEVANT)))
    yield Section(f"Artificial full orders: {title}", table_1([full_orders], best, quick), NOTE)


def orders(n_queries: int) -> Fold:
    """Queries of 50 documents of 20 features, in a full order."""
    parts = (artificial(n_queries, docs_per_query=DOCS, n_features=20, labels="order", sample=s) for s in range(3))
    return Fold(*parts)


def figure_2(title: str, fold: Fold, tell: Tell) -> Iterator[Section]:
    """Each feature once, as the paper has it; then the feature with the largest edge in each round."""
    for order, how in (("features", "each feature once, as printed"), ("greedy", "largest edge first")):
        tell(f"DiffRank, {how}, on {title} …")
        ranker = DiffRank(order=order, n_rounds=100).fit(fold.train, valid=fold.valid)  # type: ignore[arg-type]
        whole = learning_curves(ranker)
        table = Table({name: whole[name] for name in ("round", "feature", "step", "bound", "train", "valid")})
        table["feature"] = table["feature"].astype(int) + 1
        yield Section(
            f"The bound ΠZ and Kendall's distance, {title}, {how} (Figure 2)",
            table,
            fall_together(table),
            curves=(Curves("round", ("bound",)), Curves("round", ("train", "valid"))),
            shown=some_rounds(table.n_rows),
        )


def fall_together(table: Table) -> str:
    """In how many rounds the bound and the training error fell, and how alike their curves are."""
    bound, error = np.diff(table["bound"]), np.diff(table["train"])
    alike = float(np.corrcoef(table["bound"], table["train"])[0, 1]) if table.n_rows > 1 else float("nan")
    return (
        f"The bound fell in {(bound < 0).sum()} of {len(bound)} rounds, the training error in {(error < 0).sum()}; "
        f"their correlation is {alike:.3f}. The error fell from {table['train'][0]:.4f} to {table['train'][-1]:.4f}."
    )


def table_1(folds: list[Fold], rel: float, quick: bool) -> Table:
    """The mean over folds of both measures on test data, the round (or C) chosen on validation data.

    Parameters
    ----------
    folds : the data.
    rel : the smallest label that is relevant to SVM-map.
    quick : one C alone, fewer rounds.
    """
    by_tau: dict[str, Any] = {"measure": "KendallTau"}
    n_rounds = 30 if quick else 100
    rankers: dict[str, Ranker] = {
        "SVM-map": SVMMap(C=1.0 if quick else "path", Cs=(0.1, 1.0, 10.0, 100.0), rel=rel, **by_tau),
        "ListMLE": ListMLE(hidden=(), n_rounds=n_rounds, learning_rate=0.02, **by_tau),
        "ListMLE, 10 hidden units": ListMLE(n_rounds=n_rounds, learning_rate=0.02, **by_tau),
        "DiffRank": DiffRank(n_rounds=n_rounds),
        "DiffRank, first 50 of the truth": DiffRank(top=50, n_rounds=n_rounds),
        "DiffRank, each feature once": DiffRank(order="features"),
        "RankBoost": RankBoost(**by_tau),
        "AdaRank on Kendall's τ": AdaRank(n_rounds=n_rounds, **by_tau),
        "best single feature": SingleFeature(**by_tau),
    }
    published = [f"{name}, paper" for name in JUDGED_BY]
    columns: dict[str, Any] = {"ranker": [], **{name: [] for name in (*JUDGED_BY, *published)}}
    for name, ranker in rankers.items():
        with without_left_out():
            per_fold = [evaluate(ranker.fit(f.train, valid=f.valid), f.test, JUDGED_BY).means for f in folds]
        means = [float(np.mean([values[measure] for values in per_fold])) for measure in JUDGED_BY]
        for column, cell in zip(columns, (name, *means, *PUBLISHED.get(name, (np.nan, np.nan))), strict=True):
            columns[column].append(cell)
    return Table(columns)
