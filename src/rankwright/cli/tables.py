"""Tables on the terminal, and the plain ones of a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rankwright.cli.console import console


def show(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, title: str | None = None, numbers: Sequence[int] = ()
) -> None:
    """Prints a table.

    Parameters
    ----------
    columns, rows : the headings and the cells; cells are printed as they are.
    title : what stands above.
    numbers : columns that are set flush right.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for at, heading in enumerate(columns):
        table.add_column(heading, justify="right" if at in numbers else "left", no_wrap=at == 0, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console().print(table)


def span(low: float, middle: float, high: float, scale: tuple[float, float], width: int = 28) -> str:
    """A confidence interval drawn on a common scale: ``   ├──●──┤ ``."""
    left, right = scale
    unit = (width - 1) / (right - left) if right > left else 0.0
    a, m, b = (round((value - left) * unit) for value in (low, middle, high))
    cells = [" "] * width
    for at in range(max(a, 0), min(b, width - 1) + 1):
        cells[at] = "─"
    cells[max(a, 0)], cells[min(b, width - 1)] = "├", "┤"
    cells[min(max(m, 0), width - 1)] = "●"
    return "".join(cells)
