"""Charts: what is drawn is what the curve says, however many steps it has."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest
from rich.console import Console

import rankwright as rw
from rankwright.errors import InputError
from rankwright.report import Reference, StepChart, combination_chart
from rankwright.report.charts import Band, Span, Steps, apart, in_cells, needed, range_text, thinned
from rankwright.report.picture import picture
from rankwright.report.terminal import drawn, value_ticks
from rankwright.report.theme import THEMES

EDGES = np.array([0.0, 0.2, 0.5, 0.6, 1.0])
STEPS = Steps(EDGES[:-1], EDGES[1:], np.array([0.3, 0.5, 0.9, 0.4]))
CHART = StepChart(
    title="A <measure>",
    subtitle="four steps",
    x="α",
    y="nDCG@10",
    steps=STEPS,
    best=(0.55, 0.9),
    plateau=Span("best plateau", 0.5, 0.6),
    likely=Span("within one standard error", 0.2, 0.6),
    bands=(Band("a band", *STEPS[:2], STEPS.value - 0.1, STEPS.value + 0.1),),
    references=(Reference("RRF", 0.45), Reference("bm25", 0.44), Reference("dense", 0.35)),
    ends=("bm25", "dense"),
)


def shown(chart=CHART, width=100) -> list[str]:
    console = Console(width=width, record=True, file=None, force_terminal=False)
    with console.capture() as captured:
        console.print(drawn(chart, width))
    return captured.get().splitlines()


def test_cells_hold_the_extremes_of_what_lies_in_them() -> None:
    cells = in_cells(STEPS, 2)
    np.testing.assert_array_equal(cells.low, [0.3, 0.4])
    np.testing.assert_array_equal(cells.high, [0.5, 0.9])


def test_thinning_keeps_the_extremes_and_all_that_is_near_the_best() -> None:
    rng = np.random.default_rng(0)
    ends = np.sort(rng.random(9_999))
    steps = Steps(np.append(0, ends), np.append(ends, 1), rng.random(10_000))
    near = Span("best", steps.lo[6000], steps.hi[6000])
    few = thinned(steps, 800, near)
    assert len(few.lo) <= 800
    assert (few.value.min(), few.value.max()) == (steps.value.min(), steps.value.max())
    np.testing.assert_array_equal(few.value[np.isin(few.lo, steps.lo[5900:6100])], steps.value[5900:6100])
    np.testing.assert_allclose(few.lo[1:], few.hi[:-1])


def test_short_curves_are_not_thinned() -> None:
    assert thinned(STEPS, 4, CHART.plateau) is STEPS


def test_labels_keep_their_order_and_their_distance() -> None:
    places = apart([0.45, 0.44, 0.35, 0.441], 0.3, 0.9, 0.02)
    assert np.argsort(places).tolist() == [2, 1, 3, 0]
    assert np.diff(np.sort(places)).min() >= 0.02 - 1e-9


def test_a_range_is_told_with_as_many_digits_as_it_takes() -> None:
    assert range_text(0.25, 0.5) == "0.25 to 0.5"
    assert range_text(0.123456, 0.123459) == "0.123456 to 0.123459"


@pytest.mark.parametrize(("low", "high"), [(0.1, 0.9), (0.51, 0.52), (-3.0, 250.0)])
def test_ticks_are_round_and_inside(low: float, high: float) -> None:
    ticks = value_ticks(low, high, 16)
    assert 2 <= len(ticks) <= 7
    assert all(low <= value <= high and float(text) == pytest.approx(value) for value, text in ticks)


def test_the_terminal_shows_the_curve_where_it_is() -> None:
    """The plateau of .9 is the highest row with dots, over x = 0.5 .. 0.6 of the plot."""
    lines = shown()
    plot = [line for line in lines if "│" in line or "┤" in line][:16]
    start = plot[0].index("│") + 1
    width = len(next(line for line in lines if "└" in line).strip()) - 1
    top = next(line for line in plot if re.search("[\u2801-\u28ff]", line))
    at = [i - start for i, sign in enumerate(top) if "\u2801" <= sign <= "\u28ff"]
    assert min(at) / width == pytest.approx(0.5, abs=0.03)
    assert max(at) / width == pytest.approx(0.6, abs=0.03)
    text = "\n".join(lines)
    for word in ("RRF", "bm25", "dense", "0.4500", "← bm25", "α = 0.55", "within one standard error: 0.2 to 0.6"):
        assert word in text


def test_names_of_lines_are_in_the_order_of_their_values() -> None:
    lines = shown()
    rows = [next(i for i, line in enumerate(lines) if f"{r.value:.4f} {r.name}" in line) for r in CHART.references]
    assert rows == sorted(rows)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(len, shown(width=width))) <= max(width, 60)


@pytest.mark.parametrize(("format", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_pictures_are_files_of_their_kind(format: str, begins: bytes) -> None:
    assert picture(CHART, format).startswith(begins)


def test_the_same_chart_is_the_same_file_and_has_the_names() -> None:
    made = picture(CHART, "svg", "dark")
    assert made == picture(CHART, "svg", "dark")
    for word in ("A &lt;measure&gt;", "RRF", "dense", THEMES["dark"].main):
        assert word.encode() in made


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(InputError, match=r"drawn by plotly.*pip install 'rankwright\[report\]'"):
        needed("plotly.graph_objects", "an interactive chart")


def test_a_combination_without_its_curve_cannot_be_drawn() -> None:
    best = rw.optimal_combination([3, 2, 1], [1, 2, 4], [0, 1, 1])
    with pytest.raises(InputError, match="curve=True"):
        combination_chart(best)


def test_endless_ranges_are_drawn_as_far_as_anything_happens() -> None:
    best = rw.optimal_combination(
        [3, 2, 1], [1, 2, 4], [0, 1, 1], form="additive", lo=-np.inf, hi=np.inf, curve=True, measure="AP"
    )
    chart = combination_chart(best)
    assert np.isfinite(chart.domain).all()
    assert chart.domain[0] < 0 < chart.domain[1]
    assert "α" in "\n".join(shown(chart))
