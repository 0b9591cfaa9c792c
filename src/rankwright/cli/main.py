"""The command `rankwright`: one file per sub-command, each importing what it needs when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from rankwright.cli.adapt import adapt
from rankwright.cli.combine import combine
from rankwright.cli.compare import compare
from rankwright.cli.convert import convert
from rankwright.cli.demo import demo
from rankwright.cli.describe import describe
from rankwright.cli.evaluate import evaluate
from rankwright.cli.export import export
from rankwright.cli.features import features
from rankwright.cli.flags import RankerCommand
from rankwright.cli.guard import GuardedGroup
from rankwright.cli.import_model import import_model
from rankwright.cli.measures import measures
from rankwright.cli.rank import rank
from rankwright.cli.rankers import rankers
from rankwright.cli.reproduce import reproduce
from rankwright.cli.score import score
from rankwright.cli.synth import synth
from rankwright.cli.train import train

# rich's help pages look nicer, but importing rich takes longer than all the rest of `rankwright --help`
app = typer.Typer(cls=GuardedGroup, rich_markup_mode=None, invoke_without_command=True, pretty_exceptions_enable=False)

app.command()(demo)
app.command(cls=RankerCommand)(train)
for command in (
    evaluate, rank, score, compare, combine, adapt, describe, convert, export, features, synth, rankers, measures,
    reproduce,
):  # fmt: skip
    app.command()(command)
app.command("import")(import_model)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"rankwright {version('rankwright')}")
        raise typer.Exit


@app.callback()
def about(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Learning to rank: train on the measure you are judged by, and know how good the ranking is.

    \b
    rankwright demo                                            see it work, on artificial data
    rankwright train train.svm --ranker adarank -o model.json  train
    rankwright evaluate model.json test.svm -m nDCG@10         measure
    rankwright COMMAND --help                                  every command shows an example
    """
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


def main() -> None:
    """The entry point."""
    app(prog_name="rankwright")
