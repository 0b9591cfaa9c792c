"""The means of all systems with their intervals."""

from __future__ import annotations

from rankwright.evaluation import Comparison
from rankwright.evaluation.comparison_text import in_spans
from rankwright.report.contents import Contents
from rankwright.report.drawing import Drawing, Grid, categories, numbers, said, short, short_names, value_text
from rankwright.report.page import Page

ROW = 32  # pixels
BEST, LEVEL, WORSE = ("$good", "circle"), ("$good", "circle-open"), ("$faint", "circle")
BETTER, BASELINE, NEITHER = ("$good", "circle"), ("$main", "diamond"), ("$faint", "circle-open")


def add_leaderboard(page: Page, given: Contents) -> None:
    """One chart for each measure; one table of all."""
    found = given.comparison
    if found is None:
        return
    queries = "1 query" if found.n_queries == 1 else f"{found.n_queries:,} queries"
    folds = f" ({found.n_folds} folds, each ranked by what has not seen it)" if found.n_folds > 1 else ""
    page.section(
        "Leaderboard",
        f"Means over {queries}{folds} with their {found.confidence:.0%} confidence intervals, by BCa bootstrap over "
        "the queries.",
    )
    page.choose("Measure", {str(m): _chart(found, given.order, str(m)) for m in found.measures})
    page.table(_table(given, found))


def _chart(found: Comparison, order: list[str], m: str) -> Drawing:
    board = {row["system"]: row for row in found.leaderboard().rows()}
    lower_is_better = found.measures[[str(x) for x in found.measures].index(m)].lower_is_better
    ranked = sorted(order, key=lambda name: _key(board[name][m], lower_is_better))
    labels = short_names(ranked)
    traces = []
    for kind, (colour, symbol), members in _groups(found, ranked, m):
        if not members:
            continue
        rows = [board[name] for name in members]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": said(kind),
                "x": numbers(row[m] for row in rows),
                "y": [said(labels[name]) for name in members],
                "error_x": {
                    "type": "data",
                    "symmetric": False,
                    "array": numbers(row[f"{m} high"] - row[m] for row in rows),
                    "arrayminus": numbers(row[m] - row[f"{m} low"] for row in rows),
                    "color": colour,
                    "thickness": 1.8,
                    "width": 5,
                },
                "marker": {"size": 10, "color": colour, "symbol": symbol, "line": {"width": 2, "color": colour}},
                "text": [_hover(row, m) for row in rows],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    better = "lower is better" if lower_is_better else "higher is better"
    axis = categories([labels[name] for name in ranked], autorange="reversed", showgrid=False, ticklabelstandoff=8)
    return Drawing(
        f"{m}, {better}",
        traces,
        {"yaxis": axis, "xaxis": {"title": {"text": said(m)}, "showline": True, "ticks": "outside"}},
        height=70 + ROW * len(ranked),
    )


def _key(value: float, lower_is_better: bool) -> tuple[bool, float]:
    return value != value, value if lower_is_better else -value


def _hover(row: dict[str, float], m: str) -> str:
    return f"{said(row['system'])}<br>{row[m]:.4f}  [{value_text(row[f'{m} low'])}, {value_text(row[f'{m} high'])}]"


def _groups(found: Comparison, ranked: list[str], m: str) -> list[tuple[str, tuple[str, str], list[str]]]:
    """What can be said of whom, how it is drawn, and the systems: only of what was tested is anything said."""
    if found.baseline is None:
        best, *others = ranked
        worse = found.beaten(best, m)
        return [
            ("best", BEST, [best]),
            ("cannot be told from the best", LEVEL, [name for name in others if name not in worse]),
            ("significantly worse", WORSE, [name for name in others if name in worse]),
        ]
    others = [name for name in ranked if name != found.baseline]
    worse = found.beaten(found.baseline, m)
    better = [name for name in others if found.baseline in found.beaten(name, m)]
    neither = [name for name in others if name not in worse and name not in better]
    return [
        (f"better than {short(found.baseline)}", BETTER, better),
        (short(found.baseline), BASELINE, [found.baseline]),
        ("no difference found", NEITHER, neither),
        ("worse", WORSE, worse),
    ]


def _table(given: Contents, found: Comparison) -> Grid:
    board = {row["system"]: row for row in found.leaderboard().rows()}
    columns = ["", "system"]
    for m in map(str, found.measures):
        columns += [m, f"{found.confidence:.0%} interval"]
    columns += ["better than", *(["trained in"] if given.seconds else [])]
    rows = []
    places = [str(place) for place in range(1, len(given.order) + 1)]
    for place, name in zip(places, given.order, strict=True):
        cells = [place, name]
        for m in map(str, found.measures):
            row = board[name]
            cells += [value_text(row[m]), f"{value_text(row[f'{m} low'])}–{value_text(row[f'{m} high'])}"]
        beaten = [given.order.index(other) for other in found.beaten(name, str(found.measures[0]))]
        cells.append(in_spans(beaten, places))
        if given.seconds:
            cells.append(_time(given.seconds.get(name)))
        rows.append(cells)
    return Grid("The leaderboard", columns, rows, strong=0)


def _time(elapsed: float | None) -> str:
    if elapsed is None:
        return "–"
    return f"{elapsed:.2f} s" if elapsed < 10 else f"{elapsed:.0f} s"
