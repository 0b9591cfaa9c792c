"""Makes the file the reader is measured on: MSLR-like, 136 features, the numbers written as such files write them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rankwright.files import atomic, write_atomically

N_FEATURES = 136
BLOCK_ROWS = 30_000  # about 33 MB of distinct text, written again under new query ids
HERE = Path(__file__).resolve().parents[1] / "bench-data"


def columns(rng: np.random.Generator, rows: int) -> list[list[str]]:
    """One list of written numbers per feature: counts, term frequencies, BM25-like sums, page qualities."""
    written = []
    for k in range(N_FEATURES):
        kind = k % 5
        absent = rng.random(rows) < (0.15, 0.45, 0.3, 0.2, 0.55)[kind]
        if kind in (0, 4):  # a count: "31"
            numbers = [str(v) for v in rng.geometric(0.02 if k % 2 else 0.3, rows).tolist()]
        elif kind == 1:  # a ratio: "0.142857"
            numbers = [f"{v:.6f}" for v in rng.beta(1, 9, rows).tolist()]
        elif kind == 2:  # a language-model or BM25 score: "-12.950828"
            numbers = [f"{v:.6f}" for v in (rng.normal(8, 6, rows)).tolist()]
        else:  # a mean: "0.50000"
            numbers = [f"{v:.5f}" for v in (rng.integers(0, 40, rows) / 8).tolist()]
        written.append([f"{k + 1}:0" if gone else f"{k + 1}:{v}" for gone, v in zip(absent, numbers, strict=True)])
    return written


def blocks(megabytes: float, seed: int = 1) -> Iterator[list[tuple[int, int, str]]]:
    """Label, query and features of each document, a block at a time: queries of 20 to 220 documents, labels 0 to 4."""
    rng = np.random.default_rng(seed)
    features = [" ".join(row) for row in zip(*columns(rng, BLOCK_ROWS), strict=True)]
    left, query = int(megabytes * 1e6), 0
    while left > 0:
        sizes = rng.integers(20, 221, BLOCK_ROWS // 20)
        queries = np.repeat(np.arange(query, query + len(sizes)), sizes)[:BLOCK_ROWS].tolist()
        labels = rng.choice(5, BLOCK_ROWS, p=[0.52, 0.32, 0.13, 0.02, 0.01]).tolist()
        query = queries[-1] + 1
        rows = []
        for row in zip(labels, queries, features, strict=True):
            rows.append(row)
            left -= len(row[2]) + len(str(row[1])) + 8
            if left <= 0:
                break
        yield rows


def made(megabytes: float, qid: bool = True) -> Path:
    """The file of at least that size, made once and kept in ``bench-data/``; or the same rows without qids, with the
    side file LightGBM wants."""
    path = HERE / f"mslr-like-{megabytes:g}mb{'' if qid else '-no-qid'}.txt"
    if not path.exists():
        HERE.mkdir(exist_ok=True)
        print(f"making {path.name}", file=sys.stderr)
        sizes: dict[int, int] = {}
        with atomic(path) as out:
            for rows in blocks(megabytes):
                out.write("".join(f"{y} qid:{q} {x}\n" if qid else f"{y} {x}\n" for y, q, x in rows).encode())
                for _, q, _ in rows:
                    sizes[q] = sizes.get(q, 0) + 1
        if not qid:
            write_atomically(f"{path}.query", "".join(f"{size}\n" for size in sizes.values()).encode())
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=500)
    print(made(parser.parse_args().mb))
