"""PageRank, HostRank and propagation, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from rankwright.text.links import host_rank, link_matrix, neighbours_mean, page_rank, propagated, site_tree


def test_two_pages_of_which_one_leads_nowhere() -> None:
    # r1 = d r2/2 + (1−d)/2 and r2 = d (r1 + r2/2) + (1−d)/2, with r1 + r2 = 1
    r1 = 0.5 / (1 + 0.85 / 2)
    assert page_rank(link_matrix([(0, 1)], 2)) == pytest.approx([r1, 1 - r1], abs=1e-11)


def test_page_rank_solves_its_equation() -> None:
    rng = np.random.default_rng(0)
    links = [(int(a), int(b)) for a, b in rng.integers(0, 30, (120, 2)) if a > 2]
    matrix = link_matrix(links, 30)
    dense = matrix.toarray()
    leaving = dense.sum(axis=1, keepdims=True)
    follow = np.where(leaving > 0, dense / np.where(leaving > 0, leaving, 1), 1 / 30)
    exact = np.linalg.solve(np.eye(30) - 0.85 * follow.T, np.full(30, 0.15 / 30))
    assert page_rank(matrix) == pytest.approx(exact, abs=1e-11)
    assert page_rank(matrix).sum() == pytest.approx(1)


def test_links_to_oneself_and_repeated_ones_do_not_count() -> None:
    assert link_matrix([(0, 1), (0, 1), (1, 1)], 2).toarray().tolist() == [[0, 1], [0, 0]]
    assert link_matrix([], 2).toarray().tolist() == [[0, 0], [0, 0]]


def test_a_host_shares_its_rank_by_links_from_other_pages() -> None:
    links = link_matrix([(0, 1), (2, 1)], 3)  # pages 0, 1 on one host, 2 on another
    r2 = 0.5 / (1 + 0.85 / 2)  # host graph: b → a only
    rank = host_rank(links, ["a", "a", "b"])
    assert rank == pytest.approx([(1 - r2) * 1 / 4, (1 - r2) * 3 / 4, r2], abs=1e-11)


def test_the_tree_of_a_site() -> None:
    urls = ["http://H/", "http://h/a/", "http://h/a/b.html", "http://h/a/c/d.html", "http://other/a/b.html"]
    assert site_tree(urls).tolist() == [-1, 0, 1, 1, -1]
    assert site_tree(["http://h/index.html", "http://h/a/index.htm", "http://h/a/x"]).tolist() == [-1, 0, 1]
    assert site_tree(["http://h/a", "http://h/a/"]).tolist() == [-1, -1]  # the same place twice


def test_scores_are_mixed_with_the_neighbours_mean() -> None:
    means = neighbours_mean(link_matrix([(0, 1), (0, 2)], 3))
    assert propagated(np.array([[1.0, 4.0, 6.0]]), means, 0.3) == pytest.approx(
        np.array([[0.3 * 1 + 0.7 * (4 + 6) / 2, 4.0, 6.0]])
    )
