"""Learning curves: the measure on training and on validation data, round by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankwright.report.contents import Contents
from rankwright.report.drawing import Drawing, Grid, line, numbers, said, short_names, value_text
from rankwright.report.page import Page
from rankwright.report.theme import Style

if TYPE_CHECKING:
    from rankwright.rankers import Ranker

SHOWN = 5  # rankers drawn at first
MOST_ROUNDS = 500  # points of a curve
KEPT = "The mark is the round that was kept."


def add_learning(page: Page, given: Contents) -> None:
    """All rankers on one chart, then each by itself."""
    trained = {name: [r for r in folds if len(r.history_) > 1] for name, folds in given.fitted().items()}
    trained = {name: folds for name, folds in trained.items() if folds}
    if not trained:
        return
    judged = _part(trained)
    folds = max(map(len, trained.values()))
    many = "Means over the folds, as long as all of them were trained." if folds > 1 else KEPT
    page.section(
        "Learning curves",
        f"The measure each ranker was trained for, round by round. {many}",
    )
    charts = {f"all, on {PARTS[judged]}": _together(given, trained, judged)} if len(trained) > 1 else {}
    page.choose("Rankers", charts | {name: _alone(name, folds) for name, folds in trained.items()})


PARTS = {"train": "training data", "valid": "validation data"}


def _part(trained: dict[str, list[Ranker]]) -> str:
    """Validation data, where all rankers had some: what cannot be compared is not drawn together."""
    return "valid" if all("valid" in folds[0].history_[0] for folds in trained.values()) else "train"


def mean_curve(folds: Sequence[Ranker], part: str) -> Any:
    """The mean over folds, up to the shortest; empty where it was not recorded."""
    n = min(len(ranker.history_) for ranker in folds)
    rows = [[row.get(part, np.nan) for row in ranker.history_[:n]] for ranker in folds]
    return np.mean(rows, axis=0)


def _points(name: str, curve: Any, style: Style) -> dict[str, Any]:
    kept = np.unique(np.linspace(0, len(curve) - 1, min(len(curve), MOST_ROUNDS)).astype(np.int64))
    trace = line(name, (kept + 1).tolist(), curve[kept], style)
    return {**trace, "hovertemplate": "round %{x}: %{y:.4f}<extra>%{fullData.name}</extra>"}


def _kept(folds: Sequence[Ranker], part: str, style: Style) -> dict[str, Any]:
    """The round that was kept; of one fold, since folds keep different ones."""
    at = folds[0].best_round_
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [at],
        "y": numbers([folds[0].history_[at - 1].get(part, np.nan)]),
        "marker": {"color": style.colour, "symbol": style.symbol, "size": 10, "line": {"color": "$paper", "width": 1}},
        "hovertemplate": "kept: round %{x}, %{y:.4f}<extra></extra>",
        "showlegend": False,
    }


def _together(given: Contents, trained: dict[str, list[Ranker]], part: str) -> Drawing:
    traces, names = [], short_names(list(trained))
    for place, (name, folds) in enumerate(trained.items()):
        style, state = given.style(name), True if place < SHOWN else "legendonly"
        curve = _points(names[name], mean_curve(folds, part), style)
        marks = [] if len(folds) > 1 else [_kept(folds, part, style)]
        traces += [{**trace, "legendgroup": str(place), "visible": state} for trace in (curve, *marks)]
    rows = [
        [name, _rounds(folds), _best(folds), *(_at_best(folds, p) for p in PARTS)] for name, folds in trained.items()
    ]
    columns = ["ranker", "rounds", "kept", *(f"on {words}" for words in PARTS.values())]
    return Drawing(
        f"All rankers, on {PARTS[part]}",
        traces,
        _layout(next(iter(trained.values()))[0]),
        Grid("Rounds, and the measure at the one kept", columns, rows),
        height=400,
    )


def _alone(name: str, folds: list[Ranker]) -> Drawing:
    styles = {"train": Style("$series1", "dash", "square"), "valid": Style("$main", "solid", "circle")}
    traces = []
    for part, words in PARTS.items():
        curve = mean_curve(folds, part)
        if np.isfinite(curve).any():
            traces.append(_points(words, curve, styles[part]))
            traces += [_kept(folds, part, styles[part])] if len(folds) == 1 else []
    step = max(len(folds[0].history_) // 10, 1)
    shown = sorted({*range(0, len(folds[0].history_), step), folds[0].best_round_ - 1})
    recorded = [column for column in folds[0].history_[0] if column in PARTS]
    rows = [[str(i + 1), *(value_text(folds[0].history_[i][c]) for c in recorded)] for i in shown]
    fold = ", fold 1" if len(folds) > 1 else ""
    grid = Grid(f"Some rounds of {name}{fold}", ["round", *(PARTS[c] for c in recorded)], rows)
    return Drawing(f"{name}: {_rounds(folds)} rounds, kept {_best(folds)}", traces, _layout(folds[0]), grid, height=360)


def _layout(ranker: Ranker) -> dict[str, Any]:
    y = {"title": {"text": said(ranker.measure)}}
    return {"xaxis": {"title": {"text": "round"}, "showgrid": False, "rangemode": "tozero"}, "yaxis": y}


def _range(values: list[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low}–{high}"


def _rounds(folds: Sequence[Ranker]) -> str:
    return _range([len(ranker.history_) for ranker in folds])


def _best(folds: Sequence[Ranker]) -> str:
    return _range([ranker.best_round_ for ranker in folds])


def _at_best(folds: Sequence[Ranker], part: str) -> str:
    values = [ranker.history_[ranker.best_round_ - 1].get(part, np.nan) for ranker in folds]
    return value_text(float(np.mean(values)))
