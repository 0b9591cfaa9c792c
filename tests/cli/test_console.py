"""Output for people and for machines."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rankwright.cli.console import counted, emit, plain, seconds, unmarked
from rankwright.cli.tables import show, span


def test_json_has_only_what_json_has(capsys: pytest.CaptureFixture[str]) -> None:
    emit({"a": np.float64("nan"), "b": np.arange(2), "c": (1.5, float("inf")), "d": np.True_, "e": {3: "x"}, "f": None})
    assert json.loads(capsys.readouterr().out) == {
        "a": None, "b": [0, 1], "c": [1.5, None], "d": True, "e": {"3": "x"}, "f": None
    }  # fmt: skip


def test_other_objects_are_printed() -> None:
    assert plain({"rng": np.random.default_rng}) == {"rng": str(np.random.default_rng)}


@pytest.mark.parametrize(("elapsed", "said"), [(0.214, "0.21 s"), (12.4, "12 s"), (185.0, "3 min 5 s")])
def test_times_are_said_as_people_do(elapsed: float, said: str) -> None:
    assert seconds(elapsed) == said


def test_an_interval_is_drawn_to_scale() -> None:
    assert span(0.0, 0.5, 1.0, (0.0, 1.0), width=11) == "├────●────┤"
    assert span(0.2, 0.4, 0.6, (0.0, 1.0), width=11) == "  ├─●─┤    "


def test_an_interval_of_no_width_is_a_point() -> None:
    assert span(0.5, 0.5, 0.5, (0.5, 0.5), width=5) == "●    "


def test_cells_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    show(["name", "value"], [["[bold]a[/]", "AP(rel=2)"]])
    printed = capsys.readouterr().out
    assert "[bold]a[/]" in printed
    assert "AP(rel=2)" in printed


def test_words_without_markup() -> None:
    assert unmarked("``both`` or :class:`~a.B`, see `x` and 2^y") == "both or a.B, see x and 2^y"


def test_counts_are_said_as_people_do() -> None:
    assert [counted(n, "query", "queries") for n in (0, 1, 2000)] == ["0 queries", "1 query", "2,000 queries"]
