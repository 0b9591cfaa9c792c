"""The LambdaSMART paper's experiments (Wu et al. 2009, section 5) on its artificial data, and on a related domain.

Queries of 50 documents of 50 features, labelled by a random cubic polynomial; the paper's own have 10,000 queries to
train on. Its web data are not public. Adaptation goes to a domain whose polynomial is turned and whose features are
shifted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rankwright.combination import optimal_combination
from rankwright.data import Dataset
from rankwright.data.artificial import artificial, artificial_fold
from rankwright.data.splits import Fold
from rankwright.evaluation.evaluate import evaluate
from rankwright.evaluation.table import Table
from rankwright.measures import measure
from rankwright.rankers import (
    Callback,
    CoordinateAscent,
    LambdaMART,
    LambdaRank,
    LambdaSMART,
    McRank,
    Ranker,
    RankNet,
    Record,
    Rounds,
)
from rankwright.rankers.network import NetworkRanker
from rankwright.reproduce import Tell
from rankwright.reproduce.section import Curves, Section

JUDGED_BY = [f"nDCG(empty=skip)@{k}" for k in (10, 3, 1)]
PUBLISHED = {"LambdaMART": (0.879, 0.817, 0.796), "McRank": (0.837, 0.756, 0.722), "LambdaRank": (0.754, 0.678, 0.658)}
HIDDEN, RATES = (15,), (0.001, 0.003, 0.01)  # of the nets
SHIFT = 0.3
PLAIN, PLAIN_EXACT = "plain .1", "plain ≤ 1"
LEGEND = (
    "exact: the best step on training queries, in .1 to 5; valid: on validation queries; ≤ 1: at most 1; × .3: "
    "multiplied by that; plain: with the paper's plain sums of λ."
)
FEW = 20  # trees after which early progress is told


@dataclass(frozen=True)
class Size:
    """How large everything is.

    Parameters
    ----------
    queries : to train on, to choose the round, to test.
    trees : at most, of every ranker; McRank's are shared among its classes.
    rounds : of the nets.
    every : trees between two points of a curve.
    targets : numbers of target queries.
    """

    queries: tuple[int, int, int] = (2000, 500, 1000)
    trees: int = 500
    rounds: int = 100
    every: int = 20
    targets: tuple[int, ...] = (50, 200, 1000)


QUICK = Size((200, 100, 100), 60, 60, 10, (20, 50))


def run(data: Path | None, *, quick: bool, tell: Tell) -> Iterator[Section]:
    """Table 1, Figures 2 to 4, Tables 2 to 4.

    Parameters
    ----------
    data : not needed.
    quick : few queries and few trees.
    tell : is told what is being done.
    """
    size = QUICK if quick else Size()
    fold = artificial_fold(size.queries)
    yield from accuracy(fold, size, tell)
    yield from steps(fold, size, tell)
    tell("adaptation …")
    yield adaptation(size)


# -- Table 1 and Figure 2 ---------------------------------------------------------------------------------------------


def accuracy(fold: Fold, size: Size, tell: Tell) -> Iterator[Section]:
    """LambdaMART, McRank, nets and a linear model; and the first two by their number of trees."""
    n_classes = len(np.unique(fold.train.y))
    rankers: dict[str, Ranker] = {
        "LambdaMART": LambdaMART(n_trees=size.trees, n_leaves=10),
        "McRank": McRank(n_trees=size.trees // n_classes, n_leaves=10),
        "linear": CoordinateAscent(n_restarts=1, n_passes=3),
    }
    nets: dict[str, type[NetworkRanker]] = {"LambdaRank": LambdaRank, "RankNet": RankNet}
    columns: dict[str, Any] = {"ranker": [], **{name: [] for name in JUDGED_BY}, "paper, nDCG@10": []}
    for name in (*rankers, *nets):
        tell(f"{name} …")
        ranker = net(nets[name], fold, size) if name in nets else rankers[name].fit(fold.train, valid=fold.valid)
        means, published = evaluate(ranker, fold.test, JUDGED_BY).means, PUBLISHED.get(name, (np.nan,))
        for column, value in {"ranker": name, **means, "paper, nDCG@10": published[0]}.items():
            columns[column].append(value)
    note = (
        f"LambdaMART has {size.trees} trees, McRank as many, {size.trees // n_classes} rounds of {n_classes}. The "
        "paper's had 10,000 queries, 1,000 and 5,000 trees, and its polynomials are not published: what can be "
        f"compared with its numbers is the order of the rankers. The nets have {HIDDEN[0]} hidden units; the size of "
        "their steps, how long LambdaRank follows all pairs first, and the round are chosen on validation queries."
    )
    yield Section("LambdaMART, McRank, nets and a linear model on artificial data (Table 1)", Table(columns), note)
    curves = Table(
        {
            "trees": np.arange(size.every, size.trees + 1, size.every),
            "LambdaMART": by_trees(rankers["LambdaMART"].model_, fold.test, size.trees, size.every, 1),
            "McRank": by_trees(rankers["McRank"].model_, fold.test, size.trees, size.every, n_classes),
        }
    )
    yield Section(
        "nDCG@10 by the number of trees (Figure 2)",
        curves,
        fewer(curves),
        (Curves("trees", ("LambdaMART", "McRank"), "nDCG@10"),),
    )


def net(made: type[NetworkRanker], fold: Fold, size: Size) -> Ranker:
    """A net with the settings that are best on validation data."""
    options: dict[str, Any] = {"hidden": HIDDEN, "n_rounds": size.rounds, "batch": 16}
    first: list[dict[str, Any]] = [{}]
    if made is LambdaRank:
        first = [{"pair_rounds": share * size.rounds // 10} for share in (2, 6)]
    settings = [{**options, **some, "learning_rate": rate} for some in first for rate in RATES]
    tried = [made(**some).fit(fold.train, valid=fold.valid) for some in settings]
    return max(tried, key=lambda ranker: float(ranker.history_[ranker.best_round_ - 1]["valid"]))


def by_trees(model: Any, test: Dataset, n_trees: int, every: int, trees_a_round: int) -> list[float]:
    """The test measure after every so many trees; a model that has fewer keeps its last value."""
    judged, values = measure(JUDGED_BY[0]), []
    for n in range(every, n_trees + 1, every):
        values.append(judged.mean(test.y, model.truncated(n // trees_a_round).scores(test.X), test.qptr))
    return values


def fewer(curves: Table) -> str:
    """How many trees LambdaMART needs for what McRank reaches with all of its own."""
    reached = np.flatnonzero(curves["LambdaMART"] >= curves["McRank"].max())
    if not len(reached):
        return "LambdaMART does not reach McRank's best value."
    n, best = int(curves["trees"][reached[0]]), int(curves["trees"][int(np.argmax(curves["McRank"]))])
    return f"What McRank reaches with {best} trees LambdaMART has with {n} ({n / best:.0%}); the paper: about half."


# -- Figures 3 and 4 --------------------------------------------------------------------------------------------------


def steps(fold: Fold, size: Size, tell: Tell) -> Iterator[Section]:
    """Fixed and exact steps: the test measure by trees and by seconds, and the exact steps themselves."""
    settings: dict[str, dict[str, Any]] = {
        "v = .1": {"learning_rate": 0.1},
        "v = .3": {"learning_rate": 0.3},
        "exact": {"step": "exact"},
        "valid": {"step": "exact", "step_on": "valid"},
        "valid ≤ 1": {"step": "exact", "step_on": "valid", "step_range": (0.1, 1.0)},
        "valid × .3": {"step": "exact", "step_on": "valid", "step_shrinkage": 0.3},
        PLAIN: {"normalise": False},
        PLAIN_EXACT: {"normalise": False, "step": "exact", "step_on": "valid", "step_range": (0.1, 1.0)},
    }
    n_trees, every = size.trees // 2, size.every // 2
    curves: dict[str, Any] = {"trees": np.arange(every, n_trees + 1, every)}
    summary: dict[str, list[Any]] = {
        c: [] for c in ("step", "seconds", "training", "best test", "at tree", "last test")
    }
    alphas: dict[str, Any] = {"tree": np.arange(1, n_trees + 1)}
    for name, options in settings.items():
        tell(f"steps: {name} …")
        record, last = Record(), Last()
        ranker = LambdaMART(n_trees=n_trees, n_leaves=10, callbacks=[record, last], **options)
        ranker.fit(fold.train, valid=fold.valid if "step_on" in options else None)
        values = curves[name] = by_trees(last.model, fold.test, n_trees, every, 1)
        best = int(np.argmax(values))
        row = (name, record.rows[-1]["seconds"], record.rows[-1]["train"], values[best])
        for column, value in zip(summary, (*row, int(curves["trees"][best]), values[-1]), strict=True):
            summary[column].append(value)
        if options.get("step") == "exact":
            missing = [np.nan] * (n_trees - len(ranker.history_))
            alphas[name] = np.array([r["step"] for r in ranker.history_] + missing)
    drawn = (Curves("trees", ("v = .1", "v = .3", "exact", "valid"), "nDCG@10"),)
    yield Section("Fixed and exact steps: nDCG@10 by trees (Figure 3)", Table(curves), sooner(curves), drawn)
    table = Table(summary)
    yield Section("Fixed and exact steps: seconds, and overfitting", table, overfits(table))
    shown = tuple(i for i in range(n_trees) if i < 5 or (i + 1) % size.every == 0)
    note = "Where the best step would lie outside the range, the tree is added with the end of it."
    yield Section("The exact step of every tree (Figure 4)", Table(alphas), note, (), shown)


class Last(Callback):
    """Keeps the model of the last round, whichever round was best."""

    def end(self, run: Rounds) -> None:
        self.model: Any = run.current_model()


def sooner(curves: dict[str, Any]) -> str:
    """With how many trees each step reaches what v = .1 reaches with all of its own."""
    goal, words = max(curves["v = .1"]), []
    plain = np.flatnonzero(np.asarray(curves[PLAIN_EXACT]) >= max(curves[PLAIN]))
    as_paper = f"{int(curves['trees'][plain[0]])} trees" if len(plain) else "no number of trees"
    for name, values in curves.items():
        reached = [int(n) for n, value in zip(curves["trees"], values, strict=True) if value >= goal]
        if name != "trees":
            words.append(f"{name}: {reached[0] if reached else 'never'}")
    at = int(np.flatnonzero(curves["trees"] >= FEW)[0])
    early = ", ".join(f"{name} {values[at]:.4f}" for name, values in curves.items() if name != "trees")
    return (
        f"{LEGEND} Trees until {goal:.4f}, the best of v = .1: {', '.join(words)}; the paper on web data: 80, not 250. "
        f"After {int(curves['trees'][at])} trees: {early}. With plain sums the exact step "
        f"reaches with {as_paper} what v = .1 reaches with {int(curves['trees'][int(np.argmax(curves[PLAIN]))])}."
    )


def overfits(summary: Table) -> str:
    """What the exact step on training queries loses, and what brings it back."""
    best = dict(zip(summary["step"].tolist(), summary["best test"].tolist(), strict=True))
    plain = best.pop("exact")
    cures = {name: value - plain for name, value in best.items() if name.startswith("valid")}
    listed = ", ".join(f"{name} {gain:+.4f}" for name, gain in cures.items())
    return f"The best on test of exact steps on training queries is {plain:.4f}; of the others, beside it: {listed}."


# -- Tables 2 to 4 ----------------------------------------------------------------------------------------------------


def adaptation(size: Size) -> Section:
    """A related domain with few judged queries: background, in-domain, interpolated, LambdaSMART."""
    shift = {"shift": SHIFT}
    source = artificial_fold((*size.queries[:2], 1))
    valid, test = (artificial(size.queries[1 + i] // 2, sample=1 + i, **shift) for i in (0, 1))  # type: ignore[arg-type]
    options: dict[str, Any] = {"n_leaves": 10, "patience": 50, "min_docs": 10}
    background = LambdaMART(n_trees=size.trees, **options).fit(source.train, valid=source.valid)
    columns: dict[str, list[Any]] = {
        c: [] for c in ("target queries", "background", "in-domain", "interpolated", "LambdaSMART")
    }
    judged = measure(JUDGED_BY[0])
    for n in size.targets:
        target = artificial(n, **shift)  # type: ignore[arg-type]
        own = LambdaMART(n_trees=size.trees, **options).fit(target, valid=valid)
        smart = LambdaSMART(submodel=background, n_trees=size.trees, **options).fit(target, valid=valid)
        a, b = (r.predict(valid) for r in (background, own))
        alpha = optimal_combination(a / a.std(), b / b.std(), valid, measure=judged).alpha
        mixed = (1 - alpha) * background.predict(test) / a.std() + alpha * own.predict(test) / b.std()
        scores = (background.predict(test), own.predict(test), mixed, smart.predict(test))
        values = [judged.mean(test.y, s, test.qptr) for s in scores]
        for column, value in zip(columns, [n, *values], strict=True):
            columns[column].append(value)
    note = (
        f"nDCG@10 on {test.n_queries} queries of a domain with shift {SHIFT}; rounds and weights chosen on "
        f"{valid.n_queries} others. The paper, names: 54.5, 57.7, 57.5, 59.5; Korean: 58.7, 62.9, 62.9, 64.5."
    )
    return Section("Few queries of a related domain (Tables 2–4)", Table(columns), note)
