"""A step chart as a picture: PNG, SVG or PDF, by matplotlib."""

from __future__ import annotations

import io
from typing import Any

from rankwright.report.charts import StepChart, apart, corners, needed, thinned
from rankwright.report.theme import DASHES, DASHES_OF_PICTURES, THEMES, Mode, Theme, matplotlib_style

FORMATS = (".png", ".svg", ".pdf")
MOST = 20_000  # plateaus drawn; more cannot be seen


def picture(chart: StepChart, format: str = "png", mode: Mode = "light", size: tuple[float, float] = (9, 5.2)) -> bytes:
    """The chart as the bytes of an image file.

    Parameters
    ----------
    chart : what is to be shown.
    format : ``png``, ``svg`` or ``pdf``.
    mode : ``light`` or ``dark``.
    size : width and height in inches.
    """
    matplotlib = needed("matplotlib", "a picture")
    from matplotlib.figure import Figure

    theme, out = THEMES[mode], io.BytesIO()
    with matplotlib.rc_context(matplotlib_style(theme)):
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.add_subplot()
        _data(axes, chart, theme)
        _references(axes, chart, theme)
        _words(figure, axes, chart, theme)
        made = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[format]
        figure.savefig(out, format=format, dpi=160, metadata=made)
    return out.getvalue()


def _data(axes: Any, chart: StepChart, theme: Theme) -> None:
    low, high = chart.value_range()
    axes.set_xlim(*chart.domain)
    axes.set_ylim(low, high)
    axes.grid(axis="y", linewidth=0.8)
    axes.set_axisbelow(True)
    for band in chart.bands[:1]:
        (x, lower), (_, upper) = map(corners, band.edges)
        axes.fill_between(x, lower, upper, color=theme.main, alpha=0.13, linewidth=0)
    if chart.likely is not None:
        axes.axvspan(chart.likely.lo, chart.likely.hi, color=theme.good, alpha=0.08, linewidth=0)
    x, y = corners(thinned(chart.steps, MOST, chart.plateau))
    axes.plot(x, y, color=theme.main, linewidth=1.5, solid_joinstyle="round")
    axes.axvspan(chart.plateau.lo, chart.plateau.hi, color=theme.good, alpha=0.35, linewidth=0)
    axes.plot([chart.plateau.lo, chart.plateau.hi], [chart.best[1]] * 2, color=theme.good, linewidth=2.6)
    axes.plot(*chart.best, "o", color=theme.good, markersize=7, markeredgecolor=theme.paper, markeredgewidth=1.4)


def _references(axes: Any, chart: StepChart, theme: Theme) -> None:
    low, high = chart.value_range()
    places = apart([r.value for r in chart.references], low, high, 0.042 * (high - low))
    for i, (reference, place) in enumerate(zip(chart.references, places, strict=True)):
        colour = theme.others[i % len(theme.others)]
        dash = DASHES_OF_PICTURES[DASHES[i % len(DASHES)]]
        axes.axhline(reference.value, color=colour, linewidth=1.3, linestyle=dash)
        axes.annotate(
            f"{reference.name}  {reference.value:.4f}",
            xy=(1, reference.value),
            xytext=(1.015, place),
            xycoords=("axes fraction", "data"),
            textcoords=("axes fraction", "data"),
            color=colour,
            va="center",
            fontsize=9,
        )


def _words(figure: Any, axes: Any, chart: StepChart, theme: Theme) -> None:
    axes.set_xlabel(chart.x if chart.ends is None else f"← {chart.ends[0]}        {chart.x}        {chart.ends[1]} →")
    axes.set_ylabel(chart.y)
    axes.set_title(chart.title, loc="left", fontsize=12.5, fontweight="bold", pad=24)
    axes.text(0, 1.025, chart.subtitle, transform=axes.transAxes, fontsize=9.5, color=theme.faint, va="bottom")
    alpha, value = chart.best
    left, right = chart.domain
    right_half = alpha > (left + right) / 2
    axes.annotate(
        f"{chart.x} = {alpha:.4g}\n{value:.4f}",
        xy=chart.best,
        xytext=(-9 if right_half else 9, 3),
        textcoords="offset points",
        ha="right" if right_half else "left",
        va="bottom",
        fontsize=9.5,
        color=theme.good,
        fontweight="bold",
    )
    notes = [f"shaded: {band.name}" for band in chart.bands[:1]]
    notes += [] if chart.likely is None else [f"green: {chart.likely.name} of the best"]
    figure.supxlabel("    ".join(notes), fontsize=8.5, color=theme.faint, x=0.01, ha="left")
