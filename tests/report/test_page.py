"""Pages: whole by themselves, whatever is written on them."""

from __future__ import annotations

import base64
import gzip
import json
import re
import sys

import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs
from tests.report.reading import Parsed, charts_of
from tests.report.test_charts import CHART

from rankwright.errors import InputError
from rankwright.report.drawing import Drawing, Grid, said, short, short_names
from rankwright.report.page import Page, Strong, plotly_compressed
from rankwright.report.theme import THEMES, colours

NASTY = "</script><img src=x onerror=alert(1)>&amp;\"'${title} %{y} <b>"


def page_of(name: str) -> Page:
    page = Page(name, name, {name: name})
    page.section(name, name)
    page.say(name, Strong(name))
    page.takeaway(name)
    page.chart(CHART)
    trace = {"type": "scatter", "x": [said(name)], "y": [1.0], "name": said(name)}
    drawing = Drawing(name, [trace], {}, Grid(name, [name, "n"], [[name, "1"]]), below=name)
    page.choose(name, {name: drawing, "other": drawing})
    page.table(Grid(name, [name], [[name]], strong=0), note=name)
    return page


def test_what_users_write_is_text_and_nothing_else() -> None:
    harmless, nasty = (Parsed(page_of(name).text()) for name in ("harmless", NASTY))
    assert [tag for tag, _ in nasty.elements] == [tag for tag, _ in harmless.elements]
    assert nasty.words.count(NASTY) == harmless.words.count("harmless")
    assert nasty.tables[NASTY][-1] == [NASTY]


def test_plotly_shows_markup_as_it_is_written() -> None:
    chart = charts_of(page_of(NASTY).text())[1]
    assert chart["data"][0]["name"].startswith("&lt;/script&gt;&lt;img")
    assert "<" not in chart["data"][0]["x"][0]


def test_a_page_names_nothing_outside_of_itself() -> None:
    text = page_of("a").text()
    without_library = text.replace(plotly_compressed(), "")
    assert not re.search(r"(src|href|url)\s*[=(]\s*[\"']?(https?:)?//", without_library)
    assert {e.get("href", "")[:1] for e in Parsed(text).named("a")} == {"#"}


def test_the_library_is_there_once_and_whole() -> None:
    text = page_of("a").text()
    packed = re.findall(r'<script type="application/gzip" id="plotly">(.*?)</script>', text)
    assert len(packed) == 1
    assert gzip.decompress(base64.b64decode(packed[0])).decode() == get_plotlyjs()
    assert len(text) < 2_300_000


def test_a_page_without_charts_needs_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    page = Page("words")
    page.table(Grid("a table", ["x"], [["1"]]))
    assert "<script" not in page.text()


def test_a_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    plotly_compressed.cache_clear()
    with pytest.raises(InputError, match=r"a report is drawn by plotly.*pip install 'rankwright\[report\]'"):
        page_of("a").text()


def test_links_lead_to_sections_even_of_the_same_name() -> None:
    page = Page("three")
    for title in ("Same", "Same", "α > β"):
        page.section(title)
    parsed = Parsed(page.text())
    ids = [e["id"] for e in parsed.named("h2")]
    assert len(set(ids)) == 3
    assert [e["href"] for e in parsed.named("a") if e.get("class") != "skip"] == [f"#{name}" for name in ids]


def test_everything_that_is_drawn_has_a_name_and_its_numbers() -> None:
    parsed = Parsed(page_of("a").text())
    pictures = [e for e in parsed.named("div") if e.get("role") == "img"]
    assert len(pictures) == 3
    assert all(e["aria-label"] for e in pictures)
    assert len(parsed.named("details")) == 3
    labels = {e["for"] for e in parsed.named("label")}
    assert labels == {e["id"] for e in parsed.named("select")}


def test_columns_of_numbers_are_flush_right() -> None:
    page = Page("t")
    page.table(
        Grid("c", ["name", "value", "p", "won / lost"], [["2", "0.5", "<0.001", "3 / 1"], ["b", "–", "1", "1 / 3"]])
    )
    cells = [e.get("class") for e in Parsed(page.text()).named("td")]
    assert cells == ["short", "number", "number", "number"] * 2


def test_the_steps_of_a_curve_are_all_on_the_page() -> None:
    page = Page("curve")
    page.chart(CHART)
    (chart,) = charts_of(page.text())
    curve = next(trace for trace in chart["data"] if trace.get("name") == "nDCG@10")
    assert curve["x"] == [0, 0.2, 0.2, 0.5, 0.5, 0.6, 0.6, 1]
    assert curve["y"] == [0.3, 0.3, 0.5, 0.5, 0.9, 0.9, 0.4, 0.4]


def resolved(value, theme, key=""):
    """Colours by name become colours, as the page's script does it."""
    if isinstance(value, dict):
        return {k: resolved(v, theme, k) for k, v in value.items()}
    if isinstance(value, list):
        return [resolved(v, theme, key) for v in value]
    if isinstance(value, str) and value.startswith("$") and re.search("color(scale)?$", key):
        return colours(theme)[value[1:].partition("/")[0]]
    return value


def assert_plotly_takes(chart) -> None:
    """plotly's own validation; no colour is left without one."""
    for theme in THEMES.values():
        made = resolved({"data": chart["data"], "layout": chart["layout"]}, theme)
        assert '"$' not in json.dumps(made)
        go.Figure(made)


def test_plotly_takes_the_curve() -> None:
    page = Page("curve")
    page.chart(CHART)
    assert_plotly_takes(charts_of(page.text())[0])


def test_long_names_are_cut_and_stay_apart() -> None:
    a, b = (f"adarank(n_rounds=500, measure=nDCG@10, x={x}, tolerance=0.001)" for x in "12")
    made = short_names([a, b, "short"])
    assert len({*made.values()}) == 3
    assert made["short"] == "short"
    assert max(map(len, made.values())) <= 28
    assert short("x" * 26) == "x" * 26
