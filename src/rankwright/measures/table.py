"""The table of measures and the table of presets, made from the registry, for the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, fields

from rankwright.measures.base import REGISTRY, Measure
from rankwright.measures.presets import PRESETS

_SHARED = {f.name for f in fields(Measure)}


def table() -> str:
    """The library's measures in one Markdown table: name, formula, options of its own, other names."""
    own = {cls for cls in REGISTRY.values() if cls.__module__.startswith("rankwright.")}
    kinds = sorted(own, key=lambda cls: cls.name.lower())
    rows = [(f"`{cls.name}`", _formula(cls), _options(cls), _code(cls.aliases)) for cls in kinds]
    return _markdown(("measure", "value of one query", "options and defaults", "also known as"), rows)


def preset_table() -> str:
    """Every preset in one Markdown table: the tool, what its measures have in common, what each has of its own."""
    rows = []
    for name, tool in PRESETS.items():
        own = [f"{m}: {_listed(options)}" if options else m for m, options in tool.measures.items()]
        rows.append((f"`{name}`", tool.tool, _listed(tool.shared) or "defaults", "; ".join(own)))
    return _markdown(("preset", "tool", "all its measures", "each measure"), rows)


def _listed(options: dict[str, object]) -> str:
    return " ".join(
        f"`{key}={value:g}`" if isinstance(value, float) else f"`{key}={value}`" for key, value in options.items()
    )


def _formula(cls: type[Measure]) -> str:
    cut = " (@k)" if cls.has_cut else ""
    lower = "; lower is better" if cls.lower_is_better else ""
    return (cls.formula or (cls.__doc__ or "").split("\n")[0]).replace("|", "\\|") + lower + cut


def _options(cls: type[Measure]) -> str:
    own = [f for f in fields(cls) if f.name not in _SHARED and f.default is not MISSING]
    return ", ".join(
        f"`{f.name}={f.default:g}`" if isinstance(f.default, float) else f"`{f.name}={f.default}`" for f in own
    )


def _code(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _markdown(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


def fill(page: str) -> str:
    """A page with the tables between its ``<!-- measures -->`` and ``<!-- presets -->`` marks and the next end mark."""
    for mark, made in (("<!-- measures -->", table()), ("<!-- presets -->", preset_table())):
        before, rest = page.split(mark, 1)
        page = before + mark + "\n\n" + made + "\n" + rest[rest.index("<!-- end -->") :]
    return page
