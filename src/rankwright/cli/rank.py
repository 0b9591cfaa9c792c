"""`rankwright rank`: the order a model gives, as a TREC run."""

from __future__ import annotations

from typing import Annotated

import typer

from rankwright.cli.parameters import Data, Json, Threads

ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="A model file, as `train` writes it.")]


def rank(
    model: ModelFile,
    data: Data,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where the run goes.")] = "-",
    depth: Annotated[int | None, typer.Option("-k", "--depth", min=1, help="Documents to keep per query.")] = None,
    tag: Annotated[str | None, typer.Option("--tag", help="Name of the run; the ranker's by default.")] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Rank documents with a model and write a TREC run.

    \b
    Example:
      rankwright rank model.json new.svm > new.run
      rankwright rank model.json new.svm -k 10 -o new.run
    """
    import rankwright as rw
    from rankwright.cli.console import emit
    from rankwright.cli.inputs import STANDARD, read_data, writable, written_file

    writable(output, "--output")
    ranker = rw.load(model)
    name = tag or ranker.name or "imported"
    judged = read_data(data, ranker.n_features_in_)
    scores = ranker.predict(judged)
    if json and output == STANDARD:
        with written_file("run", None) as run:
            rw.write_run(judged, scores, run, name, depth=depth)
            emit({"ranker": ranker.name, "queries": rw.read_run(run)})
        return
    with written_file("run", output) as run:
        rw.write_run(judged, scores, run, name, depth=depth)
    if json:
        emit({"ranker": ranker.name, "run": output, "queries": judged.n_queries, "documents": judged.n_docs})
