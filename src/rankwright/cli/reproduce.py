"""`rankwright reproduce`: a paper's experiment, the published numbers beside ours."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from rankwright.cli.parameters import Json, Report, Threads


def reproduce(
    paper: Annotated[str | None, typer.Argument(metavar="[PAPER]", help="Which experiment; all are listed.")] = None,
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="DIR", help="The folder that holds the data sets.", envvar="RANKWRIGHT_DATA"),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A smaller one, for a look: fewer rounds, less data.")] = False,
    threads: Threads = None,
    report: Report = None,
    json: Json = False,
) -> None:
    """Run a paper's experiment: its tables and figures, published numbers beside ours.

    Without PAPER, list the experiments and the data they need.

    \b
    Example:
      rankwright reproduce
      rankwright reproduce adarank --data DIR --quick
      rankwright reproduce adarank --data DIR --report adarank.html
    """
    from rankwright.cli.console import emit, say, seconds, watched
    from rankwright.cli.inputs import STANDARD
    from rankwright.cli.page_file import check_report, exhibits, save_report
    from rankwright.reproduce import experiment, quiet

    check_report(report, json)
    if paper is None:
        _list_experiments(json)
        return
    wanted, start, sections = experiment(paper), time.perf_counter(), []
    for section in wanted.run(data, quick=quick, tell=say if watched() else quiet):
        sections.append(section)
        if not json and report != STANDARD:
            print(section, flush=True)
    took = time.perf_counter() - start
    if json:
        parts = [section.to_dict() for section in sections]
        emit({"experiment": paper, "paper": wanted.paper, "quick": quick, "seconds": took, "sections": parts})
    else:
        say(f"{paper}, {wanted.paper}: {seconds(took)}.")
    facts = {"paper": wanted.paper, "version": "quick" if quick else "full", "time": seconds(took)}
    save_report(report, lambda: exhibits(sections), f"{paper}: {wanted.about}", facts)


def _list_experiments(json: bool) -> None:
    from rankwright.cli.console import emit
    from rankwright.cli.tables import show
    from rankwright.reproduce import EXPERIMENTS

    if json:
        rows = [{"name": e.name, "paper": e.paper, "about": e.about, "needs": e.needs} for e in EXPERIMENTS.values()]
        emit({"experiments": rows})
        return
    columns = ["experiment", "paper", "what it shows", "data it needs"]
    show(columns, [[e.name, e.paper, e.about, ", ".join(e.needs) or "none"] for e in EXPERIMENTS.values()])
