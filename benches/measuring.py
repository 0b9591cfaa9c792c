"""What the benches share: interleaved timing, and rows for the table."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def interleaved(works: dict[str, Callable[[], Any]], times: int = 5) -> dict[str, float]:
    """The best of several seconds for each piece of work, taking turns so that noise hits all alike."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(times):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def command_seconds(command: list[str]) -> float:
    """How long a command takes. Python keeps the modules it has compiled, as those of an installed package are kept."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run(command, check=True, env=kept)
    return time.perf_counter() - start


def row(
    what: str, ours: str, peer: str, ratio: float | None, bar: float | None, at_least: bool = True
) -> dict[str, Any]:
    """One line of the table; `met` says whether the ratio meets the bar."""
    met = None if ratio is None or bar is None else (ratio >= bar if at_least else ratio <= bar)
    sign = "≥" if at_least else "≤"
    return {
        "what": what,
        "ours": ours,
        "peer": peer,
        "ratio": None if ratio is None else f"{ratio:.3g}",
        "bar": None if bar is None else f"{sign} {bar:g}",
        "met": met,
    }


def seconds(value: float) -> str:
    return f"{value * 1e6:.3g} µs" if value < 1e-3 else f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"


def arguments(description: str | None, **extra: Any) -> argparse.Namespace:
    """`--json PATH` and whatever a bench adds, as name=(type, default, help)."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", type=Path, help="write the rows here")
    for name, (kind, default, text) in extra.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default, help=text)
    return parser.parse_args()


def report(rows: list[dict[str, Any]], path: Path | None) -> None:
    """Prints the rows, and writes them where `make bench` collects them."""
    for r in rows:
        mark = "" if r["met"] is None else "  met" if r["met"] else "  NOT MET"
        print(f"{r['what']}: ours {r['ours']}, peer {r['peer']}, ratio {r['ratio']} (bar {r['bar']}){mark}")
    if path is not None:
        path.write_text(json.dumps(rows, indent=1))
