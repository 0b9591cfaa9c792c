"""Curves drawn with characters."""

from __future__ import annotations

import numpy as np

from rankwright.evaluation.table import Table
from rankwright.reproduce.chart import chart
from rankwright.reproduce.section import Curves, Section, some_rounds


def plot_of(drawn: str) -> list[str]:
    return [line.split("│")[1] for line in drawn.splitlines() if "│" in line]


def test_a_rising_line_goes_from_corner_to_corner() -> None:
    rows = plot_of(chart("t", np.arange(5), {"a": np.arange(5.0)}, width=5, height=5))
    assert rows == ["    ●", "   ●", "  ●", " ●", "●"]


def test_the_first_curve_lies_above_the_others() -> None:
    rows = plot_of(chart("t", [1, 2], {"a": [0.0, 1.0], "b": [0.0, 0.0]}, width=2, height=2))
    assert rows == [" ●", "●○"]


def test_a_constant_curve_and_a_single_point_are_drawn() -> None:
    assert plot_of(chart("t", [1, 2, 3], {"a": [0.5, 0.5, 0.5]}, width=3, height=3)) == ["", "●●●", ""]
    assert "●" in "".join(plot_of(chart("t", [7], {"a": [0.5]})))


def test_what_is_not_a_number_is_left_out() -> None:
    assert plot_of(chart("t", [1, 2, 3], {"a": [0.0, np.nan, 1.0]}, width=3, height=2)) == ["  ●", "●"]
    assert chart("t", [1, 2], {"a": [np.nan, np.nan]}) == ""
    assert chart("t", [], {"a": []}) == ""


def test_the_axis_says_from_where_to_where() -> None:
    drawn = chart("round", np.arange(1, 501), {"train": np.linspace(0.25, 0.75, 500)})
    assert drawn.splitlines()[0].split() == ["0.7500", *drawn.splitlines()[0].split()[1:]]
    assert drawn.splitlines()[-1].split() == ["1", "500", "round", "●", "train"]


def test_a_section_prints_some_rows_and_keeps_all() -> None:
    n = 60
    table = Table({"round": np.arange(1, n + 1), "train": np.linspace(0, 1, n)})
    section = Section("Figure", table, "A note.", (Curves("round", ("train",)),), some_rounds(n))
    lines = str(section).splitlines()
    assert [line.split()[0] for line in lines[2:15]] == [*map(str, range(1, 11)), "25", "50", "60"]
    assert lines[-1] == "A note."
    assert section.to_dict()["curves"] == [{"x": "round", "y": ["train"]}]
    assert len(section.to_dict()["table"]["train"]) == n
