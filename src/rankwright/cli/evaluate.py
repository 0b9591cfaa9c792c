"""`rankwright evaluate`: how good a model or a list of scores is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli.parameters import Data, Json, Measures, Preset, Threads

if TYPE_CHECKING:
    from rankwright.evaluation import Evaluation

System = Annotated[
    str, typer.Argument(metavar="MODEL|SCORES", help="A model file, a file of one score a line, or a TREC run.")
]


def evaluate(
    system: System,
    data: Data,
    measure: Measures = None,
    ties: Annotated[str | None, typer.Option("--ties", help="What equal scores are worth, for all measures.")] = None,
    empty: Annotated[str | None, typer.Option("--empty", help="What queries with nothing to find are worth.")] = None,
    preset: Preset = None,
    per_query: Annotated[
        str | None, typer.Option("--per-query", metavar="FILE", help="Write every query's values here, as CSV.")
    ] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Measure a model, a run, or scores on judged queries.

    \b
    Example:
      rankwright evaluate model.json test.svm -m nDCG@10 -m AP
      rankwright evaluate scores.txt test.svm -m "P(rel=2)@5" --ties worst --per-query values.csv
      rankwright evaluate bm25.run qrels.txt -m AP --preset trec
    """
    import rankwright as rw
    from rankwright.cli.choices import measures_of
    from rankwright.cli.console import emit
    from rankwright.cli.inputs import writable
    from rankwright.cli.systems import scored

    writable(per_query, "--per-query")
    asked = measures_of(measure, ties, empty)
    judged, scores = scored(system, data)
    result = rw.evaluate(scores, judged, asked, preset=preset, n_threads=threads)
    if per_query is not None:
        write_per_query(result, per_query)
    if json:
        emit({"system": system, "data": data, "preset": preset, **result.to_dict(per_query=False)})
    else:
        _print(result)


def _print(result: Evaluation) -> None:
    from rankwright.cli.console import counted
    from rankwright.cli.tables import show

    rows = [
        [name, f"{value:.4f}", str(result.n_empty[name]), str(result.n_skipped[name])]
        for name, value in result.means.items()
    ]
    queries = counted(result.n_queries, "query", "queries")
    title = f"{queries}, {counted(result.judged.n_docs, 'document', 'documents')}"
    show(["measure", "mean", "queries with nothing to find", "skipped"], rows, title=title, numbers=(1, 2, 3))


def write_per_query(result: Evaluation, path: str) -> None:
    """One row per query, as CSV, whole or not at all; ``-`` is standard output."""
    import csv
    import io
    import sys

    from rankwright.cli.inputs import STANDARD
    from rankwright.files import write_atomically

    table: dict[str, Any] = result.per_query
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(table)
    rows.writerows(zip(*(column.tolist() for column in table.values()), strict=True))
    if path == STANDARD:
        sys.stdout.write(text.getvalue())
    else:
        write_atomically(path, text.getvalue().encode())
