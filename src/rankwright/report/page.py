"""A page of charts and tables in one file that needs no network, light or dark as the reader's system is."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from typing import Any

from rankwright.report.charts import StepChart, needed
from rankwright.report.interactive import colours, figure
from rankwright.report.theme import FONTS, css

CONFIG = {
    "displaylogo": False,
    "responsive": True,
    "plotlyServerURL": "",  # nothing is sent anywhere
    "modeBarButtonsToRemove": ["sendChartToCloud", "select2d", "lasso2d", "autoScale2d"],
}


class Page:
    """Sections put below each other.

    Parameters
    ----------
    title : of the page.
    subtitle : a line below it.
    """

    def __init__(self, title: str, subtitle: str = "") -> None:
        self.title, self.subtitle = title, subtitle
        self._body: list[str] = []
        self._charts: list[dict[str, Any]] = []

    def chart(self, chart: StepChart) -> None:
        """Adds a chart that can be pointed at and zoomed into."""
        name = f"chart{len(self._charts) + 1}"
        light, dark = ({"traces": t, "layout": lay} for t, lay in (colours(chart, "light"), colours(chart, "dark")))
        made = json.loads(figure(chart).to_json())
        drawn = {"data": made["data"], "layout": made["layout"] | {"template": None}}
        self._charts.append({"name": name, **drawn, "light": light, "dark": dark})
        self._heading(chart.title, chart.subtitle)
        self._body.append(f'<div class="chart" id="{name}" role="img" aria-label="{html.escape(chart.title)}"></div>')

    def table(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> None:
        """Adds a table; cells that look like numbers are set flush right.

        Parameters
        ----------
        title : above it.
        columns, rows : headings and cells.
        note : below it.
        """
        self._heading(title)
        head = "".join(f"<th>{html.escape(c)}</th>" for c in columns)
        body = "".join(
            "<tr>" + "".join(f"<td{_number(cell)}>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        self._body.append(f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>')
        if note:
            self._body.append(f"<p>{html.escape(note)}</p>")

    def _heading(self, title: str, below: str = "") -> None:
        self._body.append(f"<h2>{html.escape(title)}</h2>" + (f"<p>{html.escape(below)}</p>" if below else ""))

    def text(self) -> str:
        """The page, whole."""
        script = ""
        if self._charts:
            plotly = needed("plotly.offline", "an interactive chart").get_plotlyjs()
            charts = json.dumps(self._charts, ensure_ascii=False).replace("</", "<\\/")
            script = f"<script>{plotly}</script>\n<script>\nconst charts = {charts};\n{_SCRIPT}</script>"
        return _PAGE.format(
            title=html.escape(self.title),
            subtitle=html.escape(self.subtitle),
            css=css(),
            fonts=", ".join(f"'{font}'" for font in FONTS),
            body="\n".join(self._body),
            script=script,
        )


def _number(cell: str) -> str:
    return ' class="number"' if cell[:1] in "+-−0123456789<" and any(c.isdigit() for c in cell) else ""


_SCRIPT = (
    """\
const config = """
    + json.dumps(CONFIG)
    + """;
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const mode = () => root.dataset.theme || (dark.matches ? "dark" : "light");
const recolour = () => charts.forEach(c => Plotly.update(c.name, c[mode()].traces, c[mode()].layout));
for (const c of charts) Plotly.newPlot(c.name, c.data, c.layout, config);
recolour();
dark.addEventListener("change", recolour);
document.getElementById("theme").addEventListener("click", () => {
  root.dataset.theme = mode() === "dark" ? "light" : "dark";
  recolour();
});
"""
)

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{css}
body {{ margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 {fonts}, sans-serif; }}
main {{ max-width: 1080px; margin: 0 auto; padding: 28px 24px 56px; }}
h1 {{ font-size: 26px; margin: 0; }} h2 {{ font-size: 18px; margin: 36px 0 4px; }}
p {{ color: var(--faint); margin: 0 0 8px; }}
header {{ display: flex; justify-content: space-between; align-items: start; gap: 16px; }}
button {{ font: inherit; color: var(--faint); background: none; border: 1px solid var(--grid); border-radius: 6px;
  padding: 4px 10px; cursor: pointer; }}
button:hover {{ color: var(--ink); border-color: var(--faint); }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--grid); }}
th {{ color: var(--faint); font-weight: 600; font-size: 13px; }}
td.number {{ white-space: nowrap; }}
</style>
</head>
<body>
<main>
<header><div><h1>{title}</h1><p>{subtitle}</p></div><button id="theme" type="button">light / dark</button></header>
{body}
</main>
{script}
</body>
</html>
"""
