"""Colours and type of everything drawn, light and dark, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Mode = Literal["light", "dark"]

FONTS = ("Inter", "Segoe UI", "Helvetica Neue", "Arial", "DejaVu Sans")  # those of the machine; none is fetched


@dataclass(frozen=True)
class Theme:
    """What is drawn with which colour.

    Parameters
    ----------
    paper, ink, faint, grid, panel : background, text, secondary text, lines behind the data, what is set apart.
    main : what the chart is about; `good`: what is recommended.
    others : lines to compare with, in order; told apart by their dashes and labels too. With `main`, apart for those
        who confuse colours, too, and each at least 3:1 against the paper (tests measure both).
    """

    paper: str
    ink: str
    faint: str
    grid: str
    panel: str
    main: str
    good: str
    others: tuple[str, ...]


THEMES: dict[Mode, Theme] = {
    "light": Theme(
        paper="#ffffff",
        ink="#1d2330",
        faint="#5c6675",
        grid="#e6e9ee",
        panel="#f5f7fa",
        main="#1f6fd6",
        good="#0f8a5f",
        others=("#d9730d", "#7b0455", "#955286", "#b50607", "#2627aa"),
    ),
    "dark": Theme(
        paper="#14181f",
        ink="#e7eaf0",
        faint="#9aa4b2",
        grid="#2a313c",
        panel="#1b212a",
        main="#6aa9ff",
        good="#4fd1a1",
        others=("#f59e42", "#d45394", "#33ebd2", "#f9de5c", "#8a8411"),
    ),
}

DASHES = ("dash", "dot", "dashdot", "longdash", "longdashdot")
DASHES_OF_PICTURES: dict[str, Any] = {
    "dash": (0, (5, 2.5)),
    "dot": (0, (1.2, 2)),
    "dashdot": (0, (5, 2, 1.2, 2)),
    "longdash": (0, (9, 3)),
    "longdashdot": (0, (9, 2.5, 1.2, 2.5)),
}


def matplotlib_style(theme: Theme) -> dict[str, Any]:
    """The theme as matplotlib's settings."""
    return {
        "figure.facecolor": theme.paper,
        "savefig.facecolor": theme.paper,
        "axes.facecolor": theme.paper,
        "axes.edgecolor": theme.faint,
        "axes.labelcolor": theme.ink,
        "axes.titlecolor": theme.ink,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.8,
        "text.color": theme.ink,
        "xtick.color": theme.faint,
        "ytick.color": theme.faint,
        "grid.color": theme.grid,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib: the same picture everywhere
        "font.size": 10,
        "svg.fonttype": "none",
        "svg.hashsalt": "rankwright",  # the same file for the same picture
    }


Colour = str  # of charts on a page: "$name" of a colour here, or "$name/share" of it, as light or dark wants it
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down")


class Style(NamedTuple):
    """How one of several things is drawn, wherever it is; told apart by more than its colour."""

    colour: Colour
    dash: str
    symbol: str


def style(number: int) -> Style:
    """Of the first, second, ... of several things: six colours, then again with other dashes and marks."""
    dashes = ("solid", *DASHES)
    n = 1 + len(THEMES["light"].others)
    return Style(f"$series{number % n}", dashes[number // n % len(dashes)], SYMBOLS[number % len(SYMBOLS)])


def colours(theme: Theme) -> dict[str, str]:
    """The colours of a theme by the names that charts on a page use."""
    named = {name: getattr(theme, name) for name in ("paper", "ink", "faint", "grid", "panel", "main", "good")}
    return named | {f"series{i}": colour for i, colour in enumerate((theme.main, *theme.others))}


def plotly_template() -> dict[str, Any]:
    """What all charts of a page have in common."""
    axis = {
        "gridcolor": "$grid",
        "linecolor": "$faint",
        "zeroline": False,
        "tickcolor": "$faint",
        "tickfont": {"color": "$faint", "size": 12},
        "title": {"standoff": 12, "font": {"size": 13}},
        "automargin": True,
        "fixedrange": False,
    }
    return {
        "paper_bgcolor": "$paper",
        "plot_bgcolor": "$paper",
        "font": {"family": ", ".join(FONTS) + ", sans-serif", "size": 13, "color": "$ink"},
        "hoverlabel": {"bgcolor": "$paper", "bordercolor": "$faint", "font": {"color": "$ink"}, "align": "left"},
        "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
        "showlegend": False,
        "hovermode": "closest",
        "xaxis": axis,
        "yaxis": axis | {"ticklabelstandoff": 4},
    }


def css() -> str:
    """The theme as CSS variables: light or dark as the reader's system says, or data-theme; on paper light."""

    def variables(mode: Mode) -> str:
        named = colours(THEMES[mode]).items()
        return f"color-scheme: {mode}; " + " ".join(f"--{name}: {colour};" for name, colour in named)

    light, dark = variables("light"), variables("dark")
    return (
        f":root {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ {dark} }} }}\n"
        f":root[data-theme=dark] {{ {dark} }}\n"
        f"@media print {{ :root, :root:not([data-theme=light]), :root[data-theme=dark] {{ {light} }} }}\n"
    )
