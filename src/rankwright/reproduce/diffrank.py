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
from rankwright.rankers import AdaRank, DiffRank, RankBoost, Ranker, SingleFeature
from rankwright.reproduce import Tell
from rankwright.reproduce.letor import mq2008_folds
from rankwright.reproduce.section import Curves, Section, some_rounds

JUDGED_BY = ["KendallTau", "Overlap@10"]
NOTE = "On the paper's own data, which is not this, DiffRank has Kendall's τ distance .134 and top-10 rate .336."


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
    note = "The mean over test queries; Kendall's distance: lower is better. " + NOTE
    yield Section(
        "MQ2008: error of the whole order and of the top (Table 1)", table_1(folds[: 1 if quick else 5]), note
    )
    yield Section("Artificial full orders: the same (Table 1)", table_1([full_orders]), note)


def orders(n_queries: int) -> Fold:
    """Queries of 50 documents of 20 features, in a full order."""
    parts = (artificial(n_queries, n_features=20, labels="order", sample=s) for s in range(3))
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


def table_1(folds: list[Fold]) -> Table:
    """The mean over folds of both measures on test data, the round chosen on validation data."""
    rankers: dict[str, Ranker] = {
        "DiffRank": DiffRank(),
        "DiffRank, first 50 of the truth": DiffRank(top=50),
        "DiffRank, each feature once": DiffRank(order="features"),
        "RankBoost": RankBoost(measure="KendallTau"),
        "AdaRank on Kendall's τ": AdaRank(measure="KendallTau", n_rounds=100),
        "best single feature": SingleFeature(measure="KendallTau"),
    }
    columns: dict[str, Any] = {"ranker": [], **{name: [] for name in JUDGED_BY}}
    for name, ranker in rankers.items():
        per_fold = [evaluate(ranker.fit(f.train, valid=f.valid), f.test, JUDGED_BY).means for f in folds]
        columns["ranker"].append(name)
        for measure in JUDGED_BY:
            columns[measure].append(float(np.mean([means[measure] for means in per_fold])))
    return Table(columns)
