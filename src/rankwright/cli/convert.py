"""`rankwright convert`: any format to any other."""

from __future__ import annotations

from typing import Annotated

import typer

from rankwright.cli.parameters import Json


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="Judged queries in any format, or - for stdin.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="Where they go; the ending says the format.")],
    json: Json = False,
) -> None:
    """Convert judged queries from one file format to another.

    The endings of the names say the formats: .svm, .txt, .letor (and .gz, .xz, .zst of them), .parquet, .csv.

    \b
    Example:
      rankwright convert train.txt.gz train.parquet
      zcat train.txt.gz | rankwright convert - train.parquet
    """
    from rankwright.cli.console import emit, say, sizes_of
    from rankwright.cli.inputs import read_data, writable, write_data

    writable(target, "OUT")
    data = read_data(source)
    write_data(data, target)
    if json:
        sizes = {"queries": data.n_queries, "documents": data.n_docs, "features": data.n_features}
        emit({"read": source, "written": target, **sizes})
    else:
        say(f"{target}: {sizes_of(data)}.")
