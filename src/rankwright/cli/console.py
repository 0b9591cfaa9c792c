"""Where output goes: answers on standard output, everything said on the way on standard error."""

from __future__ import annotations

import json
import math
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from rankwright.data import Dataset

PLAIN_WIDTH = 140  # columns of a table that is piped or written to a file


def console() -> Console:
    """Standard output, in colour and as wide as the terminal; plain where it is none."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else PLAIN_WIDTH)


def say(text: str) -> None:
    """A line for the person watching: standard error."""
    print(text, file=sys.stderr, flush=True)


def watched() -> bool:
    """Whether somebody is looking at standard error, so that progress is worth showing."""
    return sys.stderr.isatty()


def emit(document: dict[str, Any]) -> None:
    """One JSON document on standard output; numbers that JSON lacks (NaN, infinities) are null."""
    print(json.dumps(plain(document), ensure_ascii=False, indent=1))


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        value = value.tolist()
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, (int, str, type(None))) else str(value)


def seconds(elapsed: float) -> str:
    """A time as people say it: 0.21 s, 12 s, 3 min 5 s."""
    if elapsed < 10:
        return f"{elapsed:.2f} s"
    return f"{elapsed:.0f} s" if elapsed < 120 else f"{elapsed // 60:.0f} min {elapsed % 60:.0f} s"


def counted(n: int, one: str, many: str) -> str:
    """1 query, 2,000 queries."""
    return f"{n:,} {one if n == 1 else many}"


def sizes_of(data: Dataset) -> str:
    """How much data there is."""
    return ", ".join(
        (
            counted(data.n_queries, "query", "queries"),
            counted(data.n_docs, "document", "documents"),
            counted(data.n_features, "feature", "features"),
        )
    )


def unmarked(text: str) -> str:
    """A docstring's words without its markup: ``x`` and :class:`x` are x."""
    return re.sub(r":\w+:`~?([^`]*)`|``([^`]*)``|`([^`]*)`", lambda found: "".join(filter(None, found.groups())), text)
