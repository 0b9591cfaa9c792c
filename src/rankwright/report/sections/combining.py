"""The curve of α: the measure of two rankers combined, at every weight."""

from __future__ import annotations

from rankwright.report.contents import Contents
from rankwright.report.drawing import Grid
from rankwright.report.page import Page


def add_combining(page: Page, given: Contents) -> None:
    """The curve, and what is known of its best place."""
    if given.curve is None:
        return
    page.section("Curve of α", f"{given.curve.title}: {given.curve.subtitle}. {given.curve_note}".strip())
    page.chart(given.curve)
    if given.curve_facts:
        page.table(Grid("The best weight", ["", ""], given.curve_facts))
