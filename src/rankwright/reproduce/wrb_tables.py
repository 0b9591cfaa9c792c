"""What the WRB paper's experiment prints: table 1, on how many pairs each ranker gains and loses, and by rounds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rankwright.evaluation.compare import compare
from rankwright.evaluation.comparison import Comparison
from rankwright.evaluation.table import Table
from rankwright.rankers import Ranker
from rankwright.reproduce.wrb_domains import Pair

BASELINE, PRINTED, FULL, SHARE = "baseline", "addWRB, λ as printed", "addWRB, full weights", "addWRB"
SHORT = {"expWRB": "exp", "linWRB": "lin", PRINTED: "printed", FULL: "full", SHARE: "add"}
OWN = "target's own"
Floats = npt.NDArray[np.float64]
LEVEL = 0.05
ROUNDS = (25, 50, 100, 200, 300)


class Run(NamedTuple):
    """What came of a pair of domains.

    Parameters
    ----------
    pair : the domains.
    auc, effective : of the separator and of the weights.
    rankers : by name, trained.
    comparison : on the target.
    own : AP of each target query by RankBoost on the target's own labels, out of fold.
    """

    pair: Pair
    auc: float
    effective: float
    rankers: dict[str, Ranker]
    comparison: Comparison
    own: Floats


def table_1(found: list[Run]) -> Table:
    """MAP of every ranker; where domains differ; a mark for each ranker in the order of its columns."""
    columns: dict[str, list[Any]] = {name: [] for name in ("source → target", "AUC", "effective", BASELINE, OWN)}
    columns |= {name: [] for name in SHORT.values()}
    columns |= {"domains differ": [], "marks": []}
    for run in found:
        of = means(run.comparison)
        cells: list[Any] = [run.pair.name, run.auc, run.effective, of[BASELINE], float(np.mean(run.own))]
        cells += [of[name] for name in SHORT]
        cells.append("yes" if differs(run) else "no")
        beaten = "".join(mark for name, mark in BEATEN.items() if sign(run.comparison, SHARE, name) > 0)
        cells.append("".join(MARK[sign(run.comparison, name, BASELINE)] for name in SHORT) + beaten)
        for column, cell in zip(columns.values(), cells, strict=True):
            column.append(cell)
    return Table(columns)


def differs(run: Run) -> bool:
    """Whether the target's own labels make a significantly better ranker than the source's: there is something to
    gain."""
    from scipy.stats import ttest_rel

    difference = run.own - run.comparison.evaluations[BASELINE].values[0]
    if not difference.any():
        return False
    return bool(difference.mean() > 0 and ttest_rel(difference, np.zeros(len(difference))).pvalue <= LEVEL)


BEATEN = {"expWRB": "‡", "linWRB": "♯"}
MARK = {1: "▲", -1: "▼", 0: "·"}


def means(comparison: Comparison) -> dict[str, float]:
    return {name: e.means["AP"] for name, e in comparison.evaluations.items()}


def sign(comparison: Comparison, a: str, b: str) -> int:
    """1 or −1 where a is significantly better or worse than b, by the paired t-test; else 0."""
    for row in comparison.pairs().rows():
        if {row["a"], row["b"]} == {a, b} and row["p_t"] <= LEVEL:
            return int(np.sign(row["difference"])) * (1 if row["a"] == a else -1)
    return 0


def verdict(found: dict[str, list[Run]]) -> Table:
    """On how many pairs each variant is significantly above the baseline, where domains differ, and below it."""
    columns: dict[str, list[Any]] = {
        name: [] for name in ("domains", "ranker", "is", "pairs", "above", "below", "differ", "above there")
    }
    for kind, of_kind in found.items():
        differ = [differs(run) for run in of_kind]
        for name, meaning in MEANING.items():
            signs = [sign(run.comparison, name, BASELINE) for run in of_kind]
            there = sum(s > 0 for s, different in zip(signs, differ, strict=True) if different)
            cells = (kind, SHORT[name], meaning, len(signs), signs.count(1), signs.count(-1), sum(differ), there)
            for column, cell in zip(columns.values(), cells, strict=True):
                column.append(cell)
    return Table(columns)


MEANING = {
    "expWRB": "weights in the exponent",
    "linWRB": "weights multiplied in every round",
    PRINTED: "addWRB, λ as the paper prints it",
    FULL: "addWRB, λ of the round",
    SHARE: "the same, weights drawn to their mean",
}
LEGEND = (
    "exp, lin: expWRB and linWRB; printed, full, add: addWRB with λ as the paper prints it, with λ of the round, and "
    "as it is by default: weights drawn to their mean by 2 − 2 AUC. effective: how many equal documents the weighted "
    "ones are worth, as a share. target's own: RankBoost on the target's own labels, out of fold; domains differ where "
    "it is significantly above the baseline. marks: of exp, lin, printed, full, add; ▲, ▼: significantly above, below "
    "the baseline (paired t-test, 95%), · neither; then ‡, ♯ where add is above exp, lin. The paper's data, LETOR "
    "3.0's .Gov tasks, are not here; its numbers are the last table."
)
VERDICT = (
    "Only where the target's own labels make a better ranker than the source's is there anything to gain. Weights move "
    "a ranker to where the target's documents lie (tilted, texts); where the target has another idea of relevance "
    "(turned) they know nothing of it, and what they do is luck, which is why they are not trusted further than their "
    "separator."
)


def by_rounds(found: list[Run], n_rounds: int) -> Table:
    """In how many pairs addWRB is significantly above and below the baseline when both stop after so many rounds."""
    table: dict[str, list[Any]] = {"rounds": [], "above": [], "neither": [], "below": [], "mean gain": []}
    for t in (t for t in ROUNDS if t <= n_rounds):
        signs, gains = [], []
        for run in found:
            target = run.pair.target
            both = {
                name: target.to_caller(run.rankers[name].model_.truncated(t).scores(target.X))
                for name in (BASELINE, SHARE)
            }
            stopped = compare(both, target, "AP", n_resamples=100)
            signs.append(sign(stopped, SHARE, BASELINE))
            gains.append(means(stopped)[SHARE] - means(stopped)[BASELINE])
        for column, cell in zip(table.values(), (t, *map(signs.count, (1, 0, -1)), float(np.mean(gains))), strict=True):
            column.append(cell)
    return Table(table)
