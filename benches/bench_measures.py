"""nDCG@10, AP and RR of 10,000 queries × 100 documents: rankwright beside ranx and pytrec_eval.

Evaluation alone: each tool has its own objects in hand. From arrays: the objects are built too, and counted. First
call: a new process, its imports included; numba's compiled code is already in its cache, or ranx takes a minute more.
"""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytrec_eval
import ranx

import rankwright as rw
from measuring import arguments, interleaved, report, row, seconds

MEASURES = ("nDCG(gain=identity)@10", "AP", "RR")  # trec_eval's and ranx's gain
RANX = ("ndcg@10", "map", "mrr")
TREC = ("ndcg_cut_10", "map", "recip_rank")
WHAT = "nDCG@10 + AP + RR, {:,} × {}"

FIRST_CALL = """
import numpy as np
rng = np.random.default_rng(0)
y, scores = rng.integers(0, 5, {n}).reshape(-1, {depth}), rng.random({n}).reshape(-1, {depth})
"""
FIRST = {
    "ours": "import rankwright as rw\n"
    "rw.evaluate(scores.ravel(), y.ravel(), ['nDCG@10', 'AP', 'RR'], group=[y.shape[1]] * len(y)).means",
    "ranx": "import ranx\ndocs = [f'd{d}' for d in range(y.shape[1])]\n"
    "def runs(rows): return {f'q{q}': dict(zip(docs, row)) for q, row in enumerate(rows.tolist())}\n"
    "ranx.evaluate(ranx.Qrels(runs(y)), ranx.Run(runs(scores)), ['ndcg@10', 'map', 'mrr'])",
    "pytrec_eval": "import pytrec_eval\ndocs = [f'd{d}' for d in range(y.shape[1])]\n"
    "def runs(rows): return {f'q{q}': dict(zip(docs, row)) for q, row in enumerate(rows.tolist())}\n"
    "pytrec_eval.RelevanceEvaluator(runs(y), {'ndcg_cut_10', 'map', 'recip_rank'}).evaluate(runs(scores))",
}


class Judged(NamedTuple):
    """Arrays in hand: labels and scores, one row per document, and its query."""

    y: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]
    qid: npt.NDArray[np.int64]

    def as_dicts(self) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
        """Judgements and run as ranx and pytrec_eval take them."""
        depth = int((self.qid == 0).sum())
        docs = [f"d{d}" for d in range(depth)]

        def of(values: npt.NDArray[Any]) -> dict[str, Any]:
            rows = values.reshape(-1, depth).tolist()
            return {f"q{q}": dict(zip(docs, row, strict=True)) for q, row in enumerate(rows)}

        return of(self.y), of(self.scores)


def made(n_queries: int, depth: int) -> Judged:
    rng = np.random.default_rng(0)
    y = rng.choice(5, size=n_queries * depth, p=[0.52, 0.32, 0.13, 0.02, 0.01])
    return Judged(y, rng.random(len(y)), np.repeat(np.arange(n_queries), depth))


def trec_means(values: dict[str, dict[str, float]]) -> list[float]:
    return [float(np.mean([of_query[m] for of_query in values.values()])) for m in TREC]


def main() -> None:
    asked = arguments(__doc__, queries=(int, 10_000, "queries"), depth=(int, 100, "documents of each"))
    data = made(asked.queries, asked.depth)
    what = WHAT.format(asked.queries, asked.depth)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba's, of ranx's integer types
        rows = [*evaluation_alone(data, what), *from_arrays(data, what)]
    rows += [*first_call(asked.queries * asked.depth, asked.depth, what), *help_page()]
    report(rows, asked.json)


def evaluation_alone(data: Judged, what: str) -> list[dict[str, Any]]:
    qrels, run = data.as_dicts()
    ours = rw.Dataset(np.zeros((len(data.y), 1), np.float32), data.y, qid=data.qid)
    trec = pytrec_eval.RelevanceEvaluator(qrels, set(TREC))
    theirs = ranx.Qrels(qrels), ranx.Run(run)
    bare = theirs[0].to_typed_list(), theirs[1].to_typed_list()  # what ranx itself converts its objects to
    works: dict[str, Callable[[], Any]] = {
        "ours": lambda: list(rw.evaluate(data.scores, ours, MEASURES).means.values()),
        "ranx": lambda: list(ranx.evaluate(*theirs, RANX).values()),
        "ranx, its inner lists": lambda: list(ranx.evaluate(*bare, RANX).values()),
        "pytrec_eval": lambda: trec_means(trec.evaluate(run)),
    }
    found = {name: work() for name, work in works.items()}  # compiles what is compiled on the first call
    apart = max(abs(a - b) for name in works for a, b in zip(found["ours"], found[name], strict=True))
    best = interleaved(works, 3)
    best["ours"] = min(best["ours"], interleaved({"ours": works["ours"]}, 20)["ours"])
    rows = [
        row(f"{what}, evaluation alone", seconds(best["ours"]), f"{peer} {seconds(best[peer])}", ratio, bar)
        for peer, bar in (("ranx", 5.0), ("ranx, its inner lists", 5.0), ("pytrec_eval", 8.0))
        if (ratio := best[peer] / best["ours"])
    ]
    # both compare scores in single precision, and break the ties that makes by document id
    return [*rows, row("their means beside ours, furthest apart", f"{apart:.1e}", "", apart, 1e-4, at_least=False)]


def from_arrays(data: Judged, what: str) -> list[dict[str, Any]]:
    def ours() -> Any:
        return rw.evaluate(data.scores, data.y, MEASURES, qid=data.qid).means

    def with_ranx() -> Any:
        qrels, run = data.as_dicts()
        return ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), RANX)

    def with_pytrec_eval() -> Any:
        qrels, run = data.as_dicts()
        return trec_means(pytrec_eval.RelevanceEvaluator(qrels, set(TREC)).evaluate(run))

    works = {"ours": ours, "ranx": with_ranx, "pytrec_eval": with_pytrec_eval}
    best = interleaved(works, 3)
    best["ours"] = min(best["ours"], interleaved({"ours": ours}, 20)["ours"])
    return [
        row(f"{what}, from arrays to numbers", seconds(best["ours"]), f"{peer} {seconds(best[peer])}", ratio, 100.0)
        for peer in ("ranx", "pytrec_eval")
        if (ratio := best[peer] / best["ours"])
    ]


def first_call(n: int, depth: int, what: str) -> list[dict[str, Any]]:
    """The bar is a second, for everything: interpreter, imports, arrays, evaluation."""
    arrays = FIRST_CALL.format(n=n, depth=depth)
    best = fastest({name: [sys.executable, "-W", "ignore", "-c", arrays + code] for name, code in FIRST.items()})
    peers = ", ".join(f"{peer} {seconds(best[peer])}" for peer in ("ranx", "pytrec_eval"))
    name = f"{what}, first call in a new process (ratio: seconds)"
    return [row(name, seconds(best["ours"]), peers, best["ours"], 1.0, at_least=False)]


def help_page() -> list[dict[str, Any]]:
    command = [Path(sys.executable).parent / "rankwright", "--help"]
    if not command[0].exists():
        command = [sys.executable, "-m", "rankwright", "--help"]  # a tree that is not installed
    best = fastest({"help": command, "python": [sys.executable, "-c", "pass"]}, times=5)
    peer = f"python -c pass {seconds(best['python'])}"
    return [row("rankwright --help (ratio: seconds)", seconds(best["help"]), peer, best["help"], 0.3, at_least=False)]


def fastest(commands: dict[str, list[Any]], times: int = 3) -> dict[str, float]:
    """The best of several seconds for each command, taking turns."""
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(times):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


if __name__ == "__main__":
    main()
