"""Parameters that several commands share, declared once."""

from __future__ import annotations

import os
from typing import Annotated

import typer

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR")


def _use_threads(n: int | None) -> int | None:
    if n is not None:
        os.environ["RANKWRIGHT_THREADS"] = str(n)  # the default of everything in this process
    return n


Data = Annotated[str, typer.Argument(metavar="DATA", help="Judged queries: a file of any format, or - for stdin.")]
Measures = Annotated[
    list[str] | None,
    typer.Option("-m", "--measure", metavar="MEASURE", help="A measure, such as nDCG@10; may be repeated."),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, for machines.")]
Threads = Annotated[
    int | None,
    typer.Option("--threads", min=1, callback=_use_threads, help="Threads to use; all by default."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of everything random.")]
Preset = Annotated[
    str | None, typer.Option("--preset", metavar="NAME", help="Another tool's conventions, such as trec or letor4.")
]
Report = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Write what was found as one HTML page with charts (needs plotly)."),
]
