"""AdaRank and RankBoost beside RankLib on much data: training alone, from data in memory, at equal rounds.

10,000 queries × 100 documents × 136 features; and a tenth of them at 300 rounds, RankLib's default for RankBoost, which
on the whole would take it twenty minutes. RankLib is timed from its own first line of training to its last.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import ranklib
import rankwright as rw
from measuring import arguments, report, row, seconds
from ranker_data import timed, web_like
from rankwright.rankers import Ranker

Rows = list[dict[str, Any]]
OPTIONS = ("-metric2t", "NDCG@10", "-tolerance", "1000", "-noeq")


def beside(jar: Path, folder: Path, n_queries: int, settings: list[tuple[Ranker, str, int, float]]) -> Rows:
    """One row for each ranker, its number in RankLib, its rounds and the bar."""
    data = web_like(n_queries)
    file = folder / "large.txt"
    rw.write(data, file)
    rows = []
    for ranker, number, rounds, bar in settings:
        options = ("-ranker", number, "-round", str(rounds), *OPTIONS)
        theirs = ranklib.run(jar, file, folder / "java.txt", *options)
        ours = min(timed(ranker.set_params(n_rounds=rounds), data) for _ in range(2))
        what = f"{ranker.name}, {n_queries:,} × 100 × 136, {rounds} rounds, training alone, beside RankLib"
        rows.append(row(what, seconds(ours), seconds(theirs.training), theirs.training / ours, bar))
        report(rows[-1:], None)
    return rows


def main() -> None:
    asked = arguments(__doc__)
    jar = ranklib.jar()
    rows: Rows = []
    if jar is None:
        print("RankLib needs java and mvn on the PATH: nothing to measure beside")
    else:
        adarank = rw.AdaRank(measure="nDCG@10", directions="given")
        rankboost = rw.RankBoost(measure="nDCG@10")
        with tempfile.TemporaryDirectory() as name:
            rows += beside(jar, Path(name), 1_000, [(rankboost, "2", 300, 100.0)])
            rows += beside(jar, Path(name), 10_000, [(adarank, "3", 5, 30.0), (rankboost, "2", 5, 100.0)])
    report(rows, asked.json)


if __name__ == "__main__":
    main()
