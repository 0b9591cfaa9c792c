"""`rankwright synth`: artificial data."""

from __future__ import annotations

from typing import Annotated

import typer

from rankwright.cli.parameters import Json, Seed


def synth(
    output: Annotated[str, typer.Argument(metavar="OUT", help="Where it goes; the ending says the format.")],
    queries: Annotated[int, typer.Option("--queries", min=1, help="Queries to make.")] = 100,
    docs: Annotated[int, typer.Option("--docs", min=1, help="Documents per query.")] = 20,
    features: Annotated[int, typer.Option("--features", min=1, help="Features per document.")] = 25,
    seed: Seed = 0,
    sample: Annotated[int, typer.Option("--sample", min=0, help="Other data of the same kind: 0, 1, 2, ...")] = 0,
    shift: Annotated[float, typer.Option("--shift", help="How far the domain lies from the one of shift 0.")] = 0.0,
    json: Json = False,
) -> None:
    """Make artificial data: documents labelled by a random cubic polynomial of their features.

    The seed decides the polynomial, so that the same seed with another --sample is data to test on.

    \b
    Example:
      rankwright synth train.svm --queries 200 --seed 1
      rankwright synth test.svm --queries 100 --seed 1 --sample 1
      rankwright synth related.svm --queries 50 --seed 1 --shift 0.5
    """
    import rankwright as rw
    from rankwright.cli.console import emit, say, sizes_of
    from rankwright.cli.inputs import write_data

    made = rw.artificial(
        n_queries=queries, docs_per_query=docs, n_features=features, rng=seed, shift=shift, sample=sample
    )
    write_data(made, output)
    if json:
        sizes = {"queries": made.n_queries, "documents": made.n_docs, "features": made.n_features}
        emit({"written": output, "seed": seed, "sample": sample, "shift": shift, **sizes})
    else:
        say(f"{output}: {sizes_of(made)}.")
