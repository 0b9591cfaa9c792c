"""Structural SVMs: how good on OHSUMED and MQ2008, how fast beside explicit pairs and the paper's quadratic search.

OHSUMED under the published setting: five folds, features scaled by query, C chosen on validation data, the rules of
LETOR 3.0's script. MQ2008 by those of LETOR 4.0.
"""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.svm import LinearSVC

import rankwright as rw
from measuring import arguments, interleaved, report, row, seconds
from rankwright import kernels
from rankwright.kernels import reference
from rankwright.measures import Measure, preset
from rankwright.rankers import Ranker
from rankwright.reproduce.adarank import chosen_on_validation
from rankwright.reproduce.letor import mq2008_folds, ohsumed_folds
from text_runs import DATA

Rows = list[dict[str, Any]]
PUBLISHED = {"AP": 0.4469, "nDCG@10": 0.4411}  # RankSVM, LETOR 2.0


# -- how good ------------------------------------------------------------------------------------------------------


def settings_of(E: Measure) -> dict[str, list[Ranker]]:
    """Rankers on features that are scaled already, each with the settings to choose from."""
    path: dict[str, Any] = {"C": "path", "scale": "none", "measure": E}
    return {
        "RankingSVM": [rw.RankingSVM(**path)],
        "SVMMap": [rw.SVMMap(rel=1.0, **path)],
    }


def on_test(settings: list[Ranker], folds: list[Any], rules: str) -> dict[str, float]:
    """Means over the folds' test data."""
    judged = ["AP", "nDCG@10"]
    found = [rw.evaluate(chosen_on_validation(settings, f), f.test, judged, preset=rules) for f in folds]
    return dict(zip(judged, np.mean([list(e.means.values()) for e in found], axis=0).tolist(), strict=True))


def ohsumed() -> Rows:
    folds, rows = ohsumed_folds(DATA), []
    for chosen_by in ("nDCG@10", "AP"):
        settings = settings_of(preset("letor3", chosen_by))
        ranking, ours = (on_test(settings[name], folds, "letor3") for name in ("RankingSVM", "SVMMap"))
        for judged, bar in PUBLISHED.items():
            what = f"OHSUMED, RankingSVM chosen by {chosen_by}, {judged} on test (ratio: the value)"
            rows.append(row(what, f"{ranking[judged]:.4f}", f"{bar:.4f}", ranking[judged], bar))
        what = f"OHSUMED, SVMMap chosen by {chosen_by}, AP on test (ratio: the value)"
        rows.append(row(what, f"{ours['AP']:.4f}", "0.4469", ours["AP"], 0.4450))
    return rows


def mq2008() -> Rows:
    folds, rows = mq2008_folds(DATA), []
    for judged in ("AP", "nDCG@10"):
        E = preset("letor4", judged)
        peers = {"CoordinateAscent": rw.CoordinateAscent(measure=E), "AdaRank": rw.AdaRank(measure=E)}
        found = {name: on_test([ranker], folds, "letor4")[judged] for name, ranker in peers.items()}
        best = max(found, key=lambda name: found[name])
        for name, settings in settings_of(E).items():
            value = on_test(settings, folds, "letor4")[judged]
            what = f"MQ2008, {name} chosen by {judged}, {judged} on test (ratio: less the best other linear model's)"
            rows.append(row(what, f"{value:.4f}", f"{best} {found[best]:.4f}", value - found[best], -0.005))
    return rows


# -- how fast ------------------------------------------------------------------------------------------------------


def judged_lists(n_queries: int, n_docs: int, n_features: int, seed: int = 0) -> rw.Dataset:
    """Features that tell a little of labels 0, 1, 2, with the sizes asked for."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_queries * n_docs, n_features), dtype=np.float32)
    y = np.digitize(X[:, 0] + X[:, 1] + 2.0 * rng.standard_normal(len(X), dtype=np.float32), [0.5, 3.0])
    return rw.Dataset(X, y, group=np.full(n_queries, n_docs))


def explicit_pairs() -> Rows:
    """About a million pairs: LinearSVC with the loosest tolerance that comes as close to the optimum."""
    data = judged_lists(1480, 50, 46)
    i, j = (np.concatenate(part) for part in zip(*(pairs_of(data, rows) for rows in data), strict=True))
    flip = np.where(np.arange(len(i)) % 2 == 0, 1.0, -1.0)  # two classes
    differences = ((data.X[i] - data.X[j]) * flip[:, None]).astype(np.float64)
    rows = []
    for C in (1.0, 100.0, 1000.0):
        ranker = rw.RankingSVM(C=C, pair_weight="uniform", scale="none")
        best = clone(ranker).set_params(tol=1e-5).fit(data).history_[-1]["dual"]
        ours = interleaved({"ours": lambda ranker=ranker: ranker.fit(data)}, 5)["ours"]  # type: ignore[misc]
        for tol in (1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4):
            peer = LinearSVC(loss="hinge", C=C / len(i), fit_intercept=False, tol=tol, max_iter=100_000)
            start = time.perf_counter()
            w = peer.fit(differences, flip).coef_[0]
            took = time.perf_counter() - start
            if 0.5 * w @ w + C * np.maximum(0.0, 1.0 - flip * (differences @ w)).mean() <= best * (1 + 1e-3):
                break
        what = f"RankingSVM beside LinearSVC on {len(i):,} explicit pairs, 46 features, C={C:g}, both within .001"
        rows.append(row(what, seconds(ours), f"{seconds(took)} (tol={tol:g})", took / ours, 50))
    if shutil.which("svm_rank_learn") is None:
        print("svm_rank_learn is not on the PATH: nothing to measure beside")
    return rows


def pairs_of(data: rw.Dataset, rows: slice) -> tuple[Any, Any]:
    i, j = np.nonzero(data.y[rows][:, None] > data.y[rows][None, :])
    return i + rows.start, j + rows.start


def growth() -> Rows:
    """A whole fit of 1 and of 10 million documents, beside n log n; the better of two."""
    took = {}
    for n_queries in (10_000, 100_000):
        data = judged_lists(n_queries, 100, 10)
        took[data.n_docs] = np.inf
        for _ in range(2):
            start = time.perf_counter()
            fitted = rw.RankingSVM(C=1.0, measure="P@1").fit(data)
            took[data.n_docs] = min(took[data.n_docs], time.perf_counter() - start)
        print(f"{data.n_docs:,} documents: {took[data.n_docs]:.3g} s, {len(fitted.history_)} planes", flush=True)
        del data, fitted
    (small, few), (large, many) = took.items()
    expected = (large * np.log(large)) / (small * np.log(small))
    what = f"RankingSVM, {large:,} documents beside {small:,}, as a share of n log n"
    return [row(what, seconds(many), seconds(few), many / few / float(expected), 1.2, at_least=False)]


def oracle() -> Rows:
    """One query of 100,000 documents with 10,000 relevant, beside the paper's search of every place."""
    rng = np.random.default_rng(0)
    n, R = 100_000, 10_000
    levels = np.zeros(n, np.int32)
    levels[rng.permutation(n)[:R]] = 1
    scores, brings, qptr = rng.normal(size=n) + levels, np.ones(n), np.array([0, n])

    def ours() -> Any:
        return kernels.most_violated("ap", scores, levels, brings, qptr, 1)

    quadratic: Callable[..., Any] = reference.most_violated
    fast = interleaved({"ours": ours}, 5)["ours"]
    start = time.perf_counter()
    g, delta = quadratic("ap", scores, levels, brings, qptr)
    slow = time.perf_counter() - start
    mine = ours()
    if abs(float(mine[1][0] + mine[0] @ scores) - float(delta[0] + g @ scores)) > 1e-9:
        raise RuntimeError("the two most violated rankings are not equally bad")
    size = "one query of 100,000 documents, 10,000 relevant"
    return [
        row(f"SVM-map's oracle, {size} (ratio: seconds)", seconds(fast), "–", fast, 1.0, at_least=False),
        row(
            f"SVM-map's oracle beside every place tried (NumPy, vectorised), {size}",
            seconds(fast),
            seconds(slow),
            slow / fast,
            100,
        ),
    ]


PARTS: dict[str, Callable[[], Rows]] = {
    "ohsumed": ohsumed,
    "mq2008": mq2008,
    "pairs": explicit_pairs,
    "growth": growth,
    "oracle": oracle,
}


def main() -> None:
    warnings.filterwarnings("ignore", message=".*queries have documents of one kind only")
    asked = arguments(__doc__, parts=(str, ",".join(PARTS), "which parts, separated by commas"))
    rows: Rows = []
    for part in asked.parts.split(","):
        if part in ("ohsumed", "mq2008") and not (DATA / "mq2008").exists():
            print("MQ2008 and OHSUMED are not beside the project: nothing to measure on")
            continue
        rows += PARTS[part]()
    report(rows, asked.json)


if __name__ == "__main__":
    main()
