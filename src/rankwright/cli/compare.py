"""`rankwright compare`: which ranker is better on this data, and how sure one can be."""

from __future__ import annotations

from typing import Annotated

import typer

from rankwright.cli.parameters import Json, Measures, Preset, Report, Seed, Threads
from rankwright.errors import InputError

Rankers = Annotated[
    str,
    typer.Option(
        "-r", "--rankers", metavar="A,B,...", help='Rankers, with options where wanted: "adarank(n_rounds=50),mart".'
    ),
]


def compare(
    train: Annotated[str, typer.Argument(metavar="TRAIN", help="Judged queries to train on, or - for stdin.")],
    test: Annotated[
        str | None, typer.Argument(metavar="[TEST]", help="Judged queries to compare on; not with --folds.")
    ] = None,
    rankers: Rankers = "all",
    measure: Measures = None,
    valid: Annotated[
        str | None, typer.Option("--valid", metavar="DATA", help="Judged queries that choose the best round.")
    ] = None,
    folds: Annotated[
        int | None, typer.Option("--folds", min=2, help="Cross-validate on TRAIN in so many folds instead.")
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="NAME", help="Test the others against this one only.")
    ] = None,
    preset: Preset = None,
    seed: Seed = 0,
    threads: Threads = None,
    report: Report = None,
    json: Json = False,
) -> None:
    """Train several rankers and compare them: means, intervals, tests of significance.

    The first measure is what they are trained for. p-values are of paired tests over queries, with Holm's correction.

    \b
    Example:
      rankwright compare train.svm test.svm --rankers single_feature,pointwise -m nDCG@10 -m AP
      rankwright compare train.svm test.svm --report report.html
      rankwright compare all.svm --folds 5 --rankers "adarank(n_rounds=50),adarank(n_rounds=500)"
    """
    from rankwright.cli.console import emit
    from rankwright.cli.inputs import STANDARD
    from rankwright.cli.leaderboard import print_leaderboard
    from rankwright.cli.page_file import check_report, save_report
    from rankwright.cli.trials import Trials

    if (test is None) == (folds is None):
        raise InputError("there must be a TEST file, or --folds, and not both. Got others. Name one of them.")
    check_report(report, json)
    trials = Trials(rankers, measure, preset=preset, seed=seed, threads=threads, baseline=baseline)
    done = trials.on_folds(train, folds) if folds else trials.on_test(train, valid, str(test))
    if json:
        emit({**done.comparison.to_dict(), "training": {e.name: {"seconds": e.seconds} for e in done.entries}})
    elif report != STANDARD:
        print_leaderboard(done.comparison, done.entries, f"Leaderboard on {done.comparison.n_queries} queries")
    judged_on = f"{folds} folds" if folds else str(test)
    files = {"trained on": train, "round chosen on": valid, "judged on": judged_on, "seed": str(seed)}
    save_report(report, done.contents, facts={name: value for name, value in files.items() if value is not None})
