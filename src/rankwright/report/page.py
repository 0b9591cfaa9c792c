"""A page of charts and tables in one file that needs no network, light or dark as the reader's system is."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from rankwright.report.charts import StepChart, needed
from rankwright.report.drawing import Drawing, Grid, short
from rankwright.report.interactive import step_drawing
from rankwright.report.theme import FONTS, THEMES, colours, css, plotly_template

CONFIG = {
    "displaylogo": False,
    "responsive": True,
    "plotlyServerURL": "",  # nothing is sent anywhere
    "displayModeBar": False,  # a double click undoes all zooming
}
SHORT = 28  # characters of a cell that is not broken into lines


class Strong(str):
    """Words that matter most in a paragraph."""


class Page:
    """Sections put below each other.

    Parameters
    ----------
    title : of the page.
    subtitle : a line below it.
    facts : what the page is about, as names and values.
    """

    def __init__(self, title: str, subtitle: str = "", facts: Mapping[str, str] | None = None) -> None:
        self.title, self.subtitle, self.facts = title, subtitle, dict(facts or {})
        self._body: list[str] = []
        self._sections: list[tuple[str, str]] = []
        self._charts: list[dict[str, Any]] = []
        self._choices = 0

    def section(self, title: str, lead: str = "") -> None:
        """Begins a section, which the contents at the top link to."""
        base = name = re.sub(r"\W+", "-", title.lower()).strip("-") or "section"
        while name in (taken for taken, _ in self._sections):
            name = f"{base}-{len(self._sections)}"
        if self._sections:
            self._body.append("</section>")
        self._sections.append((name, title))
        self._body.append(f'<section aria-labelledby="{name}"><h2 id="{name}">{html.escape(title)}</h2>')
        if lead:
            self.say(lead)

    def say(self, *parts: str) -> None:
        """Adds a paragraph."""
        self._body.append(f"<p>{_marked(parts)}</p>")

    def takeaway(self, *parts: str) -> None:
        """Adds a paragraph that nobody should miss."""
        self._body.append(f'<p class="takeaway">{_marked(parts)}</p>')

    def chart(self, chart: StepChart | Drawing) -> None:
        """Adds a chart that can be pointed at and zoomed into, and its numbers folded behind it."""
        drawn = chart if isinstance(chart, Drawing) else step_drawing(chart)
        name = f"chart{len(self._charts) + 1}"
        self._charts.append({"name": name, **drawn.to_dict()})
        square = " square" if drawn.square else ""
        style = "" if drawn.square else f' style="height:{drawn.height}px"'
        title = html.escape(drawn.title)
        self._body.append(
            f'<figure><figcaption>{title}</figcaption><div class="chart{square}" id="{name}"{style} role="img" '
            f'aria-label="{title}"></div><div class="key" data-of="{name}"></div></figure>'
        )
        if drawn.below:
            self.say(drawn.below)
        if drawn.table is not None:
            self.folded(drawn.table)

    def folded(self, grid: Grid, note: str = "") -> None:
        """Adds a table that is seen when it is asked for."""
        self._body.append("<details><summary>The numbers</summary>")
        self.table(grid, note)
        self._body.append("</details>")

    def choose(self, label: str, charts: Mapping[str, Drawing]) -> None:
        """Adds one of several charts, for the reader to choose; the first until then."""
        if len(charts) == 1:
            self.chart(next(iter(charts.values())))
            return
        self._choices += 1
        name = f"choice{self._choices}"
        options = "".join(f'<option value="{i}">{html.escape(text)}</option>' for i, text in enumerate(charts))
        self._body.append(
            f'<div class="choice"><label for="{name}">{html.escape(label)}</label><select id="{name}" '
            f'autocomplete="off">{options}</select></div>'
        )
        for i, drawn in enumerate(charts.values()):
            self._body.append(f'<div class="panel" data-of="{name}" data-value="{i}"{" hidden" if i else ""}>')
            self.chart(drawn)
            self._body.append("</div>")

    def table(self, grid: Grid, note: str = "") -> None:
        """Adds a table.

        Parameters
        ----------
        grid : the table.
        note : below it.
        """
        right = [_is_numeric([row[j] for row in grid.rows]) for j in range(len(grid.columns))]
        head = "".join(
            f'<th scope="col"{_kind(c, flush)}>{html.escape(c)}</th>'
            for c, flush in zip(grid.columns, right, strict=True)
        )
        body = "".join(
            ("<tr class='strong'>" if i == grid.strong else "<tr>")
            + "".join(
                f"<td{_kind(cell, flush)}>{html.escape(cell)}</td>" for cell, flush in zip(row, right, strict=True)
            )
            + "</tr>"
            for i, row in enumerate(grid.rows)
        )
        caption = html.escape(grid.caption)
        self._body.append(
            f'<div class="wide" role="region" aria-label="{caption}" tabindex="0"><table><caption>{caption}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
        if note:
            self.say(note)

    def text(self) -> str:
        """The page, whole."""
        given = {
            "charts": self._charts,
            "themes": {mode: colours(theme) for mode, theme in THEMES.items()},
            "template": {"layout": plotly_template()},
            "config": CONFIG,
        }
        links = "".join(f'<a href="#{name}">{html.escape(short(title, 40))}</a>' for name, title in self._sections)
        facts = "".join(f"<div><dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd></div>" for k, v in self.facts.items())
        return Template(_resource("page.html")).substitute(
            title=html.escape(self.title),
            subtitle=html.escape(self.subtitle),
            facts=f"<dl>{facts}</dl>" if facts else "",
            css=css() + Template(_resource("page.css")).substitute(fonts=", ".join(f"'{font}'" for font in FONTS)),
            contents=f'<nav aria-label="Contents">{links}</nav>' if len(self._sections) > 1 else "",
            body="\n".join([*self._body, "</section>" if self._sections else ""]),
            script=self._script(given) if self._charts else "",
        )

    def _script(self, given: dict[str, Any]) -> str:
        data = json.dumps(given, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
        return (
            f'<script type="application/gzip" id="plotly">{plotly_compressed()}</script>\n'
            f'<script type="application/json" id="given">{data}</script>\n<script>\n{_resource("page.js")}</script>'
        )


@cache
def plotly_compressed() -> str:
    """plotly.js, which is 5 MB, in less than half of that; the browser takes it apart."""
    library = needed("plotly.offline", "a report").get_plotlyjs()
    return base64.b64encode(gzip.compress(library.encode(), mtime=0)).decode()


@cache
def _resource(name: str) -> str:
    return files("rankwright.report").joinpath(name).read_text(encoding="utf-8")


def _marked(parts: Sequence[str]) -> str:
    return "".join(f"<b>{html.escape(p)}</b>" if isinstance(p, Strong) else html.escape(p) for p in parts)


def _kind(cell: str, flush: bool) -> str:
    return ' class="number"' if flush else f' class="{"short" if len(cell) <= SHORT else "long"}"'


def _is_numeric(cells: Sequence[str]) -> bool:
    """Whether all that is in a column looks like numbers."""
    filled = [cell for cell in cells if cell not in ("", "–")]
    return bool(filled) and all(
        cell[:1] in "+-−0123456789.<[≤" and any(c.isdigit() for c in cell) and not re.search("[a-zA-Z]{2}", cell)
        for cell in filled
    )
