"""TREC runs from scores: one line per ranked document."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rankwright.cli.inputs import STANDARD
from rankwright.files import write_atomically

if TYPE_CHECKING:
    from rankwright.data import Dataset

Lists = list[tuple[Any, list[tuple[Any, float]]]]


def ranked_lists(data: Dataset, scores: Any, depth: int | None) -> Lists:
    """For each query, its documents (the data's ids, else row numbers from 1) and scores, best first."""
    from rankwright import kernels

    rows = kernels.order_queries(scores, data.qptr)
    ids = data.doc_ids if data.doc_ids is not None else data.from_caller(range(1, data.n_docs + 1))
    lists: Lists = []
    for query, part in zip(data.query_ids.tolist(), data, strict=True):
        chosen = rows[part][:depth]
        lists.append((query, list(zip(ids[chosen].tolist(), scores[chosen].tolist(), strict=True))))
    return lists


def write_run(lists: Lists, path: str, tag: str) -> None:
    """``query Q0 document rank score tag``, ranks from 1; ``-`` is standard output."""
    text = "".join(
        f"{query} Q0 {document} {rank} {score!r} {tag}\n"
        for query, documents in lists
        for rank, (document, score) in enumerate(documents, 1)
    )
    if path == STANDARD:
        sys.stdout.write(text)
    else:
        write_atomically(path, text.encode())
