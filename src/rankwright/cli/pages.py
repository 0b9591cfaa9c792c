"""Pages of the documentation that are made from the code: ``make docs`` writes them, a test checks them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import typer.main

from rankwright.cli.main import COMMANDS, application
from rankwright.cli.measures import about
from rankwright.cli.rankers import ranker_options
from rankwright.files import write_atomically
from rankwright.measures.table import fill
from rankwright.rankers import REGISTRY

DOCS = Path("docs")  # of the checkout this is run in
MADE = "<!-- made from the code by `make docs`; do not edit -->\n\n"


def rankers_page(old: str = "") -> str:
    """Every ranker, with its options as declared and its docstring's words."""
    classes = [REGISTRY[name] for name in sorted(REGISTRY) if REGISTRY[name].__module__.startswith("rankwright.")]
    text = "# Rankers\n\n" + MADE
    text += (
        "Every ranker is a scikit-learn estimator with `fit`, `predict`, `rank`, `score` and `save`, takes a `measure` "
        "to train for and to be judged by, and keeps the round that is best on `valid`. "
        "On the command line an option is a flag of `rankwright train`: `n_rounds` is `--n-rounds`.\n\n"
    )
    rows = [[f"[`{cls.name}`](#{cls.name})", f"`{cls.__name__}`", about(cls), cls.paper] for cls in classes]
    return text + table(["name", "class", "what it does", "paper"], rows) + "\n" + "\n".join(map(_ranker, classes))


def _ranker(cls: Any) -> str:
    options = [[f"`{o['name']}`", o["values"], f"`{o['default']}`", _markdown(o["about"])] for o in ranker_options(cls)]
    paper = f"{cls.paper}\n\n" if cls.paper else ""
    head = f"## {cls.name}\n\n{about(cls)}\n\n{paper}"
    return head + (table(["option", "values", "default", "meaning"], options) if options else "It has no options.\n")


def _markdown(text: str) -> str:
    """A docstring's words with Markdown's marks for code."""
    return re.sub(r":\w+:`~?([^`]*)`|``([^`]*)``", lambda found: f"`{found[1] or found[2]}`", text)


def cli_page(old: str = "") -> str:
    """Every command, with its arguments, options and example."""
    group: Any = typer.main.get_command(application(*COMMANDS))
    text = "# The command line\n\n" + MADE
    text += (
        "Answers go to standard output, everything said on the way to standard error; progress is shown only on a "
        "terminal. `--json` prints one JSON document. `-` is standard input or output. Files are written whole or not "
        "at all.\n\nExit codes: 0 done, 1 something unforeseen, 2 wrong input, option or file, 130 interrupted, "
        "141 the reader of a pipe left.\n\n"
    )
    rows = [[f"[`{name}`](#rankwright-{name})", _first(command)] for name, command in group.commands.items()]
    pages = (_command(name, command) for name, command in group.commands.items())
    return text + table(["command", "what it does"], rows) + "\n" + "\n".join(pages)


def _command(name: str, command: Any) -> str:
    words, _, example = inspect.cleandoc(command.help).partition("\b\nExample:\n")
    text = f"## rankwright {name}\n\n{words.strip()}\n\n```text\n{inspect.cleandoc(example).strip()}\n```\n\n"
    rows = [[_spelled(p), getattr(p, "help", "") or "", _default(p)] for p in command.params if p.name != "help"]
    return text + table(["argument or option", "meaning", "default"], rows)


def _spelled(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    value = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.upper()}"
    return f"`{', '.join(parameter.opts)}{value}`"


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    return "" if parameter.default in (None, False, (), []) else f"`{parameter.default}`"


def _first(command: Any) -> str:
    return str(inspect.cleandoc(command.help).splitlines()[0])


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; bars in cells are escaped."""
    columns = list(columns)
    lines = [columns, ["---"] * len(columns), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


# from a page as it is to the page as it should be: one is written by hand, but for its tables
PAGES: dict[str, Callable[[str], str]] = {"rankers.md": rankers_page, "cli.md": cli_page, "measures.md": fill}


def main() -> None:
    for name, make in PAGES.items():
        page = DOCS / name
        write_atomically(page, make(page.read_text(encoding="utf-8") if page.exists() else "").encode())
        print(page)


if __name__ == "__main__":
    main()
