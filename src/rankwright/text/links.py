"""What hyperlinks and the tree of a site say of a page, and scores that spread along them.

PageRank (Brin & Page 1998): r = d Pᵀ r + (1 − d)/n, where P follows a random link of the page, and a page without
links leads to every page alike. HostRank (Xue et al. 2005): PageRank of the graph of hosts, whose links count the
links between their pages; the host's mass is shared among its pages by 1 + their links from other pages.
Relevance propagation (Qin et al. 2005): a page's score mixed with the mean score of its neighbours,
s'(d) = α s(d) + (1 − α) mean_{e ∈ neighbours of d} s(e); the neighbours are the pages that link to it, or its
children in the tree of its site. A page without neighbours keeps its score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankwright.text.index import Floats

MIXES = (0.1, 0.3, 0.5, 0.7, 0.9)


def link_matrix(links: Sequence[tuple[int, int]], n: int) -> Any:
    """Pages × pages: 1 where the row links to the column; links to itself and repeated ones do not count."""
    ends = np.array([(a, b) for a, b in dict.fromkeys(links) if a != b], dtype=np.int64).reshape(-1, 2)
    return sp.csr_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))


def page_rank(links: Any, damping: float = 0.85, tol: float = 1e-12, max_rounds: int = 1000) -> Floats:
    """The chance of every page for one who follows links at random; sums to 1.

    Parameters
    ----------
    links : pages × pages, sparse: the weight of the link from row to column.
    damping : the chance to follow a link, and not to jump anywhere.
    tol : it stops when the ranks change by less in all.
    max_rounds : and after so many rounds.
    """
    n = links.shape[0]
    leaving = np.asarray(links.sum(axis=1)).ravel()
    forward = (sp.diags_array(1.0 / np.where(leaving > 0, leaving, 1.0)) @ links).T.tocsr()
    rank = np.full(n, 1.0 / max(n, 1))
    for _ in range(max_rounds):
        lost = rank[leaving == 0].sum()
        new = damping * (forward @ rank + lost / n) + (1.0 - damping) / n
        change = np.abs(new - rank).sum()
        rank = new / new.sum()
        if change < tol:
            break
    return np.asarray(rank)


def host_rank(links: Any, hosts: Sequence[str], damping: float = 0.85) -> Floats:
    """PageRank of hosts, shared among the pages of each; sums to 1.

    Parameters
    ----------
    links : pages × pages, sparse.
    hosts : the host of every page.
    damping : as in :func:`page_rank`.
    """
    names, host = np.unique(np.array(hosts, dtype=str), return_inverse=True)
    member = sp.csr_matrix((np.ones(len(host)), (np.arange(len(host)), host)), shape=(len(host), len(names)))
    between = (member.T @ links @ member).tocsr()
    between.setdiag(0.0)
    between.eliminate_zeros()
    share = 1.0 + np.asarray(links.sum(axis=0)).ravel()
    of_host = np.bincount(host, weights=share, minlength=len(names))
    return np.asarray(page_rank(between, damping)[host] * share / of_host[host])


def site_tree(urls: Sequence[str]) -> npt.NDArray[np.int64]:
    """The parent of every page: the page whose address is its nearest folder; −1 at the top.

    ``http://host/a/b.html`` lies in ``http://host/a/``, which ``…/a`` and ``…/a/index.html`` name, too.
    """
    at: dict[tuple[str, ...], int] = {}
    places = [_place(url) for url in urls]
    for page, place in enumerate(places):
        at.setdefault(place, page)
    parents = np.full(len(urls), -1, dtype=np.int64)
    for page, place in enumerate(places):
        above = (place[:depth] for depth in range(len(place) - 1, 0, -1))
        parents[page] = next((at[folder] for folder in above if folder in at and at[folder] != page), -1)
    return parents


def _place(url: str) -> tuple[str, ...]:
    parts = urlsplit(url)
    path = [part for part in parts.path.split("/") if part]
    if path and path[-1].lower().partition(".")[0] in ("index", "default"):
        path.pop()
    return (host_of(url), *path)


def host_of(url: str) -> str:
    """The host of an address, in lower case."""
    return (urlsplit(url).hostname or "").lower()


def neighbours_mean(neighbours: Any) -> Any:
    """The matrix M with (M s)(d) = the mean score of d's neighbours; its own score where it has none."""
    n = np.asarray(neighbours.sum(axis=1)).ravel()
    alone = sp.diags_array((n == 0).astype(np.float64))
    return (sp.diags_array(1.0 / np.where(n > 0, n, 1.0)) @ neighbours + alone).tocsr()


def propagated(scores: Floats, means: Any, alpha: float) -> Floats:
    """Relevance propagation: queries × documents scores, mixed with their neighbours'.

    Parameters
    ----------
    scores : queries × documents.
    means : from :func:`neighbours_mean`.
    alpha : the weight of a document's own score.
    """
    return np.asarray(alpha * scores + (1.0 - alpha) * (means @ scores.T).T)
