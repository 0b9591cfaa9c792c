"""`rankwright features`: from documents and queries to features."""

from __future__ import annotations

from typing import Annotated

import typer

from rankwright.cli.parameters import Json

Docs = Annotated[str, typer.Argument(metavar="DOCS", help="Documents as JSON lines: id, title, text; or a .tsv.")]
Queries = Annotated[str, typer.Argument(metavar="QUERIES", help="Queries as JSON lines, or lines of id, tab, text.")]
Sets = Annotated[
    str,
    typer.Option("-f", "--features", metavar="A,B,...", help="base, adarank, links, or functions such as bm25.stem."),
]
Fields = Annotated[str, typer.Option("--fields", metavar="A,B,...", help="Keys whose texts count, joined.")]


def features(
    docs: Docs,
    queries: Queries,
    output: Annotated[str, typer.Option("-o", "--output", metavar="OUT", help="Where they go; the ending says how.")],
    qrels: Annotated[str | None, typer.Option("--qrels", metavar="FILE", help="TREC judgements.")] = None,
    wanted: Sets = "base",
    depth: Annotated[
        int, typer.Option("--depth", min=1, help="Candidates: the best so many of every function.")
    ] = 1000,
    candidates: Annotated[
        str, typer.Option("--candidates", help="union (found by some function), judged, or all of both.")
    ] = "union",
    fields: Fields = "title,text",
    k1: Annotated[float, typer.Option("--k1", min=0.0, help="bm25, tfidf: how soon repetition stops to count.")] = 1.2,
    b: Annotated[
        float, typer.Option("--b", min=0.0, max=1.0, help="bm25, tfidf: how long texts are held back.")
    ] = 0.75,
    mu: Annotated[float, typer.Option("--mu", min=0.0, help="dirichlet: occurrences added.")] = 2500.0,
    lam: Annotated[
        float, typer.Option("--lambda", min=0.0, max=1.0, help="jelinek: the share of the collection's model.")
    ] = 0.4,
    json: Json = False,
) -> None:
    """Make features of query and document from their texts: judged queries to train on.

    The documents of a query are the best of every function, joined; their ids are kept. A .svm file has no names for
    its columns: they are printed, in order; a .parquet or .csv file has them.

    \b
    Example:
      rankwright features docs.jsonl queries.tsv --qrels qrels.txt -o train.svm
      rankwright features docs.jsonl queries.jsonl --features base,adarank --depth 100 -o new.parquet
    """
    import rankwright as rw
    from rankwright.cli.choices import split_list
    from rankwright.cli.console import emit, say, sizes_of
    from rankwright.cli.inputs import writable, write_data
    from rankwright.text import Parameters

    writable(output, "--output")
    made = rw.text_features(
        docs,
        queries,
        qrels,
        features=split_list([wanted]),
        depth=depth,
        candidates=candidates,  # type: ignore[arg-type]
        fields=split_list([fields]),
        parameters=Parameters(k1, b, mu, lam),
    )
    write_data(made, output)
    names = list(made.feature_names)
    if json:
        sizes = {"queries": made.n_queries, "documents": made.n_docs, "relevant": int((made.y > 0).sum())}
        emit({"written": output, **sizes, "features": names})
    else:
        say(f"{output}: {sizes_of(made)}.\nFeatures: " + ", ".join(f"{k} {name}" for k, name in enumerate(names, 1)))
