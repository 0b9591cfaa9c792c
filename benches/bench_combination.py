"""The exact line search beside a grid, beside the paper's all-pairs method, as lists grow, and on real runs."""

from __future__ import annotations

import resource
import sys
from typing import Any

import numpy as np

import rankwright as rw
from measuring import arguments, interleaved, report, row, seconds
from rankwright import kernels
from rankwright.combination import equal_weights, normalised, reciprocal_rank_fusion
from rankwright.line_search import Objective, combined, line_search
from text_runs import COLLECTIONS, runs

THREADS = kernels.default_threads()
PART = 20  # all pairs of all queries at once would need 8 GB


def artificial(n_queries: int, n_docs: int, opposed: bool = False) -> tuple[Objective, Any, Any]:
    rng = np.random.default_rng(0)
    n = n_queries * n_docs
    y = rng.choice(5, size=n, p=[0.6, 0.2, 0.1, 0.06, 0.04]).astype(np.float32)
    qptr = np.arange(n_queries + 1, dtype=np.int64) * n_docs
    a = rng.normal(size=n) + 0.3 * y
    b = (0.1 * rng.normal(size=n) - a) if opposed else rng.normal(size=n) + 0.3 * y
    return Objective(y, qptr, rw.measure("nDCG@10"), n_threads=THREADS), a, b


def all_pairs(objective: Objective, a: Any, b: Any) -> Any:
    """The paper's method, native: every pair of documents of a query, all crossings sorted, swept with O(1) work each.

    It is our own kernel for measures that count pairs, told that all labels of a query differ: what is summed is the
    agreement of each pair, which is less work than the change of a DCG.
    """
    n_queries = len(objective.qptr) - 1
    sizes = np.diff(objective.qptr)
    told = objective.worth._replace(
        kind="pairs",
        value=np.concatenate([np.arange(float(n)) for n in sizes]),
        scale=1.0 / (sizes * sizes),
        offset=np.zeros(n_queries),
        unit=2.0**50,
    )
    return kernels.line_search(a, b, objective.qptr, told, (0.0, 1.0, True), None, 1, False, THREADS, 1 << 60)


def grid(objective: Objective, a: Any, b: Any, n: int) -> float:
    return max(objective.value(combined(a, b, alpha, "convex")) for alpha in np.linspace(0, 1, n))


def cost() -> list[dict[str, Any]]:
    objective, a, b = artificial(1000, 1000)

    def ours() -> Any:
        fresh = Objective(objective.y, objective.qptr, objective.measure, n_threads=THREADS)
        return line_search(fresh, a, b, form="convex")

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = ours()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    times = interleaved({"ours": ours}, 5) | interleaved({"grid": lambda: grid(objective, a, b, 100)}, 2)
    few = artificial(1000 // PART, 1000)
    pairs = PART * interleaved({"pairs": lambda: all_pairs(*few)}, 2)["pairs"]
    t, g = times["ours"], times["grid"]
    shape = "1,000 × 1,000, nDCG@10"
    held = (a.nbytes + b.nbytes + objective.y.nbytes) / 2**20
    return [
        row(f"exact optimum, {shape} / grid of 100 α, our evaluator", seconds(t), seconds(g), g / t, 1),
        row(
            f"exact optimum, {shape} / all pairs (native; a twentieth of the queries, × 20)",
            seconds(t),
            seconds(pairs),
            pairs / t,
            100,
        ),
        row(
            f"value found, {shape} / grid of 100 α",
            f"{found.value:.6f}",
            f"{grid(objective, a, b, 100):.6f}",
            None,
            None,
        ),
        row(f"memory at most, {shape} / the arrays passed", f"{grown:.0f} MB", f"{held:.0f} MB", grown / held, None),
    ]


def growth() -> list[dict[str, Any]]:
    out = []
    for opposed in (False, True):
        before = 0.0
        for n in (100, 1_000, 10_000, 100_000):
            objective, a, b = artificial(1, n, opposed)
            t = interleaved({"ours": lambda o=objective, a=a, b=b: line_search(o, a, b, form="convex")}, 3)["ours"]
            steps = line_search(objective, a, b, form="convex").n_steps
            what = f"one query of {n:,} documents, {'opposed' if opposed else 'independent'} rankers / ten times fewer"
            out.append(
                row(
                    what,
                    f"{seconds(t)}, {steps:,} steps",
                    seconds(before) if before else "–",
                    t / before if before else None,
                    None,
                )
            )
            before = t
    return out


def real() -> list[dict[str, Any]]:
    out = []
    for name in COLLECTIONS:
        found = runs(name)
        if found is None:
            print(f"{name} is not beside the project: left out", file=sys.stderr)
            continue
        sides = [normalised(column, found.qptr, "minmax") for column in (found.bm25, found.tfidf)]
        group = np.diff(found.qptr)
        for measure in ("nDCG@10", "AP"):
            best = rw.optimal_combination(*sides, found.labels, group=group, measure=measure)
            objective = best.sides.objective
            coarse, fine = (grid(objective, *sides, n) for n in (11, 101))
            fusion = objective.value(reciprocal_rank_fusion(sides, found.qptr))
            equal = objective.value(equal_weights(sides, found.qptr))
            powell = rw.interpolate(sides, found.labels, group=group, measure=measure)
            print(best, best.certainty(n_resamples=200), f"  RRF {fusion:.6f}, equal weights {equal:.6f}", sep="\n")
            told = f"{best.value:.6f} at α = {best.alpha:.4f}"
            missed = {
                "misses": coarse,
                "0.01 grid": fine,
                "Powell": powell.value,
                "RRF": fusion,
                "equal weights": equal,
            }
            peers = ", ".join(f"{who} {best.value - value:.6f}" for who, value in missed.items())
            out.append(row(f"{name} {measure}, BM25 + TF-IDF / 0.1 grid", told, peers, None, None))
    return out


if __name__ == "__main__":
    options = arguments(__doc__)
    report([*cost(), *growth(), *real()], options.json)
