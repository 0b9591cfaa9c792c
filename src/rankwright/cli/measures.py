"""`rankwright measures`: what can be measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli.parameters import Json

if TYPE_CHECKING:
    from rankwright.measures import Measure


def measures(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One measure, to see its options.")] = None,
    json: Json = False,
) -> None:
    """List the measures and presets, or the options of one measure.

    \b
    Example:
      rankwright measures
      rankwright measures nDCG
    """
    from rankwright.cli.console import emit, unmarked
    from rankwright.cli.tables import show
    from rankwright.measures import REGISTRY, measure
    from rankwright.measures.presets import PRESETS

    if name is not None:
        kind = type(measure(name))
        options = measure_options(kind)
        if json:
            emit({"measure": kind.name, "about": about(kind), "options": options})
            return
        print(f"{kind.name}: {about(kind)}\nWritten {kind.name}(option=value,...)@k.")
        columns = ["name", "values", "default", "about"]
        show(["option", "values", "default", "meaning"], [[option[c] for c in columns] for option in options])
        return
    kinds = list(dict.fromkeys(REGISTRY.values()))
    presets = {name: preset.tool for name, preset in PRESETS.items()}
    if json:
        emit({"measures": [_row(kind) for kind in kinds], "presets": presets})
    else:
        show(["measure", "also", "what it is"], [[k.name, ", ".join(k.aliases), about(k)] for k in kinds])
        show(["preset", "gives the numbers of"], [[name, unmarked(tool)] for name, tool in presets.items()])


def _row(kind: type[Measure]) -> dict[str, Any]:
    better = "lower" if kind.lower_is_better else "higher"
    return {"name": kind.name, "aliases": list(kind.aliases), "better": better, "about": about(kind)}


def about(kind: type[Any]) -> str:
    """The first sentence of a class's docstring."""
    from rankwright.cli.console import unmarked

    first = (kind.__doc__ or "").strip().split("\n\n")[0]
    return unmarked(" ".join(first.split()))


def measure_options(kind: type[Measure]) -> list[dict[str, str]]:
    """A measure's options, as its class declares them: name, values, default, meaning."""
    from rankwright.cli.console import unmarked
    from rankwright.options import option_table

    return [row._asdict() | {"about": unmarked(row.about)} for row in option_table(kind)]
