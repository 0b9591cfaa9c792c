"""`rankwright rankers`: what can be trained, with which options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli.parameters import Json

if TYPE_CHECKING:
    from rankwright.rankers import Ranker


def rankers(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One ranker, to see its options.")] = None,
    json: Json = False,
) -> None:
    """List the rankers, or the options of one.

    \b
    Example:
      rankwright rankers
      rankwright rankers adarank
    """
    from rankwright.cli.choices import ranker_class
    from rankwright.cli.console import emit
    from rankwright.cli.measures import about
    from rankwright.cli.tables import show
    from rankwright.rankers import REGISTRY

    if name is None:
        rows = [{"name": cls.name, "about": about(cls), "paper": cls.paper} for cls in REGISTRY.values()]
        if json:
            emit({"rankers": rows})
        else:
            show(["ranker", "what it does", "paper"], [[r["name"], r["about"], r["paper"]] for r in rows])
        return
    cls = ranker_class(name)
    options = ranker_options(cls)
    if json:
        emit({"ranker": cls.name, "about": about(cls), "paper": cls.paper, "options": options})
        return
    print(f"{cls.name}: {about(cls)}" + (f"\n{cls.paper}" if cls.paper else ""))
    show(
        ["flag", "values", "default", "meaning"],
        [[o["flag"], o["values"], str(o["default"]), o["meaning"]] for o in options],
    )


def ranker_options(cls: type[Ranker]) -> list[dict[str, Any]]:
    """A ranker's options: the declaration's types and defaults, the docstring's words."""
    from rankwright.cli.choices import trainable_options
    from rankwright.cli.flags import as_flag

    words = parameter_words(cls)
    return [
        {
            "name": name,
            "flag": as_flag(name),
            "values": str(option),
            "default": option.default,
            "meaning": words.get(name, ""),
        }
        for name, option in trainable_options(cls).items()
    ]


def parameter_words(cls: type[Any]) -> dict[str, str]:
    """What a numpydoc docstring says of each parameter (``name : text``, or ``a, b : text``), bases included."""
    words: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        names: list[str] = []
        inside = False
        for line in _lines(base):
            if line.startswith("---") or not line.strip():
                continue
            if not line.startswith(" ") and " : " not in line:
                inside, names = line.strip() == "Parameters", []
            elif inside and not line.startswith(" "):
                left, _, right = line.partition(" : ")
                names = [part.strip() for part in left.split(",")]
                words.update(dict.fromkeys(names, right.strip()))
            elif inside:
                words.update({name: f"{words[name]} {line.strip()}" for name in names})
    return words


def _lines(cls: type[Any]) -> list[str]:
    from inspect import cleandoc

    return cleandoc(cls.__dict__.get("__doc__") or "").splitlines()
