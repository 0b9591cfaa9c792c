"""Reports in a real browser: nothing complained of, nothing asked of the network, all of it drawn, on any screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.report.browser import FOUND, Browser
from tests.report.conftest import Known

from rankwright.report.report import report_page

pytestmark = [pytest.mark.slow, pytest.mark.skipif(FOUND is None, reason="needs Chromium or Chrome on the PATH")]

DRAWN = """[...document.querySelectorAll(".chart")].filter(c => c.offsetParent)
  .map(c => c.querySelectorAll(".main-svg .trace, .main-svg .hm, .main-svg .bars path").length)"""
COLOUR = "getComputedStyle(document.querySelector('.chart text')).fill"


@pytest.fixture(scope="module")
def page(known: Known, exhibit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "a report & more.html"
    path.write_text(report_page(replace(known.contents, exhibits=(exhibit,))), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(autouse=True)
def nothing_is_wrong(browser: Browser) -> Iterator[None]:
    yield
    complaints, requests = browser.complaints[:], browser.requests[:]
    browser.complaints.clear()
    browser.requests.clear()
    assert complaints == []
    assert requests == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1200, 390])
def test_every_chart_is_drawn_and_fits(browser: Browser, page: Path, width: int, dark: bool) -> None:
    browser.open(page, width=width, dark=dark, phone=width < 500)
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert min(browser.value(DRAWN)) > 0
    assert browser.value(COLOUR) == ("rgb(154, 164, 178)" if dark else "rgb(92, 102, 117)")
    assert browser.picture().startswith(b"\x89PNG")


def test_names_are_shown_as_they_are_written(browser: Browser, page: Path) -> None:
    browser.open(page)
    words = browser.value("[...document.querySelectorAll('.chart .ytick text')].map(t => t.textContent)")
    assert {"one <b>feature</b>", "</script>&copy;"} <= set(words)
    keys = browser.value("[...document.querySelectorAll('.key button')].map(b => b.textContent)")
    assert {"one <b>feature</b>", "</script>&copy;"} <= set(keys)


def test_choosing_shows_another_chart(browser: Browser, page: Path) -> None:
    browser.open(page)
    shown = "[...document.querySelectorAll('.panel[data-of=choice1]')].map(p => !p.hidden)"
    assert browser.value(shown) == [True, False]
    browser.value("(s => { s.value = '1'; s.dispatchEvent(new Event('change')); })(document.getElementById('choice1'))")
    assert browser.value(shown) == [False, True]
    assert min(browser.value(DRAWN)) > 0


def test_the_key_hides_and_shows(browser: Browser, page: Path) -> None:
    browser.open(page)
    state = "document.querySelector('.key button').getAttribute('aria-pressed')"
    count = "document.querySelectorAll('#chart1 .scatterlayer .trace').length"
    before = browser.value(count)
    browser.value("document.querySelector('.key button').click()")
    assert (browser.value(state), browser.value(count)) == ("false", before - 1)
    browser.value("document.querySelector('.key button').click()")
    assert (browser.value(state), browser.value(count)) == ("true", before)


def test_the_button_changes_light_and_dark(browser: Browser, page: Path) -> None:
    browser.open(page)
    light = browser.value(COLOUR)
    browser.value("document.getElementById('theme').click()")
    assert browser.value(COLOUR) != light
    browser.value("document.getElementById('theme').click()")
    assert browser.value(COLOUR) == light


def test_on_paper_it_is_light_and_its_words_are_text(browser: Browser, page: Path) -> None:
    browser.open(page, dark=True)
    browser.value("addEventListener('afterprint', () => { window.backOnScreen = true }); true")
    browser.value(f"addEventListener('beforeprint', () => {{ window.colourOnPaper = {COLOUR} }}); true")
    made = browser.pdf()
    assert made.startswith(b"%PDF")
    assert b"/ToUnicode" in made  # letters, not pictures of them
    assert browser.value("window.colourOnPaper") == "rgb(92, 102, 117)"
    assert browser.value("window.backOnScreen")
    assert browser.value(COLOUR) == "rgb(154, 164, 178)"
