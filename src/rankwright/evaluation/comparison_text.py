"""A comparison as text: a leaderboard, the pairs, and what the marks mean."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankwright.evaluation.table import aligned, shown

if TYPE_CHECKING:
    from rankwright.evaluation.comparison import Comparison

SHOWN_PAIRS = 15  # more would bury the leaderboard; Comparison.pairs() has them


def described(c: Comparison) -> str:
    """The whole comparison on one screen."""
    folds = f" in {c.n_folds} folds" if c.n_folds > 1 else ""
    title = f"Comparison of {len(c.evaluations)} systems on {c.n_queries} queries{folds}"
    n = c.pairs().n_rows
    shown_pairs = [_pairs(c)] if 0 < n <= SHOWN_PAIRS else []
    return "\n\n".join([title, _board(c), *shown_pairs, _legend(c, n)])


def _board(c: Comparison) -> str:
    board = c.leaderboard()
    order = board["system"].tolist()
    letters = dict(zip(order, _letters(len(order)), strict=True))
    header, columns = ["", "system"], [list(letters.values()), order]
    for name in map(str, c.measures):
        ends = zip(board[f"{name} low"].tolist(), board[f"{name} high"].tolist(), strict=True)
        beaten = [[letters[other] for other in c.beaten(system, name)] for system in order]
        header += [name, "", ""]
        columns += [
            [shown(value) for value in board[name].tolist()],
            [f"[{shown(low)}, {shown(high)}]" for low, high in ends],
            ["> " + " ".join(marks) if marks else "" for marks in beaten],
        ]
    return aligned(header, list(zip(*columns, strict=True)), [False] * len(header))


def _pairs(c: Comparison) -> str:
    tests = {"holm_t": "p t", "holm_wilcoxon": "p Wilcoxon", "holm_randomisation": "p random."}
    header = ["measure", "pair", "difference", "", "W/T/L", "effect", *tests.values()]
    rows = []
    for row in c.pairs().rows():
        p = [shown(row[test]) + ("*" if row[test] <= 1 - c.confidence else " ") for test in tests]
        known = row["low"] == row["low"]
        rows.append(
            (
                row["measure"],
                f"{row['a']} − {row['b']}",
                f"{row['difference']:+.4f}" if row["n"] else "–",
                f"[{row['low']:+.4f}, {row['high']:+.4f}]" if known else "[–, –]",
                f"{row['wins']}/{row['ties']}/{row['losses']}",
                f"{row['effect']:+.2f}",
                *p,
            )
        )
    return aligned(header, rows, [False, False, True, False, True, True, True, True, True])


def _legend(c: Comparison, n: int) -> str:
    level = f"p ≤ {1 - c.confidence:.2g}"
    lines = [f"[ ] {c.confidence:.0%} BCa bootstrap interval over queries."]
    if n:
        correction = f"Holm's correction over {n} comparison{'s' * (n != 1)}"
        lines.append(f">   significantly better than these: randomisation test, {correction}, {level}.")
    if 0 < n <= SHOWN_PAIRS:
        lines.append(f"W/T/L: queries won, tied, lost. p: corrected; * {level}.")
    if n > SHOWN_PAIRS:
        lines.append(f"The {n} pairs are in .pairs().")
    if c.query_weight is not None:
        lines.append("Queries are weighted.")
    return "\n".join(lines)


def _letters(n: int) -> list[str]:
    """a, b, ..., z, then numbers."""
    return [string.ascii_lowercase[i] if i < 26 else str(i + 1) for i in range(n)]


def in_spans(places: Sequence[int], names: Sequence[str]) -> str:
    """Names by their places, three or more in a row as the first and the last: b e–i."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return " ".join(
        f"{names[run[0]]}–{names[run[-1]]}" if len(run) > 2 else " ".join(names[i] for i in run) for run in runs
    )
