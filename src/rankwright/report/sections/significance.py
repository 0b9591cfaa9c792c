"""Whether differences are more than chance: the best system against the others, and every pair at a glance."""

from __future__ import annotations

from typing import Any

from rankwright.evaluation import Comparison
from rankwright.evaluation.comparison import TESTS
from rankwright.report.contents import Contents
from rankwright.report.drawing import Drawing, Grid, categories, numbers, p_text, said, short, short_names, signed
from rankwright.report.page import Page

NAMES = {"t": "t", "wilcoxon": "Wilcoxon", "randomisation": "randomisation"}
WRITTEN = 10  # systems up to which a cell has room for its number
CELL = 34  # pixels; a number is wider
NUMBER = 46
COLOURS = [[0, "$series1/0.4"], [0.499, "$series1/0.4"], [0.5, "$panel"], [0.501, "$main/0.4"], [1, "$main/0.4"]]


def add_significance(page: Page, given: Contents) -> None:
    """One system against the others as a table; all pairs as a matrix."""
    found = given.comparison
    if found is None or not (rows := _rows(found)):
        return
    m, reference = str(found.measures[0]), found.baseline or given.order[0]
    n = found.pairs().n_rows
    page.section(
        "Significance",
        f"Tests of the difference in {m}, query by query, with Holm's correction over all {n} comparisons of this "
        f"page, so that the chance of any false alarm stays below {1 - found.confidence:.2g}. "
        "The verdict is that of the randomisation test.",
    )
    page.table(_against(given, found, reference, rows))
    if found.baseline is None and len(given.order) > 2:
        page.chart(_matrix(given, found, rows))


def _rows(found: Comparison) -> dict[tuple[str, str], dict[str, Any]]:
    """The pairs by the first measure, from either side."""
    out = {}
    for row in found.pairs().rows():
        if row["measure"] == str(found.measures[0]):
            out[row["a"], row["b"]] = row
            out[row["b"], row["a"]] = turned(row)
    return out


def turned(row: dict[str, Any]) -> dict[str, Any]:
    """The same pair from the other side."""
    ends = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"], "effect": -row["effect"]}
    return {**row, **ends, "a": row["b"], "b": row["a"], "wins": row["losses"], "losses": row["wins"]}


def _verdict(row: dict[str, Any], found: Comparison) -> str:
    if not row["holm_randomisation"] <= 1 - found.confidence:
        return "no difference found"
    return "▲ better" if row["effect"] > 0 else "▼ worse"


def _against(given: Contents, found: Comparison, reference: str, rows: dict[tuple[str, str], dict[str, Any]]) -> Grid:
    columns = [
        "against",
        f"{short(reference)} is",
        "difference",
        f"{found.confidence:.0%} interval",
        "won / tied / lost",
        "effect",
        *(f"p, {NAMES[test]}" for test in TESTS),
    ]
    cells = []
    for other in given.order:
        row = rows.get((reference, other))
        if row is not None:
            interval = f"[{signed(row['low'])}, {signed(row['high'])}]"
            fought = f"{row['wins']} / {row['ties']} / {row['losses']}"
            p = [p_text(row[f"holm_{test}"]) for test in TESTS]
            difference, effect = signed(row["difference"]), f"{row['effect']:+.2f}".replace("-", "−")
            cells.append([other, _verdict(row, found), difference, interval, fought, effect, *p])
    return Grid(f"{reference} against the others", columns, cells)


def _matrix(given: Contents, found: Comparison, rows: dict[tuple[str, str], dict[str, Any]]) -> Drawing:
    order, m = given.order, str(found.measures[0])
    labels = short_names(order, 20)
    numbered = [f"{place} {labels[name]}" for place, name in enumerate(order, 1)]
    z, text, hover = [], [], []
    for a in order:
        pairs = [rows.get((a, b)) for b in order]
        sure = [row is not None and row["holm_randomisation"] <= 1 - found.confidence for row in pairs]
        z.append([_side(row) if known else 0.0 for row, known in zip(pairs, sure, strict=True)])
        text.append(["" if row is None else _in_cell(row["difference"]) for row in pairs])
        hover.append(["" if row is None else _hover(row) for row in pairs])
    heat = {
        "type": "heatmap",
        "x": [str(place) for place in range(1, len(order) + 1)],
        "y": [said(name) for name in numbered],
        "z": [numbers(line) for line in z],
        "zmin": -1,
        "zmax": 1,
        "colorscale": COLOURS,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "customdata": hover,
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    if len(order) <= WRITTEN:
        heat |= {"text": text, "texttemplate": "%{text}", "textfont": {"size": 11, "color": "$ink"}}
    across = categories([str(place) for place in range(1, len(order) + 1)], side="top", showgrid=False, ticks="")
    down = categories(numbered, autorange="reversed", showgrid=False, ticks="", ticklabelstandoff=6)
    return Drawing(
        f"Every pair by {m}: the row's difference to the column",
        [heat],
        {"xaxis": across, "yaxis": down},
        _table(found),
        height=46 + CELL * len(order),
        written_from=170 + NUMBER * len(order),
        below="Blue: the row is significantly better than the column. Orange: significantly worse. "
        "Grey: no difference found.",
    )


def _side(row: dict[str, Any] | None) -> float:
    return 0.0 if row is None else 1.0 if row["effect"] > 0 else -1.0


def _in_cell(difference: float) -> str:
    """+.012: as short as it can be."""
    return f"{difference:+.3f}".replace("0.", ".", 1).replace("-", "−")


def _hover(row: dict[str, Any]) -> str:
    return (
        f"{said(row['a'])} − {said(row['b'])}: {signed(row['difference'])}<br>"
        f"{row['wins']} won, {row['ties']} tied, {row['losses']} lost<br>p = {p_text(row['holm_randomisation'])}"
    )


def _table(found: Comparison) -> Grid:
    columns = ["measure", "a", "b", "a − b", f"{found.confidence:.0%} interval", "won / tied / lost"]
    columns += [f"p, {NAMES[test]}" for test in TESTS]
    rows = [
        [
            row["measure"],
            row["a"],
            row["b"],
            signed(row["difference"]),
            f"[{signed(row['low'])}, {signed(row['high'])}]",
            f"{row['wins']} / {row['ties']} / {row['losses']}",
            *(p_text(row[f"holm_{test}"]) for test in TESTS),
        ]
        for row in found.pairs().rows()
    ]
    return Grid("All pairs, by every measure", columns, rows)
