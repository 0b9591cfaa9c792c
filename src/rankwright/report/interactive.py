"""A step chart to point at and zoom into, by plotly."""

from __future__ import annotations

from typing import Any

from rankwright.report.charts import StepChart, apart, corners, needed, thinned
from rankwright.report.theme import DASHES, FONTS, THEMES, Mode, plotly_layout

MOST = 60_000  # plateaus in a page; beyond, all near the optimum and the extremes of narrow cells elsewhere


def figure(chart: StepChart, mode: Mode = "light") -> Any:
    """The chart as a plotly figure.

    Parameters
    ----------
    chart : what is to be shown.
    mode : the colours it starts with; see :func:`colours` for both.
    """
    go = needed("plotly.graph_objects", "an interactive chart")
    made = go.Figure()
    for i, band in enumerate(chart.bands):
        (x, low), (_, high) = map(corners, band.edges)
        more: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "legendgroup": band.name}
        more |= {"name": band.name, "visible": True if i == 0 else "legendonly"}
        made.add_scatter(x=x, y=low, showlegend=False, **more)
        made.add_scatter(x=x, y=high, fill="tonexty", **more)
    x, y = corners(thinned(chart.steps, MOST, chart.plateau))
    hover = f"{chart.x} = %{{x:.6g}}<br>{chart.y} = %{{y:.6f}}<extra></extra>"
    made.add_scatter(x=x, y=y, mode="lines", name=chart.y, hovertemplate=hover, line={"width": 1.8})
    for i, reference in enumerate(chart.references):
        line = {"width": 1.5, "dash": DASHES[i % len(DASHES)]}
        hover = f"{reference.name}<br>{chart.y} = {reference.value:.6f}<extra></extra>"
        across = {"x": list(chart.domain), "y": [reference.value] * 2}
        made.add_scatter(**across, mode="lines", name=reference.name, line=line, hovertemplate=hover)
    hover = (
        f"best: {chart.x} = {chart.best[0]:.6g}<br>anywhere in ({chart.plateau.lo:.6g}, {chart.plateau.hi:.6g})<br>"
        f"{chart.y} = {chart.best[1]:.6f}<extra></extra>"
    )
    marker = {"size": 11, "line": {"width": 1.5}}
    best = {"x": [chart.best[0]], "y": [chart.best[1]]}
    made.add_scatter(**best, mode="markers", name="best", marker=marker, hovertemplate=hover)
    made.update_layout(_layout(chart))
    restyle, relayout = colours(chart, mode)
    made.update_layout(relayout)
    for i, trace in enumerate(made.data):
        trace.update({key: values[i] for key, values in restyle.items() if values[i] is not None})
    return made


def _layout(chart: StepChart) -> dict[str, Any]:
    low, high = chart.value_range()
    left, right = chart.domain
    places = apart([r.value for r in chart.references], low, high, 0.045 * (high - low))
    notes = [
        {
            "x": 1.0,
            "xref": "paper",
            "xanchor": "left",
            "xshift": 8,
            "y": place,
            "yanchor": "middle",
            "text": f"{reference.name}  {reference.value:.4f}",
            "showarrow": False,
            "align": "left",
        }
        for reference, place in zip(chart.references, places, strict=True)
    ]
    spans = [chart.plateau] if chart.likely is None else [chart.likely, chart.plateau]
    shapes = [
        {"type": "rect", "x0": s.lo, "x1": s.hi, "y0": 0, "y1": 1, "yref": "paper", "line": {"width": 0}} for s in spans
    ]
    x_title = chart.x if chart.ends is None else f"← {chart.ends[0]}      {chart.x}      {chart.ends[1]} →"
    widest = max((len(r.name) for r in chart.references), default=0)
    return {
        "font": {"family": ", ".join(FONTS) + ", sans-serif", "size": 13},
        "margin": {"l": 64, "r": 90 + 7 * widest, "t": 16, "b": 96},
        "height": 520,
        "hovermode": "closest",
        "legend": {"orientation": "h", "x": 0, "y": -0.17, "yanchor": "top"},
        "xaxis": {"title": {"text": x_title}, "range": [left, right], "showgrid": False, "ticks": "outside"},
        "yaxis": {"title": {"text": chart.y}, "range": [low, high], "zeroline": False},
        "annotations": notes,
        "shapes": shapes,
    }


def colours(chart: StepChart, mode: Mode) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """What differs between light and dark: per trace, and of the layout; as plotly's `update` takes them."""
    theme = THEMES[mode]
    bands = [(None, None), (None, _faded(theme.main, 0.15))] * len(chart.bands)
    others = [(theme.others[i % len(theme.others)], None) for i in range(len(chart.references))]
    lines = [*bands, (theme.main, None), *others, (None, None)]
    n = len(lines)
    restyle: dict[str, list[Any]] = {
        "line.color": [line for line, _ in lines],
        "fillcolor": [fill for _, fill in lines],
        "marker.color": [None] * (n - 1) + [theme.good],
        "marker.line.color": [None] * (n - 1) + [theme.paper],
    }
    layout = plotly_layout(theme)
    fades = (0.35,) if chart.likely is None else (0.09, 0.35)
    layout |= {f"shapes[{i}].fillcolor": _faded(theme.good, fade) for i, fade in enumerate(fades)}
    layout |= {f"annotations[{i}].font.color": colour for i, (colour, _) in enumerate(others)}
    return restyle, layout


def _faded(colour: str, share: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {share})"
