"""Pairs of related domains: text collections with the same 15 retrieval functions, and artificial domains."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise, permutations
from pathlib import Path
from typing import NamedTuple

from rankwright.data import Dataset
from rankwright.data.artificial import artificial
from rankwright.data.scaling import scale_queries
from rankwright.errors import InputError
from rankwright.reproduce.section import without_left_out
from rankwright.text.assembly import text_features

COLLECTIONS = ("cranfield", "cisi", "medline", "nfcorpus")
DEPTH = 100  # candidates of a query are the best of each of the 15 functions


class Pair(NamedTuple):
    """A source domain and a target.

    Parameters
    ----------
    name : source → target.
    source_name : of the source, for it is trained on once.
    source, target : judged queries of both; the target's labels are for judging alone.
    """

    name: str
    source_name: str
    source: Dataset
    target: Dataset


def text_pairs(data: Path, quick: bool) -> Iterator[Pair]:
    """Every ordered pair of the four collections; when quick, each with the next alone."""
    made = {name: collection(data / name) for name in COLLECTIONS}
    chosen = pairwise((*COLLECTIONS, COLLECTIONS[0])) if quick else permutations(COLLECTIONS, 2)
    for a, b in chosen:
        yield Pair(f"{a} → {b}", a, made[a], made[b])


def collection(folder: Path) -> Dataset:
    """The judged queries of a collection, features scaled within each query as LETOR's are."""
    docs, queries, qrels = (_only(folder, *names) for names in FILES)
    with without_left_out():
        return scale_queries(text_features(docs, queries, qrels, depth=DEPTH))


FILES = (("docs.jsonl",), ("queries.jsonl", "queries.test.jsonl"), ("qrels.txt", "qrels.test.txt"))


def _only(folder: Path, *names: str) -> Path:
    """The file of one of these names, compressed or not."""
    found = [path for name in names for path in (folder / name, folder / f"{name}.xz") if path.exists()]
    if not found:
        raise InputError(f"{folder} must hold {' or '.join(names)} (or .xz). It does not. Check --data.")
    return found[0]


def artificial_pairs(quick: bool) -> Iterator[Pair]:
    """Targets whose documents crowd elsewhere, from a clean source and from a noisy one; whose idea of relevance is
    turned; and the same domain again. Three draws of each, or one."""
    made = partial(artificial, 40 if quick else 150, docs_per_query=20, n_features=10)
    for seed in range(1, 2 if quick else 4):
        clean, noisy = (made(rng=seed, noise=noise) for noise in (0.0, 1.5))
        tilted = made(rng=seed, tilt=4.0, sample=1)
        turned = made(rng=seed, shift=0.5, sample=1)
        again = made(rng=seed, sample=1)
        yield Pair(f"clean → tilted, {seed}", f"clean {seed}", clean, tilted)
        yield Pair(f"noisy → tilted, {seed}", f"noisy {seed}", noisy, tilted)
        yield Pair(f"clean → turned, {seed}", f"clean {seed}", clean, turned)
        yield Pair(f"clean → the same, {seed}", f"clean {seed}", clean, again)
