"""The command `rankwright`: one file per sub-command, each importing what it needs when it runs."""

from __future__ import annotations

import atexit
import gc
import sys
from importlib import import_module
from typing import Annotated

import typer

from rankwright.cli.flags import RankerCommand
from rankwright.cli.guard import GuardedGroup
from rankwright.cli.words import QuickCommand

COMMANDS = {  # in the order of the help page: name, and where it is when not in the module of that name
    "demo": "demo", "train": "train", "evaluate": "evaluate", "rank": "rank", "score": "score", "compare": "compare",
    "combine": "combine", "adapt": "adapt", "describe": "describe", "convert": "convert", "export": "export",
    "features": "features", "synth": "synth", "rankers": "rankers", "measures": "measures", "reproduce": "reproduce",
    "import": "import_model",
}  # fmt: skip


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"rankwright {version('rankwright')}")
        raise typer.Exit


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


def application(*names: str) -> typer.Typer:
    """The command with some of its sub-commands."""
    # rich's help pages look nicer, but importing rich takes longer than all the rest of `rankwright --help`
    app = typer.Typer(
        cls=GuardedGroup, rich_markup_mode=None, invoke_without_command=True, pretty_exceptions_enable=False
    )
    app.callback()(about)
    for name in names:
        found = getattr(import_module(f"rankwright.cli.{COMMANDS[name]}"), COMMANDS[name])
        app.command(name, cls=RankerCommand if name == "train" else QuickCommand)(found)
    return app


def main() -> None:
    """The entry point. A sub-command that is named is read alone: the others take longer than many a training."""
    named = sys.argv[1] if len(sys.argv) > 1 else ""
    atexit.register(gc.freeze)  # Python would look for cycles in all there is, for 0.02 s, and then throw it all away
    application(*([named] if named in COMMANDS else COMMANDS))(prog_name="rankwright")
