"""The tables and figures of an experiment, each a section."""

from __future__ import annotations

from rankwright.evaluation.table import Table, shown
from rankwright.report.contents import Contents, CurvesOf, Exhibit
from rankwright.report.drawing import Drawing, Grid, line, said
from rankwright.report.page import Page
from rankwright.report.theme import style

MOST_ROWS = 60  # of a table; charts have all
MOST_POINTS = 1_000


def add_exhibits(page: Page, given: Contents) -> None:
    """Charts first, then the table, then what must be said."""
    for exhibit in given.exhibits:
        page.section(exhibit.title, exhibit.note)
        for curves in exhibit.curves:
            page.chart(_chart(exhibit, curves))
        add = page.folded if exhibit.curves else page.table
        add(_grid(exhibit), _left_out(exhibit.table))


def _chart(exhibit: Exhibit, curves: CurvesOf) -> Drawing:
    kept = _some(exhibit.table.n_rows, MOST_POINTS)
    x = exhibit.table[curves.x][kept].tolist()
    traces = [line(name, x, exhibit.table[name][kept], style(i)) for i, name in enumerate(curves.y)]
    for trace in traces:
        trace["hovertemplate"] = f"{said(curves.x)} %{{x}}: %{{y:.4f}}<extra>%{{fullData.name}}</extra>"
    words = curves.title or ", ".join(curves.y)
    y = said(curves.y[0]) if len(curves.y) == 1 else ""
    layout = {"xaxis": {"title": {"text": said(curves.x)}, "showgrid": False}, "yaxis": {"title": {"text": y}}}
    return Drawing(f"{words} by {curves.x}", traces, layout, height=320)


def _grid(exhibit: Exhibit) -> Grid:
    table = exhibit.table
    rows = _some(table.n_rows, MOST_ROWS)
    cells = [[shown(value) for value in column[rows].tolist()] for column in table.values()]
    return Grid(exhibit.title, list(table), [list(row) for row in zip(*cells, strict=True)])


def _some(n: int, most: int) -> list[int]:
    """All rows, or so many at even distances, the first and the last among them."""
    if n <= most:
        return list(range(n))
    return [round(i * (n - 1) / (most - 1)) for i in range(most)]


def _left_out(table: Table) -> str:
    return f"{MOST_ROWS} of {table.n_rows} rows, at even distances." if table.n_rows > MOST_ROWS else ""
