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
    from rankwright.cli.inputs import STANDARD, read_data, writable
    from rankwright.cli.runs import ranked_lists, write_run

    writable(output, "--output")
    ranker = rw.load(model)
    judged = read_data(data, ranker.n_features_in_)
    scores = judged.from_caller(ranker.predict(judged))
    lists = ranked_lists(judged, scores, depth)
    if not json:
        write_run(lists, output, tag or ranker.name)
    elif output == STANDARD:
        emit({"ranker": ranker.name, "queries": {str(query): documents for query, documents in lists}})
    else:
        write_run(lists, output, tag or ranker.name)
        emit({"ranker": ranker.name, "run": output, "queries": judged.n_queries, "documents": judged.n_docs})
