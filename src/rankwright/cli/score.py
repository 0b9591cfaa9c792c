"""`rankwright score`: one score a line, as fast as the file can be read and in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli.parameters import Json, Threads

if TYPE_CHECKING:
    from rankwright.rankers import Ranker

ModelFile = Annotated[
    str, typer.Argument(metavar="MODEL", help="A model file: of `train`, `import`, or another engine's.")
]
DataFile = Annotated[
    str, typer.Argument(metavar="DATA", help="Documents: a file of any format, or - for stdin. Labels are not used.")
]


def score(
    model: ModelFile,
    data: DataFile,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where the scores go.")] = "-",
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Score documents with a model: one number a line, in the order of the documents.

    LETOR text is read and scored a window at a time, so that memory does not grow with the file; other formats, and
    models that see whole queries, are read first.

    \b
    Example:
      rankwright score model.json new.svm -o scores
      rankwright score lgb.txt new.svm | paste -d' ' - ids.txt
    """
    import time

    import rankwright as rw
    from rankwright.cli.console import counted, emit, say, seconds
    from rankwright.cli.inputs import STANDARD, local, writable

    writable(output, "--output")
    ranker = rw.load(model)
    start, n_docs = time.perf_counter(), 0
    with local(data) as file, _lines(output) as out, _bar(data) as shown:
        for scores, share in _scored(ranker, file):
            out.write(_text(scores))
            n_docs += len(scores)
            shown(share)
    took = time.perf_counter() - start
    if json and output != STANDARD:
        emit({"documents": n_docs, "seconds": took, "scores": output})
    elif output != STANDARD:
        say(f"{counted(n_docs, 'document', 'documents')} scored in {seconds(took)}.")


def _scored(ranker: Ranker, file: Path) -> Iterator[tuple[Any, float]]:
    """Scores, and the share of the file they end at."""
    from rankwright.cli.inputs import read_data
    from rankwright.data.letor_stream import stream_letor
    from rankwright.data.reading import LETOR, kind_of_file

    model = ranker.model_
    if model.needs_queries or kind_of_file(file) is not LETOR:
        yield ranker.predict(read_data(str(file), ranker.n_features_in_)), 1.0
        return
    for X, share in stream_letor(file, ranker.n_features_in_):
        yield model.scores(X), share


def _text(scores: Any) -> bytes:
    return ("\n".join(map(repr, scores.tolist())) + "\n").encode() if len(scores) else b""


@contextmanager
def _lines(output: str) -> Iterator[IO[bytes]]:
    """Where scores go: a file that is there when it is whole, or standard output."""
    import sys

    from rankwright.cli.inputs import STANDARD
    from rankwright.files import atomic

    if output == STANDARD:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with atomic(output) as out:
        yield out


@contextmanager
def _bar(name: str) -> Iterator[Any]:
    """A bar on standard error, where somebody looks at it."""
    from rankwright.cli.console import watched

    if not watched():
        yield lambda share: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(f"  {name}", total=1.0)
        yield lambda share: bar.update(task, completed=share)
