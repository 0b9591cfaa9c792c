"""What was found, in two sentences."""

from __future__ import annotations

from rankwright.report.contents import Contents
from rankwright.report.drawing import listed, value_text
from rankwright.report.page import Page, Strong

NAMED = 4  # systems; of more it is said how many


def add_summary(page: Page, given: Contents) -> None:
    """Who is best, and of whom that can be said."""
    found = given.comparison
    if found is None:
        return
    m, best = str(found.measures[0]), given.order[0]
    board = found.leaderboard()
    low, high = (float(board[f"{m} {end}"][0]) for end in ("low", "high"))
    interval = f" ({found.confidence:.0%} interval {value_text(low)} to {value_text(high)})" if low == low else ""
    parts = [Strong(best), f" has the best {m}: ", Strong(value_text(float(board[m][0]))), f"{interval}. "]
    page.takeaway(*parts, *_others(given, best, m))


def _others(given: Contents, best: str, m: str) -> list[str]:
    found = given.comparison
    if found is None or len(given.order) < 2:
        return []
    tested = {row["a"] for row in found.pairs().rows()} | {row["b"] for row in found.pairs().rows()}
    compared = [name for name in given.order[1:] if found.baseline in (None, best, name) and name in tested]
    beaten = found.beaten(best, m)
    level = [name for name in compared if name not in beaten]
    if not compared:
        return []
    if not beaten:
        return [f"No significant difference to {listed(level)} was found."]
    worse = listed(beaten) if len(beaten) <= NAMED else f"{len(beaten)} of the other {len(compared)}"
    return [
        f"It is significantly better than {worse}" + (f"; {listed(level)} cannot be told from it." if level else ".")
    ]
