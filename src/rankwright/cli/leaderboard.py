"""A comparison on the terminal: means with their intervals drawn on one scale, and who beats whom."""

from __future__ import annotations

import math
import string
from typing import TYPE_CHECKING, Any

from rankwright.cli.console import console, seconds
from rankwright.cli.tables import span
from rankwright.evaluation.comparison import TESTS
from rankwright.evaluation.comparison_text import in_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankwright.cli.contest import Entry
    from rankwright.evaluation import Comparison

MARKS = string.ascii_lowercase
WIDEST, NARROWEST = 28, 13  # columns of a drawn interval
GAP = 2  # between columns
ROOM_FOR_ALL_TESTS = 116  # columns of a terminal


def print_leaderboard(found: Comparison, entries: Sequence[Entry] | None = None, title: str | None = None) -> None:
    """The leaderboard, and the best system against each of the others.

    Parameters
    ----------
    found : the comparison.
    entries : what was trained, for the times.
    title : what stands above the table.
    """
    out = console()
    board = _board(found, {entry.name: entry for entry in entries or []}, title, out.width)
    out.print(board)
    if board.caption:
        out.print()
    duels = _duels(found, out.width)
    if duels is not None:
        out.print(duels)
    first = found.measures[0]
    out.print(
        f"[dim]├──●──┤ {found.confidence:.0%} confidence interval (BCa bootstrap over queries).\n"
        f"beats: significantly on {first}, by the paired randomisation test with Holm's correction.[/]"
    )


def _board(found: Comparison, entries: dict[str, Entry], title: str | None, width: int) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    board = found.leaderboard()
    first, *others = map(str, found.measures)
    names = board["system"].tolist()
    marks = {name: MARKS[at] if at < len(MARKS) else str(at + 1) for at, name in enumerate(names)}
    low, high = board[f"{first} low"].tolist(), board[f"{first} high"].tolist()
    scale = (_finite(low, min), _finite(high, max))
    beaten = [
        in_spans([names.index(other) for other in found.beaten(name, first)], list(marks.values())) for name in names
    ]
    columns = [
        max(map(len, marks.values())),
        max(map(len, names)),
        max(6, len(first)),
        max(map(len, ["beats", *beaten])),
    ]
    columns += [max(6, len(name)) for name in others] + [8] * bool(entries)
    taken = sum(columns) + GAP * (len(columns) + 1)
    drawn_in = min(WIDEST, max(width - taken, NARROWEST))
    how: dict[str, Any] = {"box": box.SIMPLE_HEAD, "pad_edge": False, "collapse_padding": True}
    table = Table(title=title, title_justify="left", title_style="bold", **how)
    table.add_column("", style="dim", no_wrap=True)
    table.add_column("ranker", overflow="fold")
    table.add_column(first, justify="right", style="bold", no_wrap=True)
    table.add_column(_axis(scale, drawn_in), no_wrap=True, style="cyan")
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("beats", no_wrap=True)
    if entries:
        table.add_column("time", justify="right", style="dim", no_wrap=True)
    for at, name in enumerate(names):
        mean = float(board[first][at])
        drawn = span(low[at], mean, high[at], scale, drawn_in) if math.isfinite(low[at]) else ""
        cells = [marks[name], name, f"{mean:.4f}", drawn, *(f"{board[m][at]:.4f}" for m in others), beaten[at]]
        if entries:
            entry = entries[name]
            cells.append(seconds(entry.seconds) + (" *" if entry.stopped else ""))
        table.add_row(*map(Text, cells), style="green" if at == 0 else None)
    stopped = sorted({entry.stopped for entry in entries.values() if entry.stopped})
    if stopped:
        table.caption, table.caption_justify = f"* {', '.join(stopped)}", "left"
    return table


def _axis(scale: tuple[float, float], width: int) -> str:
    """The ends of the scale, above the intervals."""
    left, right = (f"{end:.3f}" for end in scale)
    return left + right.rjust(width - len(left))


def _duels(found: Comparison, width: int) -> Any:
    """The best system against each of the others, by the first measure; None for a single system."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    best = found.leaderboard()["system"].tolist()[0]
    rows = [r for r in found.pairs().rows() if r["measure"] == str(found.measures[0]) and best in (r["a"], r["b"])]
    if not rows:
        return None
    tests = TESTS if width >= ROOM_FOR_ALL_TESTS else TESTS[-1:]
    names = [f"p {test}" for test in tests] if len(tests) > 1 else ["p"]
    title = f"{best} against the others, {found.measures[0]}"
    how: dict[str, Any] = {"box": box.SIMPLE_HEAD, "pad_edge": False, "collapse_padding": True}
    table = Table(title=title, title_justify="left", title_style="bold", **how)
    table.add_column("against", overflow="fold")
    headings = ["difference", f"{found.confidence:.0%} interval", "won/tied/lost", *names]
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in _sorted(rows, found, best):
        cells = [row["b"], f"{row['difference']:+.4f}", f"[{row['low']:+.4f}, {row['high']:+.4f}]"]
        cells += [f"{row['wins']}/{row['ties']}/{row['losses']}", *(_p(row[f"holm_{test}"]) for test in tests)]
        table.add_row(*map(Text, cells))
    return table


def _sorted(rows: list[dict[str, Any]], found: Comparison, best: str) -> list[dict[str, Any]]:
    """The rows seen from the best system, in the order of the leaderboard."""
    place = {name: at for at, name in enumerate(found.leaderboard()["system"].tolist())}
    return sorted((row if row["a"] == best else _turned(row) for row in rows), key=lambda row: place[row["b"]])


def _turned(row: dict[str, Any]) -> dict[str, Any]:
    """The same pair from the other side."""
    ends = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
    return {**row, **ends, "a": row["b"], "b": row["a"], "wins": row["losses"], "losses": row["wins"]}


def _p(value: float) -> str:
    return ("<0.001" if value < 0.001 else f"{value:.3f}") + ("*" if value <= 0.05 else " ")


def _finite(values: list[float], of: Any) -> float:
    finite = [value for value in values if math.isfinite(value)]
    return float(of(finite)) if finite else 0.0
