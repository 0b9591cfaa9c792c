"""LETOR text in windows: the features of some rows at a time, for files larger than memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rankwright import kernels
from rankwright.data.letor_rows import CHUNK, WINDOW, Marks, Rows, Rules, read_window
from rankwright.data.letor_text import Source, Text

WIDE = 4096  # features above which chunks are shorter, for their rows take more room
LARGEST = 1 << 24  # numbers held at a time


def stream_letor(
    source: Source, n_features: int, *, missing: float = 0.0, zero_based: bool = False, n_threads: int | None = None
) -> Iterator[tuple[Any, float]]:
    """The features of a LETOR file, window by window of about 16 MB, and how much of the file was read by then.

    Parameters
    ----------
    source : a path, or the bytes of a file. Plain files are mapped; compressed ones are held decompressed.
    n_features : the number of columns; a larger feature id is an error.
    missing : what a feature that a line leaves out is: 0, or NaN.
    zero_based : feature ids count from 0.
    n_threads : threads to read with; every core by default.
    """
    text = Text.of(source)
    threads = n_threads or kernels.default_threads()
    first = 0 if zero_based else 1
    rules = Rules(missing, first, first + n_features - 1, n_features, False, threads)
    chunk = CHUNK if n_features <= WIDE else CHUNK // 16
    line, kinds = 0, (-1, -1)
    for start, end in text.windows(max(WINDOW, 8 * chunk * threads)):
        marks, _ = kernels.scan_letor(text.bytes[start:end], chunk, threads)
        for part in _parts(marks + np.array([start, 0, line]), LARGEST // n_features):
            n = int(part[-1, 1])
            rows = Rows(n, np.zeros((n, n_features), dtype=np.float32))
            rows.with_qid, rows.without_qid = kinds
            read_window(text, part, rows, rules)
            line, kinds = int(part[-1, 2]), (rows.with_qid, rows.without_qid)
            yield rows.X, int(part[-1, 0]) / len(text.bytes)


def _parts(marks: Marks, most: int) -> Iterator[Marks]:
    """Runs of chunks of at most so many rows, or of one chunk; rows count from 0 in each."""
    first, last = 0, len(marks) - 1
    while first < last:
        end = int(np.searchsorted(marks[:, 1], marks[first, 1] + most, side="right")) - 1
        end = min(max(end, first + 1), last)
        yield marks[first : end + 1] - np.array([0, marks[first, 1], 0])
        first = end
