"""`rankwright convert`: any format to any other."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rankwright.cli.parameters import Json


def _column(of: str) -> Any:
    return typer.Option(metavar="NAME", help=f"The column of {of}, in a table.")


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="Judged queries in any format, or - for stdin.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="Where they go; the ending says the format.")],
    label: Annotated[str | None, _column("labels")] = None,
    qid: Annotated[str | None, _column("query ids")] = None,
    doc_id: Annotated[str | None, _column("document ids")] = None,
    features: Annotated[
        str | None, typer.Option("--features", metavar="A,B,...", help="The columns to rank by; all other numbers.")
    ] = None,
    json: Json = False,
) -> None:
    """Convert judged queries from one file format to another.

    The endings of the names say the formats: .svm, .txt, .letor (and .gz, .xz, .zst of them), .parquet, .csv. A table
    has the columns label, qid and perhaps doc_id, unless told otherwise.

    \b
    Example:
      rankwright convert train.txt.gz train.parquet
      zcat train.txt.gz | rankwright convert - train.parquet
      rankwright convert clicks.csv train.svm --label grade --qid query --features bm25,price
    """
    from rankwright.cli.console import emit, say, sizes_of
    from rankwright.cli.inputs import read_data, writable, write_data

    writable(target, "OUT")
    named = {"label": label, "qid": qid, "doc_id": doc_id, "features": features and features.split(",")}
    data = read_data(source, columns={role: name for role, name in named.items() if name})
    write_data(data, target)
    if json:
        sizes = {"queries": data.n_queries, "documents": data.n_docs, "features": data.n_features}
        emit({"read": source, "written": target, **sizes})
    else:
        say(f"{target}: {sizes_of(data)}.")
