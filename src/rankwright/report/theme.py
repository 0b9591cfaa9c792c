"""Colours and type of everything drawn, light and dark, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Mode = Literal["light", "dark"]

FONTS = ("Inter", "Segoe UI", "Helvetica Neue", "Arial", "DejaVu Sans")  # those of the machine; none is fetched


@dataclass(frozen=True)
class Theme:
    """What is drawn with which colour.

    Parameters
    ----------
    paper, ink, faint, grid : background, text, secondary text, lines behind the data.
    main : what the chart is about; `good`: what is recommended.
    others : lines to compare with, in order; told apart by their dashes and labels too.
    """

    paper: str
    ink: str
    faint: str
    grid: str
    main: str
    good: str
    others: tuple[str, ...]


THEMES: dict[Mode, Theme] = {
    "light": Theme(
        paper="#ffffff",
        ink="#1d2330",
        faint="#5c6675",
        grid="#e6e9ee",
        main="#1f6fd6",
        good="#0f8a5f",
        others=("#c2410c", "#7c3aed", "#8a6d00", "#be185d", "#0e7490"),
    ),
    "dark": Theme(
        paper="#14181f",
        ink="#e7eaf0",
        faint="#9aa4b2",
        grid="#2a313c",
        main="#6aa9ff",
        good="#4fd1a1",
        others=("#fb923c", "#b79bff", "#e0c04a", "#f472b6", "#5cc8de"),
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


def plotly_layout(theme: Theme) -> dict[str, Any]:
    """The theme as changes to a plotly layout."""
    axis = {"gridcolor": theme.grid, "linecolor": theme.faint, "zerolinecolor": theme.grid}
    label = {"bgcolor": theme.paper, "bordercolor": theme.grid, "font.color": theme.ink}
    flat = {f"{name}.{key}": value for name in ("xaxis", "yaxis") for key, value in axis.items()}
    flat |= {f"{name}.tickfont.color": theme.faint for name in ("xaxis", "yaxis")}
    flat |= {f"hoverlabel.{key}": value for key, value in label.items()}
    return {"paper_bgcolor": theme.paper, "plot_bgcolor": theme.paper, "font.color": theme.ink, **flat}


def css() -> str:
    """The theme as CSS variables: the reader's system says light or dark, ``data-theme`` overrules it."""

    def variables(theme: Theme) -> str:
        names = ("paper", "ink", "faint", "grid", "main", "good")
        return " ".join(f"--{name}: {getattr(theme, name)};" for name in names)

    light, dark = (variables(THEMES[mode]) for mode in ("light", "dark"))
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ color-scheme: dark; {dark} }} }}\n"
        f":root[data-theme=dark] {{ color-scheme: dark; {dark} }}\n"
    )
