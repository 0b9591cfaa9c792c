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
    from rankwright.cli.console import emit, unmarked
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
        [[o["flag"], o["values"], o["default"], unmarked(o["about"])] for o in options if o["flag"]],
    )


def ranker_options(cls: type[Ranker]) -> list[dict[str, Any]]:
    """A ranker's own options, as its class declares them: name, flag, values, default, meaning.

    The flag is "" where a value cannot be typed; such options are for Python only.
    """
    from rankwright.cli.choices import OWN_FLAGS, trainable_options
    from rankwright.cli.flags import as_flag
    from rankwright.options import option_table

    typed = trainable_options(cls)
    return [
        {**row._asdict(), "flag": as_flag(row.name) if row.name in typed else ""}
        for row in option_table(cls)
        if row.name not in OWN_FLAGS
    ]
