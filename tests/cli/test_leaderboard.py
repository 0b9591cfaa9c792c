"""The leaderboard on the terminal: all of it there, however narrow."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

import rankwright as rw
from rankwright.cli import leaderboard
from rankwright.cli.leaderboard import print_leaderboard

LONG = "rankboost(n_rounds=20,pair_weight=query)"


@pytest.mark.parametrize("width", [80, 120])
def test_everything_is_there_and_fits(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400)
    scores = {name: y + noise * rng.normal(size=400) for name, noise in ((LONG, 0.3), ("middle", 2), ("worst", 30))}
    found = rw.compare(scores, y, ["nDCG@10", "AP", "RR"], qid=np.repeat(np.arange(40), 10), n_resamples=500)
    out = io.StringIO()
    monkeypatch.setattr(leaderboard, "console", lambda: Console(file=out, width=width, highlight=False))
    print_leaderboard(found, title="Leaderboard")
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert "beats" in out.getvalue()
    first = next(line for line in lines if line.startswith(" a "))
    assert first.rstrip().endswith("b c")
