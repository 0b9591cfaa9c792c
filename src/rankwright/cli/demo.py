"""`rankwright demo`: see it work, in well under a minute."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING, Annotated

import typer

from rankwright.cli.parameters import Json, Measures, Report, Seed, Threads

if TYPE_CHECKING:
    from rankwright.cli.contest import Entry
    from rankwright.evaluation import Comparison

QUERIES = (300, 100, 200)  # to train on, to choose the round on, to test on


def demo(
    measure: Measures = None,
    docs: Annotated[int, typer.Option("--docs", min=2, help="Documents per query.")] = 20,
    features: Annotated[int, typer.Option("--features", min=1, help="Features per document.")] = 25,
    budget: Annotated[float, typer.Option("--budget", min=1, help="Seconds of training for all rankers.")] = 30.0,
    seed: Seed = 0,
    threads: Threads = None,
    report: Report = None,
    json: Json = False,
) -> None:
    """Make artificial data, train every ranker with its defaults, and show the leaderboard.

    \b
    Example:
      rankwright demo
      rankwright demo -m AP -m RR --seed 7
      rankwright demo --report report.html
    """
    import rankwright as rw
    from rankwright.cli.choices import make_ranker, measures_of
    from rankwright.cli.console import emit, say
    from rankwright.cli.contest import train_all
    from rankwright.cli.inputs import STANDARD
    from rankwright.cli.page_file import check_report, save_report
    from rankwright.cli.trials import Done
    from rankwright.rankers import REGISTRY

    check_report(report, json)
    start = time.perf_counter()
    asked = measures_of(measure)
    train, valid, test = rw.artificial_fold(QUERIES, docs_per_query=docs, n_features=features, rng=seed)
    if not json:
        sizes = " / ".join(map(str, QUERIES))
        say(f"Artificial data: {sizes} queries to train, validate and test on, {docs} documents each, "
            f"{features} features.\nTraining {len(REGISTRY)} rankers on {asked[0]}:")  # fmt: skip
    rankers = {
        name: make_ranker(cls, {}, seed=seed, measure=asked[0], n_threads=threads) for name, cls in REGISTRY.items()
    }
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The labels are graded")  # so they are made; defaults are shown
        entries = train_all(rankers, train, valid, limit=budget / len(rankers))
    found = rw.compare({e.name: e.ranker.predict(test) for e in entries}, test, asked, rng=seed, n_threads=threads)
    if json:
        times = {e.name: {"seconds": e.seconds, "stopped": e.stopped} for e in entries}
        emit({**found.to_dict(), "training": times, "seconds": time.perf_counter() - start})
    elif report != STANDARD:
        _show(found, entries, time.perf_counter() - start)
    done = Done(found, {e.name: [e.ranker] for e in entries}, entries, test)
    facts = {"data": "artificial", "documents per query": str(docs), "features": str(features), "seed": str(seed)}
    save_report(report, done.contents, f"{len(entries)} rankers on artificial data", facts)


def _show(found: Comparison, entries: list[Entry], took: float) -> None:
    from rankwright.cli.console import console, seconds
    from rankwright.cli.leaderboard import print_leaderboard

    title = f"Leaderboard on {found.n_queries} test queries"
    print_leaderboard(found, entries, title)
    console().print(f"\nAll of it in {seconds(took)}. Next, with data of your own or made:\n")
    console().print(NEXT.format(best=found.leaderboard()["system"].tolist()[0]), markup=False)


NEXT = """\
  rankwright demo --report report.html        # the same, as a page with charts
  rankwright synth train.svm --queries 300    # or your LETOR, CSV, Parquet file
  rankwright train train.svm --ranker {best} -m nDCG@10 -o model.json
  rankwright evaluate model.json train.svm -m nDCG@10 -m AP
  rankwright rankers {best}"""
