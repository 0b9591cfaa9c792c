"""Features of query and document from their texts: the columns, made query block by query block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankwright.errors import InputError, unknown
from rankwright.text import links as of_links
from rankwright.text.adarank_features import adarank_scorers
from rankwright.text.collection import Texts
from rankwright.text.functions import BASE, Function, Parameters, bm25
from rankwright.text.index import Floats, Index, WordCounts, index_of
from rankwright.text.words import STOP_WORDS, Analyser

ANALYSES = ("", ".stem", ".stem.stop")
Made = dict[str, Floats]


@dataclass(frozen=True, eq=False)
class Collection:
    """Documents ready to be scored.

    Parameters
    ----------
    documents : their ids, texts and links.
    counted : their words.
    parameters : of the retrieval functions.
    stop_words : words the analyses that end in ".stop" leave out.
    """

    documents: Texts
    counted: WordCounts
    parameters: Parameters = field(default_factory=Parameters)
    stop_words: frozenset[str] = STOP_WORDS
    _indexes: dict[str, Index] = field(default_factory=dict)

    def index(self, analysis: str) -> Index:
        """The index of plain words (""), of stems (".stem"), of stems without stop words (".stem.stop")."""
        if analysis not in self._indexes:
            stop = self.stop_words if analysis.endswith(".stop") else frozenset[str]()
            self._indexes[analysis] = index_of(self.counted, Analyser("stem" in analysis, stop))
        return self._indexes[analysis]


@dataclass(frozen=True, eq=False)
class Maker:
    """A family of features over one index.

    Parameters
    ----------
    analysis : the index whose term counts `make` takes.
    names : of its columns.
    make : from the term counts of some queries to one queries × documents matrix per column.
    retrieves : whether its columns choose candidates; link features alone do not.
    """

    analysis: str
    names: tuple[str, ...]
    make: Callable[[Any], Made]
    retrieves: bool = True


def base_maker(of: Collection, name: str, function: Function, analysis: str) -> Maker:
    scorer = function(of.index(analysis), of.parameters)
    return Maker(analysis, (name + analysis,), lambda queries: {name + analysis: scorer.scores(queries)})


def base_makers(of: Collection) -> list[Maker]:
    """The 15 base functions of the SVM-map paper: five functions over three indexes."""
    return [base_maker(of, name, function, analysis) for analysis in ANALYSES for name, function in BASE.items()]


def adarank_makers(of: Collection) -> list[Maker]:
    """The seven features of the AdaRank paper."""
    made = adarank_scorers(of.index(".stem.stop"), of.parameters)
    return [Maker(".stem.stop", (name,), lambda q, n=name, f=f: {n: f(q)}) for name, f in made.items()]  # type: ignore[misc]


def link_makers(of: Collection) -> list[Maker]:
    """PageRank, HostRank, and BM25 spread over links and over the tree of the site, in ten settings."""
    pages = of.documents
    if pages.urls is None or not pages.links:
        raise InputError(
            "link features need a url for every document, and links. Got none of one. Add the keys url and links (a "
            "list of ids) to the documents."
        )
    n = len(pages.ids)
    links = of_links.link_matrix(pages.links, n)
    parents = of_links.site_tree(pages.urls)
    children = np.flatnonzero(parents >= 0)
    below = of_links.link_matrix(list(zip(parents[children].tolist(), children.tolist(), strict=True)), n)
    fixed = {
        "pagerank": of_links.page_rank(links),
        "hostrank": of_links.host_rank(links, [of_links.host_of(url) for url in pages.urls]),
    }
    spread = {"links": of_links.neighbours_mean(links.T.tocsr()), "tree": of_links.neighbours_mean(below)}
    score = bm25(of.index(".stem.stop"), of.parameters)

    def make(queries: Any) -> Made:
        scores = score.scores(queries)
        made = {name: np.broadcast_to(rank, scores.shape) for name, rank in fixed.items()}
        for name, means in spread.items():
            for alpha in of_links.MIXES:
                made[f"{name}.{alpha}"] = of_links.propagated(scores, means, alpha)
        return made

    names = (*fixed, *(f"{name}.{alpha}" for name in spread for alpha in of_links.MIXES))
    return [Maker(".stem.stop", names, make, retrieves=False)]


SETS: dict[str, Callable[[Collection], list[Maker]]] = {
    "base": base_makers,
    "adarank": adarank_makers,
    "links": link_makers,
}


def makers_of(of: Collection, wanted: str | Sequence[str]) -> list[Maker]:
    """The makers of the features asked for: names of sets, or of single base functions such as ``bm25.stem``."""
    single = {f"{name}{analysis}": (name, analysis) for name in BASE for analysis in ANALYSES}
    out: list[Maker] = []
    for name in dict.fromkeys([wanted] if isinstance(wanted, str) else wanted):
        if name in SETS:
            out.extend(SETS[name](of))
        elif name in single:
            function, analysis = single[name]
            out.append(base_maker(of, function, BASE[function], analysis))
        else:
            raise unknown("features", name, [*SETS, *single])
    names = [name for maker in out for name in maker.names]
    if len(set(names)) < len(names) or not out:
        raise InputError(
            f"features must be different, and at least one. Got {wanted!r}. Drop what is in a set already."
        )
    if not any(maker.retrieves for maker in out):
        raise InputError("some features must find documents. Got link features alone. Add base, adarank or bm25.stem.")
    return out
