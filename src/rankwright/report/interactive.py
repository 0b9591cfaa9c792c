"""A step chart to point at and zoom into, by plotly."""

from __future__ import annotations

from typing import Any

from rankwright.report.charts import StepChart, apart, corners, thinned
from rankwright.report.drawing import Drawing, Grid, numbers, said, short, value_text
from rankwright.report.theme import DASHES

MOST = 20_000  # plateaus in a page; beyond, all near the optimum and the extremes of narrow cells elsewhere


def step_drawing(chart: StepChart) -> Drawing:
    """The chart as it stands on a page.

    Parameters
    ----------
    chart : what is to be shown.
    """
    rows = [[f"best, {chart.x} = {chart.best[0]:.4g}", value_text(chart.best[1])]]
    rows += [[reference.name, value_text(reference.value)] for reference in chart.references]
    table = Grid(chart.title, ["", chart.y], rows, strong=0)
    traces = [*_bands(chart), _curve(chart), *_references(chart), _best(chart)]
    return Drawing(chart.title, traces, _layout(chart), table, height=440)


def _bands(chart: StepChart) -> list[dict[str, Any]]:
    traces = []
    for i, band in enumerate(chart.bands):
        (x, low), (_, high) = map(corners, band.edges)
        common = {
            "type": "scatter",
            "mode": "lines",
            "line": {"width": 0, "color": "$main"},
            "hoverinfo": "skip",
            "legendgroup": band.name,
            "visible": i == 0 or "legendonly",
            "x": numbers(x),
        }
        traces.append({**common, "y": numbers(low), "showlegend": False})
        traces.append({**common, "y": numbers(high), "name": said(band.name), "fill": "tonexty"})
        traces[-1]["fillcolor"] = f"$main/{0.15 if i == 0 else 0.1}"
    return traces


def _curve(chart: StepChart) -> dict[str, Any]:
    x, y = corners(thinned(chart.steps, MOST, chart.plateau))
    return {
        "type": "scatter",
        "mode": "lines",
        "name": said(chart.y),
        "x": [float(f"{value:.9g}") for value in x.tolist()],
        "y": numbers(y),
        "line": {"color": "$main", "width": 1.8},
        "hovertemplate": f"{said(chart.x)} = %{{x:.4g}}<br>%{{y:.4f}}<extra></extra>",
    }


def _references(chart: StepChart) -> list[dict[str, Any]]:
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": f"{said(reference.name)}  {reference.value:.4f}",
            "x": list(chart.domain),
            "y": numbers([reference.value] * 2),
            "line": {"color": _other(i), "width": 1.5, "dash": DASHES[i % len(DASHES)]},
            "hovertemplate": "%{y:.4f}<extra></extra>",
        }
        for i, reference in enumerate(chart.references)
    ]


def _best(chart: StepChart) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"best, {said(chart.x)} = {chart.best[0]:.4g}",
        "x": [chart.best[0]],
        "y": numbers([chart.best[1]]),
        "marker": {"size": 11, "color": "$good", "line": {"width": 1.5, "color": "$paper"}},
        "hovertemplate": (
            f"best: {said(chart.x)} = {chart.best[0]:.6g}<br>"
            f"anywhere in ({chart.plateau.lo:.6g}, {chart.plateau.hi:.6g})<br>%{{y:.4f}}<extra></extra>"
        ),
    }


def _other(i: int) -> str:
    return f"$series{1 + i % 5}"


def _layout(chart: StepChart) -> dict[str, Any]:
    low, high = chart.value_range()
    places = apart([r.value for r in chart.references], low, high, 0.05 * (high - low))
    notes: list[dict[str, Any]] = [
        {
            "x": 0.995,
            "xref": "paper",
            "xanchor": "right",
            "y": place,
            "yanchor": "bottom",
            "text": said(short(reference.name)),
            "showarrow": False,
            "font": {"size": 11, "color": _other(i)},
        }
        for i, (reference, place) in enumerate(zip(chart.references, places, strict=True))
    ]
    spans = [(chart.plateau, 0.35)] if chart.likely is None else [(chart.likely, 0.09), (chart.plateau, 0.35)]
    shapes = [
        {
            "type": "rect",
            "x0": span.lo,
            "x1": span.hi,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"width": 0},
            "fillcolor": f"$good/{share}",
            "layer": "below",
        }
        for span, share in spans
    ]
    if chart.ends is not None:
        for i, (sign, end) in enumerate(zip(("← {}", "{} →"), chart.ends, strict=True)):
            text = {"text": sign.format(said(short(end, 20))), "font": {"size": 12, "color": "$faint"}}
            place = {
                "x": i,
                "xref": "paper",
                "xanchor": ("left", "right")[i],
                "y": 0,
                "yref": "paper",
                "yanchor": "top",
            }
            notes.append({**text, **place, "yshift": -26, "showarrow": False})
    return {
        "xaxis": {"title": {"text": said(chart.x)}, "range": list(chart.domain), "showgrid": False, "ticks": "outside"},
        "yaxis": {"title": {"text": said(chart.y)}, "range": [low, high]},
        "annotations": notes,
        "shapes": shapes,
    }
