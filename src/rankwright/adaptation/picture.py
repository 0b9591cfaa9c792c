"""A distribution as bars: of characters for the terminal, and as an SVG image."""

from __future__ import annotations

from html import escape

from rankwright.evaluation.table import Table

WIDTH = 40  # characters of the longest bar
EIGHTHS = " ▏▎▍▌▋▊▉"


def bars(histogram: Table) -> str:
    """One line a bin: where it starts, a bar, how many."""
    most = max(int(histogram["documents"].max()), 1)
    lines = []
    for low, count in zip(histogram["low"].tolist(), histogram["documents"].tolist(), strict=True):
        eighths = round(8 * WIDTH * count / most)
        bar = "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()
        lines.append(f"{low:8.3f} │{bar} {count:,}".rstrip())
    return "\n".join(lines)


def histogram_svg(histogram: Table, axis: str, title: str, width: int = 640, height: int = 260) -> str:
    """The bins as bars, in colours that light and dark pages both show.

    Parameters
    ----------
    histogram : columns `low`, `high`, `documents`.
    axis, title : what stands below and above.
    width, height : in pixels.
    """
    left, right, top, bottom = 52, 12, 34, 40
    low, high = float(histogram["low"][0]), float(histogram["high"][-1])
    most = max(int(histogram["documents"].max()), 1)
    x_unit, y_unit = (width - left - right) / max(high - low, 1e-300), (height - top - bottom) / most
    floor = height - bottom
    parts = []
    for row in histogram.rows():
        x, tall = left + (row["low"] - low) * x_unit, row["documents"] * y_unit
        wide = max((row["high"] - row["low"]) * x_unit - 1, 0.5)
        what = f"{row['low']:.3g}–{row['high']:.3g}: {row['documents']:,} documents"
        box = f'x="{x:.1f}" y="{floor - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}"'
        parts.append(f'<rect {box} fill="#3b82c4"><title>{escape(what)}</title></rect>')
    line, text = 'stroke="#888"', 'fill="#888" font-family="sans-serif" font-size="12"'
    parts.append(f'<line x1="{left}" y1="{floor}" x2="{width - right}" y2="{floor}" {line}/>')
    for k in range(5):
        at, value = left + k * (width - left - right) / 4, low + k * (high - low) / 4
        parts.append(f'<text x="{at:.0f}" y="{floor + 16}" text-anchor="middle" {text}>{value:.3g}</text>')
    parts += [
        f'<text x="{left - 6}" y="{top + 4}" text-anchor="end" {text}>{most:,}</text>',
        f'<text x="{left - 6}" y="{floor}" text-anchor="end" {text}>0</text>',
        f'<text x="{(left + width) / 2:.0f}" y="{height - 6}" text-anchor="middle" {text}>{escape(axis)}</text>',
        f'<text x="{left}" y="18" {text}>{escape(title)}</text>',
    ]
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(title)}">\n{body}\n</svg>\n'
    )
