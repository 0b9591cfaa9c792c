"""How fast data come in at the door: grouping a million rows, and reading a TREC run of a million lines.

python benches/bench_doors.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytrec_eval

from measuring import arguments, interleaved, report, row, seconds
from rankwright import Dataset, read_run, write_run
from rankwright.data.grouping import group_rows

N = 1_000_000


def main() -> None:
    options = arguments(__doc__)
    report([*grouping(), *runs()], options.json)


def grouping() -> list[dict[str, Any]]:
    """The bars are seconds: 50 ms for sorted numbers, 1 s for texts in any order."""
    numbers = np.repeat(np.arange(N // 100), 100)
    texts = np.array([f"query-{q}" for q in np.random.default_rng(0).permutation(numbers)])
    X, y = np.zeros((N, 136), np.float32), np.zeros(N, np.float32)
    best = interleaved(
        {
            "group 1M rows by sorted numbers": lambda: group_rows(N, qid=numbers),
            "group 1M rows by texts in any order": lambda: group_rows(N, qid=texts),
            "Dataset of 1M × 136 float32, sorted numbers": lambda: Dataset(X, y, qid=numbers),
            "sort": lambda: np.unique(numbers, return_inverse=True),
            "sort texts": lambda: np.argsort(np.unique(texts, return_inverse=True)[1], kind="stable"),
        },
        times=3,
    )
    names = list(best)
    peers = {names[0]: "sort", names[1]: "sort texts", names[2]: None}
    bars = {names[0]: 0.05, names[1]: 1.0, names[2]: None}
    return [
        row(
            f"{name} (ratio: seconds)",
            seconds(best[name]),
            "" if peer is None else f"np.unique {seconds(best[peer])}",
            best[name],
            bars[name],
            at_least=False,
        )
        for name, peer in peers.items()
    ]


def runs() -> list[dict[str, Any]]:
    data = Dataset(np.zeros((N, 1), np.float32), qid=np.repeat(np.arange(N // 1000), 1000))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.run"
        write_run(data, np.random.default_rng(0).random(N), path)

        def theirs() -> Any:
            with path.open() as file:
                return pytrec_eval.parse_run(file)

        best = interleaved({"ours": lambda: read_run(path), "peer": theirs}, times=3)
    peer = f"pytrec_eval.parse_run {seconds(best['peer'])}"
    return [row("read a TREC run of 1M lines", seconds(best["ours"]), peer, best["peer"] / best["ours"], None)]


if __name__ == "__main__":
    main()
