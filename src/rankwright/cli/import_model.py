"""`rankwright import`: another engine's model as one of this library."""

from __future__ import annotations

from typing import Annotated

import typer

from rankwright.cli.parameters import Json

Source = Annotated[
    str, typer.Argument(metavar="FILE", help="LightGBM text, XGBoost JSON or UBJSON, CatBoost JSON, or RankLib text.")
]
Output = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where the model goes.")]


def import_model(source: Source, output: Output = "-", json: Json = False) -> None:
    """Read another engine's model; it scores here as it does there.

    What was written is a model like any other: rank, score, evaluate, compare and export take it. They take the
    engine's own file too.

    \b
    Example:
      rankwright import lgb.txt -o model.json
      rankwright score model.json new.svm -o scores
    """
    from rankwright.cli.console import emit, say, watched
    from rankwright.cli.inputs import STANDARD, local, writable, written_file
    from rankwright.imports import found_in
    from rankwright.rankers.imported import Imported

    writable(output, "--output")
    if watched():
        say(f"reading {source} ...")
    with local(source) as file:
        found = found_in(file)
    if not json or output != STANDARD:
        with written_file("model.json", output) as path:
            Imported.of(found).save(path)
    sizes = {"kind": found.model.kind, "features": found.model.n_features}
    trees = getattr(found.model, "trees", None)
    if trees is not None:
        sizes |= {"trees": len(trees), "leaves": sum(tree.n_leaves for tree in trees)}
    if json:
        emit({"engine": found.engine, **sizes, "notes": found.notes, "written": None if output == STANDARD else output})
        return
    counts = ", ".join(f"{n:,} {what}" for what, n in sizes.items() if what != "kind")
    say(f"{found.engine}: {sizes['kind']} of {counts}.")
    for note in found.notes:
        say(note)
