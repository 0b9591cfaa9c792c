"""`rankwright combine`: the weights of several runs that are best for a measure, and how sure they are."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from rankwright.cli.parameters import Json, Measures, Seed, Threads
from rankwright.errors import InputError

Runs = Annotated[list[str], typer.Argument(metavar="RUN...", help="TREC runs, two or more.")]
Qrels = Annotated[str, typer.Option("--qrels", metavar="FILE", help="The judgements, as TREC qrels.")]
Plots = Annotated[
    list[str] | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Draw the curve: .png, .svg, .pdf, .html (interactive), or .csv; may be repeated.",
    ),
]


def combine(
    runs: Runs,
    qrels: Qrels,
    measure: Measures = None,
    normalise: Annotated[
        Literal["minmax", "z", "ranks", "none"],
        typer.Option("--normalise", help="How scores are made comparable within a query."),
    ] = "minmax",
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Where the fused run goes, of all queries.")
    ] = None,
    plot: Plots = None,
    theme: Annotated[
        Literal["light", "dark"], typer.Option("--theme", help="Of pictures; an .html page has both.")
    ] = "light",
    depth: Annotated[
        int | None, typer.Option("-k", "--depth", min=1, help="Only the best documents of each run, per query.")
    ] = None,
    tag: Annotated[str, typer.Option("--tag", help="Name of the fused run.")] = "combined",
    resamples: Annotated[int, typer.Option("--resamples", min=2, help="Draws of the bootstrap over queries.")] = 1000,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Parts of the cross-validation.")] = 5,
    seed: Seed = 0,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Find the weights of runs that are best for a measure on judged queries, exactly, and fuse the runs.

    For two runs the measure is a step function of the weight α of the second, and every step is visited: no grid is
    better. For more, coordinate ascent with weights of at least 0, each of its steps exact. Scores are made comparable
    query by query; a document that a run did not return is as low as the lowest it did.

    \b
    Example:
      rankwright combine bm25.run dense.run --qrels qrels.txt -m nDCG@10 -o fused.run
      rankwright combine bm25.run dense.run --qrels qrels.txt --plot curve.png --plot curve.html
      rankwright combine bm25.run dense.run splade.run --qrels qrels.txt -m AP --normalise z --json
    """
    import rankwright as rw
    from rankwright.cli.choices import measures_of
    from rankwright.cli.combine_output import as_json, check_plots, print_all, write_plots
    from rankwright.cli.console import emit, say
    from rankwright.cli.inputs import STANDARD, writable, written_file

    if json and output == STANDARD:
        raise InputError("standard output takes one thing. Got --json and -o - together. Name a file for the run.")
    writable(output, "--output")
    check_plots(plot or [], len(runs))
    found = rw.combine_runs(
        runs,
        qrels,
        measures_of(measure or ["nDCG@10"]),
        normalise=normalise,
        depth=depth,
        curve=len(runs) == 2 and (bool(plot) or not json),
        n_resamples=resamples,
        n_folds=folds,
        rng=seed,
        n_threads=threads,
    )
    comparison = found.comparison(rng=seed, n_threads=threads)
    write_plots(found, comparison, plot or [], theme)
    if output is not None:
        with written_file("run", output) as file:
            found.write(file, tag, depth=depth)
        if output != STANDARD:
            say(f"The fused run of {found.every.data.n_queries:,} queries is {output}.")
    if json:
        emit(as_json(found, comparison))
    elif output != STANDARD:
        print_all(found, comparison)
