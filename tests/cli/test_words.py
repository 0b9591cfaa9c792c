"""Values are what their declarations say, whether typer's check was needed or not."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from rankwright.cli.words import QuickCommand

SEEN: dict[str, Any] = {}


def _noted(n: int | None) -> int | None:
    SEEN["noted"] = n
    return n


def _command(
    name: str,
    n: Annotated[int, typer.Option("--n", min=0, callback=_noted)] = 3,
    share: Annotated[float | None, typer.Option("--share")] = None,
    title: Annotated[str | None, typer.Option("--title")] = None,
    words: Annotated[list[str] | None, typer.Option("--word")] = None,
    flag: Annotated[bool, typer.Option("--flag")] = False,
) -> None:
    SEEN.update(name=name, n=n, share=share, title=title, words=words, flag=flag)


def run(cls: Any, *args: str) -> tuple[int, dict[str, Any], str]:
    app = typer.Typer(rich_markup_mode=None)
    app.command(cls=cls)(_command)
    SEEN.clear()
    done = CliRunner().invoke(app, list(args))
    return done.exit_code, dict(SEEN), done.output


@pytest.mark.parametrize(
    "args",
    [
        ["a"],
        ["a", "--n", "7", "--share", "0.5", "--title", "t", "--word", "x", "--word", "y", "--flag"],
        ["1", "--title", "2", "--word", "3"],
        ["a", "--n", "-1"],
        ["a", "--n", "many"],
        ["a", "--share", "half"],
        ["a", "--title"],
        ["a", "b"],
        ["", "--title", ""],
        [],
        ["--help"],
    ],
)
def test_as_typer_itself_reads_them(args: list[str]) -> None:
    assert run(QuickCommand, *args) == run(None, *args)


def test_numbers_are_checked_and_texts_stay_texts() -> None:
    assert run(QuickCommand, "a", "--n", "-1")[0] == 2
    _, seen, _ = run(QuickCommand, "1", "--word", "2")
    assert seen == {
        "noted": 3, "name": "1", "n": 3, "share": None, "title": None, "words": ["2"], "flag": False
    }  # fmt: skip
