"""`--report FILE`: what a command found, as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankwright.cli.console import say
from rankwright.cli.inputs import STANDARD, writable, written_file
from rankwright.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rankwright.report.contents import Contents, Exhibit


def check_report(path: str | None, json: bool = False) -> None:
    """Refuses a page that could not be written, before the work is done."""
    if path is None:
        return
    from rankwright.report.charts import needed

    if path == STANDARD and json:
        raise InputError("standard output takes one thing. Got --json and --report - together. Name a file for one.")
    writable(path, "--report")
    needed("plotly.offline", "a report")


def save_report(
    path: str | None, contents: Callable[[], Contents], title: str | None = None, facts: Mapping[str, str] | None = None
) -> None:
    """Writes the page, where one is wanted.

    Parameters
    ----------
    path : where to, ``-`` for standard output; None for nowhere.
    contents : makes what the page shows.
    title, facts : as :func:`rankwright.write_report` takes them.
    """
    if path is None:
        return
    import rankwright as rw
    from rankwright.files import write_atomically
    from rankwright.report.report import report_page

    made = report_page(contents(), title, {**(facts or {}), "made by": f"rankwright {rw.__version__}"})
    with written_file("report.html", path) as file:
        write_atomically(file, made.encode())
    if path != STANDARD:
        say(f"The report is {path}.")


def exhibits(sections: Sequence[Exhibit]) -> Contents:
    """An experiment's tables and curves, for a page."""
    from rankwright.report.contents import Contents

    return Contents(exhibits=sections)
