"""Where the best system wins and where it loses, query by query."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankwright.evaluation import Comparison
from rankwright.report.contents import Contents
from rankwright.report.drawing import Drawing, Grid, numbers, said, short, signed, value_text
from rankwright.report.page import Page

MOST_DRAWN = 2_000  # queries; more cannot be told apart, and every one is a thing the browser has to keep
MOST_SYSTEMS = 12  # to compare with, best first
LISTED = 8  # queries won and queries lost
KINDS = (
    ("won", 1, "$main", "circle"),
    ("tied", 0, "$faint", "diamond"),
    ("lost", -1, "$series1", "square"),
)


def add_queries(page: Page, given: Contents) -> None:
    """The best system, or the baseline, against each of the others."""
    found = given.comparison
    if found is None or len(given.order) < 2:
        return
    one = given.order[0]
    others = [name for name in given.order if name != one][:MOST_SYSTEMS]
    m = found.measures[0]
    better = "below" if m.lower_is_better else "above"
    page.section(
        "Query by query",
        f"Every dot is a query. {better.capitalize()} the diagonal {one} is better. "
        "The queries that differ most are worth looking at by hand.",
    )
    page.choose(f"{one} against", {other: _chart(found, one, other) for other in others})


def _chart(found: Comparison, one: str, other: str) -> Drawing:
    m = found.measures[0]
    pair = found.pair(m, one, other)
    ids = found.evaluations[one].judged.query_ids[pair.queries]
    ours, theirs = (found.evaluations[name].values[0][pair.queries] for name in (one, other))
    drawn = _some(len(ids))
    seen = np.concatenate([ours, theirs]) if len(ids) else np.array([0.0, 1.0])
    low, high = min(float(seen.min()), 0.0), max(float(seen.max()), 1.0 if seen.max() <= 1.0 else float(seen.max()))
    ends = [low - 0.03 * (high - low), high + 0.03 * (high - low)]
    diagonal = {"type": "scatter", "mode": "lines", "x": ends, "y": ends, "hoverinfo": "skip", "showlegend": False}
    traces: list[dict[str, Any]] = [{**diagonal, "line": {"color": "$faint", "width": 1}}]
    for word, sign, colour, symbol in KINDS:
        is_kind = np.sign(pair.gain) == sign
        at = drawn[is_kind[drawn]]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"{int(is_kind.sum()):,} {word}",
                "x": numbers(theirs[at]),
                "y": numbers(ours[at]),
                "text": [said(query) for query in ids[at].tolist()],
                "hovertemplate": "query %{text}<br>%{y:.4f} against %{x:.4f}<extra></extra>",
                "marker": {"color": colour, "symbol": symbol, "size": 7, "opacity": 0.6},
            }
        )
    of = {name: f"{said(m)} of {said(short(name))}" for name in (one, other)}
    some = f" {len(drawn):,} of {len(ids):,} queries are drawn, at even distances." if len(drawn) < len(ids) else ""
    return Drawing(
        f"{m} of {one} and of {other}",
        traces,
        {
            "xaxis": {"title": {"text": of[other]}, "range": ends, "showgrid": True},
            "yaxis": {"title": {"text": of[one]}, "range": ends, "showgrid": True, "scaleanchor": "x"},
        },
        _table(ids, ours, theirs, pair.gain, (one, other)),
        square=True,
        below=some.strip(),
    )


def _some(n: int) -> Any:
    """All queries, or so many at even distances."""
    return np.arange(n) if n <= MOST_DRAWN else np.linspace(0, n - 1, MOST_DRAWN).astype(np.int64)


def _table(ids: Any, ours: Any, theirs: Any, gain: Any, names: tuple[str, str]) -> Grid:
    """The queries won by most and those lost by most."""
    order = np.argsort(-gain, kind="stable")
    first = [i for i in order[:LISTED].tolist() if gain[i] > 0]
    last = [i for i in order[::-1][:LISTED].tolist() if gain[i] < 0]
    rows = [[str(ids[i]), *map(value_text, (ours[i], theirs[i])), signed(ours[i] - theirs[i])] for i in first + last]
    return Grid("Queries that differ most", ["query", *names, "difference"], rows)
