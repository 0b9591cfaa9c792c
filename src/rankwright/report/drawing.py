"""What a page draws with plotly, put together piece by piece; its colours are names that light and dark fill in."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankwright.report.theme import Style

DIGITS = 6  # of the numbers in a page: more than can be seen, and a third of the bytes
LONGEST = 26  # characters of a name on an axis


@dataclass(frozen=True)
class Grid:
    """A table of a page.

    Parameters
    ----------
    caption : what it shows, for those who cannot see where it stands.
    columns, rows : headings and cells; columns of numbers are set flush right.
    strong : the row to be seen first, or None.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    strong: int | None = None


@dataclass(frozen=True)
class Drawing:
    """A chart of a page.

    Parameters
    ----------
    title : what it shows, in a sentence.
    traces, layout : as plotly has them, but for colours: see :data:`rankwright.report.theme.Colour`.
    table : its numbers.
    height : in pixels; `square` charts are as high as wide.
    written_from : the width in pixels from which there is room for the numbers in its cells.
    below : a line about it.
    """

    title: str
    traces: Sequence[dict[str, Any]]
    layout: Mapping[str, Any]
    table: Grid | None = None
    height: int = 400
    square: bool = False
    written_from: int = 0
    below: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        size = {"height": self.height, "square": self.square, "written_from": self.written_from}
        return {"data": list(self.traces), "layout": dict(self.layout), **size}


def said(text: object) -> str:
    """A user's words, as plotly shows them unchanged: it reads markup in all text."""
    return html.escape(str(text), quote=False)


def short(name: str, longest: int = LONGEST) -> str:
    """A name with its middle left out where it is too long for an axis."""
    if len(name) <= longest:
        return name
    tail = longest // 3
    return f"{name[: longest - tail - 1]}…{name[-tail:]}"


def short_names(names: Sequence[str], longest: int = LONGEST) -> dict[str, str]:
    """Different names stay different."""
    out: dict[str, str] = {}
    taken: set[str] = set()
    for number, name in enumerate(names, 1):
        made = short(name, longest)
        out[name] = made if made not in taken else f"{number} {made}"
        taken.add(out[name])
    return out


def feature_name(name: str) -> str:
    """Features without names of their own are numbered."""
    return f"feature {name}" if name.isdecimal() else name


def numbers(values: Iterable[Any]) -> list[float | None]:
    """Values as JSON has them; what is not finite is a gap."""
    return [round(float(v), DIGITS) if math.isfinite(v) else None for v in values]


def line(name: str, x: Iterable[Any], y: Iterable[Any], style: Style, marks: bool = False) -> dict[str, Any]:
    """A line; its name is in the key below the chart."""
    trace = {
        "type": "scatter",
        "mode": "lines+markers" if marks else "lines",
        "name": said(name),
        "x": list(x),
        "y": numbers(y),
        "line": {"color": style.colour, "dash": style.dash, "width": 2},
    }
    if marks:
        trace["marker"] = {"color": style.colour, "symbol": style.symbol, "size": 8}
    return trace


def categories(names: Iterable[str], **more: Any) -> dict[str, Any]:
    """An axis of names, whatever they look like."""
    listed = [said(name) for name in names]
    return {"type": "category", "categoryorder": "array", "categoryarray": listed, **more}


def value_text(value: float) -> str:
    """A measure to four digits, a dash where there is none."""
    return f"{value:.4f}" if math.isfinite(value) else "–"


def signed(value: float) -> str:
    """A difference, with its sign."""
    return f"{value:+.4f}".replace("-", "−") if math.isfinite(value) else "–"


def p_text(p: float) -> str:
    """A p-value to three digits."""
    return "–" if not math.isfinite(p) else "<0.001" if p < 0.001 else f"{p:.3f}"


def listed(names: Sequence[str], most: int = 4) -> str:
    """a, b and c; beyond a few, how many more."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
