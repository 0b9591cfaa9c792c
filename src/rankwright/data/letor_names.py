"""Query ids and document ids of LETOR text as arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

WHOLE = re.compile(rb"0|-?[1-9]\d{0,17}")
BLOCK = 65_536


def query_numbers(
    run_rows: list[int], run_qids: list[bytes], n_docs: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """The number of each row's query, and the ids by number; ids are int64 if all are whole numbers."""
    number: dict[bytes, int] = {}
    of_run = [number.setdefault(qid, len(number)) for qid in run_qids]
    ends = np.array([*run_rows, n_docs], dtype=np.int64)
    numbers = np.repeat(np.array(of_run, dtype=np.int64), ends[1:] - ends[:-1])
    if all(WHOLE.fullmatch(qid) for qid in number):
        return numbers, np.array([int(qid) for qid in number], dtype=np.int64)
    return numbers, text_array([qid.decode() for qid in number])


def text_array(words: Sequence[str]) -> npt.NDArray[Any]:
    """Fixed-width text, or objects where that would waste memory or lose a NUL at the end."""
    longest, mean = max(map(len, words)), sum(map(len, words)) / len(words)
    fits = longest <= 4 * mean + 16 and not any(word.endswith("\0") for word in words)
    return np.array(words, dtype=np.str_ if fits else object)


def document_ids(parts: list[tuple[bytes, npt.NDArray[np.int32]]] | None, n_docs: int) -> npt.NDArray[Any] | None:
    """The ids that lie end to end in each part, as one array."""
    if parts is None:
        return None
    longest = max(int(lengths.max()) for _, lengths in parts if len(lengths))
    mean = sum(len(text) for text, _ in parts) / n_docs
    plain = all(text.isascii() and b"\0" not in text for text, _ in parts)
    if not plain or longest > 4 * mean + 16:
        return text_array([word for text, lengths in parts for word in _cut(text, lengths)])
    letters = np.zeros((n_docs, longest), dtype=np.uint32)
    row = 0
    for text, lengths in parts:
        at = 0
        for first in range(0, len(lengths), BLOCK):
            block = lengths[first : first + BLOCK]
            inside = np.arange(longest) < block[:, None]
            size = int(block.sum())
            letters[row : row + len(block)][inside] = np.frombuffer(text, np.uint8, size, at)
            row, at = row + len(block), at + size
    return letters.view(f"U{longest}")[:, 0]


def _cut(text: bytes, lengths: npt.NDArray[np.int32]) -> list[str]:
    ends = np.cumsum(lengths, dtype=np.int64).tolist()
    return [text[a:b].decode("utf-8", "replace") for a, b in zip([0, *ends], ends, strict=False)]
