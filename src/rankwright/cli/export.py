"""`rankwright export`: a model in another engine's format, proved to score the same there."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rankwright.cli.parameters import Json
from rankwright.errors import FormatError, InputError

if TYPE_CHECKING:
    from rankwright.exports import Exported

ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="A model file, as `train` writes it.")]
To = Annotated[str, typer.Option("--to", metavar="FORMAT", help="The format; --list shows them.")]
Names = Annotated[
    str | None,
    typer.Option("--features", metavar="FILE", help="Names of the features, one a line; the model's own by default."),
]
Rows = Annotated[
    str | None,
    typer.Option("--rows", metavar="DATA", help="Documents to compare scores on; by default rows at all thresholds."),
]
Variant = Annotated[str, typer.Option("--variant", help="Which of the format's variants; --list shows them.")]


def _show_formats(wanted: bool) -> None:
    if wanted:
        from rankwright.cli.tables import show
        from rankwright.exports import FORMATS

        rows = [[format.name, format.about, ", ".join(format.variants)] for format in FORMATS.values()]
        show(["format", "what reads it", "variants"], rows)
        raise typer.Exit


def export(
    model: ModelFile,
    to: To,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where it goes.")] = "-",
    name: Annotated[str, typer.Option("--name", help="The model's name, in engines where it has one.")] = "model",
    features: Names = None,
    rows: Rows = None,
    variant: Variant = "",
    drop_constant: Annotated[
        bool, typer.Option("--drop-constant", help="Leave out what is added to every score; no ranking changes.")
    ] = False,
    listed: Annotated[
        bool, typer.Option("--list", is_eager=True, callback=_show_formats, help="List the formats.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a model for another engine, after proving that it scores the same there.

    What was written is read again by the engine's own rule and must score rows as the model does. Else nothing is
    written, and the message says why.

    \b
    Example:
      rankwright export model.json --to elasticsearch --name m --features names.txt -o body.json
      rankwright export model.json --to ranklib --rows test.svm -o model.txt
    """
    import rankwright as rw
    from rankwright.cli.console import emit, say
    from rankwright.cli.inputs import STANDARD, read_data, writable, written_file
    from rankwright.exports import FORMATS
    from rankwright.files import write_atomically

    writable(output, "--output")
    ranker = rw.load(model)
    made = rw.export(
        ranker,
        to,
        name=name,
        features=None if features is None else _lines(features),
        rows=None if rows is None else read_data(rows, ranker.n_features_in_),
        variant=variant,
        drop_constant=drop_constant,
    )
    if json:
        where = {"content": _text(made)} if output == STANDARD else {"written": output}
        emit({"format": made.format, **asdict(made.proof), "notes": made.notes, **where})
    if not json or output != STANDARD:
        with written_file(f"model{FORMATS[to].ending}", output) as path:
            write_atomically(path, made.data)
    if not json:
        say(str(made))


def _lines(path: str) -> list[str]:
    """The lines of a file that are not empty."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FormatError(path, 0, "names of features must be UTF-8 text. These are not. Save the file anew.") from None
    return [line.strip() for line in text.splitlines() if line.strip()]


def _text(made: Exported) -> str:
    try:
        return made.data.decode()
    except UnicodeDecodeError:
        raise InputError(f"{made.format} is not text. It cannot stand in JSON. Name a file with -o.") from None
