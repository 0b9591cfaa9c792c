"""Retrieval functions: worked by hand, and beside loops over documents and words."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from rankwright.text import BASE, Analyser, Index, Parameters, count_words, index_of
from rankwright.text.adarank_features import LEAST_BM25, adarank_scorers

DOCS = ["a a b", "b c", "c c c c d"]  # N = 3, |C| = 10
HOW = Parameters(k1=1.2, b=0.75, mu=10.0, lam=0.4)


def _index(docs: list[str]) -> Index:
    return index_of(count_words(docs), Analyser())


def _scores(name: str, query: str) -> list[float]:
    index = _index(DOCS)
    return BASE[name](index, HOW).scores(index.query_counts([query]))[0].tolist()


def test_bm25_by_hand() -> None:
    long = 1.2 * (1 - 0.75 + 0.75 * 3 / (10 / 3))
    short = 1.2 * (1 - 0.75 + 0.75 * 2 / (10 / 3))
    a, b = log(1 + (3 - 1 + 0.5) / (1 + 0.5)), log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    first = 2.2 * (2 / (2 + long) * a + 1 / (1 + long) * b)
    assert _scores("bm25", "a b") == pytest.approx([first, 2.2 * 1 / (1 + short) * b, 0], rel=1e-14)
    assert _scores("bm25", "a b a") == pytest.approx([first + 2.2 * 2 / (2 + long) * a, 2.2 * b / (1 + short), 0])


def test_tfidf_by_hand() -> None:
    long = 1.2 * (1 - 0.75 + 0.75 * 3 / (10 / 3))
    assert _scores("tfidf", "a") == pytest.approx([1.2 * 2 / (2 + long) * log(3 / 1) ** 2, 0, 0], rel=1e-14)


def test_cosine_by_hand() -> None:
    a, b, c = log(3 / 1), log(3 / 2), log(3 / 2)
    first = (1 + log(2)) * a / sqrt(((1 + log(2)) * a) ** 2 + b**2)
    assert _scores("cosine", "a") == pytest.approx([first, 0, 0], rel=1e-14)
    assert _scores("cosine", "c b") == pytest.approx(
        [
            b / sqrt(((1 + log(2)) * a) ** 2 + b**2) / sqrt(2),
            1,
            (1 + log(4)) * c / sqrt(((1 + log(4)) * c) ** 2 + a**2) / sqrt(2),
        ],
        rel=1e-14,
    )


def test_dirichlet_is_the_likelihood_less_that_of_the_collection() -> None:
    def likelihood(count: int, length: int, share: float) -> float:
        return log((count + 10 * share) / (length + 10))

    expected = [
        likelihood(2, 3, 0.2) + likelihood(1, 3, 0.2),
        likelihood(0, 2, 0.2) + likelihood(1, 2, 0.2),
        likelihood(0, 5, 0.2) + likelihood(0, 5, 0.2),
    ]
    assert _scores("dirichlet", "a b") == pytest.approx([e - 2 * log(0.2) for e in expected], rel=1e-14)


def test_jelinek_is_the_likelihood_less_that_of_the_smoothing() -> None:
    mixed = 0.6 * 2 / 3 + 0.4 * 0.2
    assert _scores("jelinek", "a") == pytest.approx([log(mixed / (0.4 * 0.2)), 0, 0], rel=1e-14)


def test_words_the_collection_lacks_say_nothing() -> None:
    for name in BASE:
        assert _scores(name, "a unheard") == _scores(name, "a")
        assert _scores(name, "unheard") == [0, 0, 0]


def test_the_seven_features_of_the_adarank_paper_by_hand() -> None:
    index = _index(DOCS)
    made = adarank_scorers(index, HOW)
    query = index.query_counts(["a b a d"])  # a word of the query counts once
    first = {name: f(query)[0, 0] for name, f in made.items()}
    assert first["ln_tf"] == pytest.approx(log(2 + 1) + log(1 + 1))
    assert first["ln_icf"] == pytest.approx(log(10 / 2 + 1) + log(10 / 2 + 1))
    assert first["ln_idf"] == pytest.approx(log(3 / 1) + log(3 / 2))
    assert first["ln_share"] == pytest.approx(log(2 / 3 + 1) + log(1 / 3 + 1))
    assert first["ln_share_idf"] == pytest.approx(log(2 / 3 * 3 / 1 + 1) + log(1 / 3 * 3 / 2 + 1))
    assert first["ln_share_icf"] == pytest.approx(log(2 * 10 / (3 * 2) + 1) + log(1 * 10 / (3 * 2) + 1))
    assert first["ln_bm25"] == pytest.approx(log(_scores("bm25", "a b a d")[0]))
    unmatched = {name: f(index.query_counts(["a"]))[0, 1] for name, f in made.items()}
    assert unmatched.pop("ln_bm25") == log(LEAST_BM25)
    assert set(unmatched.values()) == {0.0}


# -- brute force -----------------------------------------------------------------------------------------------------

words = st.sampled_from("abcdef")
texts = st.lists(words, max_size=8).map(" ".join)


def _brute(name: str, query: list[str], doc: list[str], docs: list[list[str]]) -> float:
    size, n_docs = sum(map(len, docs)), len(docs)
    collection, c, q = Counter(w for d in docs for w in d), Counter(doc), Counter(query)
    n = {w: sum(w in d for d in docs) for w in collection}
    norm = HOW.k1 * (1 - HOW.b + HOW.b * len(doc) / (size / n_docs)) if size else 0.0
    known = [w for w in query if w in collection]

    def vector(counts: Counter[str]) -> dict[str, float]:
        return {w: (1 + log(k)) * log(n_docs / n[w]) for w, k in counts.items() if w in collection}

    if name == "cosine":
        u, v = vector(q), vector(c)
        size_u, size_v = (sqrt(sum(x * x for x in side.values())) for side in (u, v))
        return sum(u[w] * v.get(w, 0.0) for w in u) / (size_u * size_v) if size_u * size_v else 0.0
    if name == "tfidf":
        return sum(HOW.k1 * c[w] / (c[w] + norm) * log(n_docs / n[w]) ** 2 for w in known if c[w])
    if name == "bm25":
        return sum(2.2 * c[w] / (c[w] + norm) * log(1 + (n_docs - n[w] + 0.5) / (n[w] + 0.5)) for w in known if c[w])
    share = {w: collection[w] / size for w in known}
    if name == "dirichlet":
        return sum(log((c[w] + HOW.mu * share[w]) / (len(doc) + HOW.mu) / share[w]) for w in known)
    return sum(log((0.6 * c[w] / len(doc) + 0.4 * share[w]) / (0.4 * share[w])) for w in known if c[w])


@pytest.mark.parametrize("name", BASE)
@settings(max_examples=40, deadline=None)
@given(docs=st.lists(texts, min_size=1, max_size=5), queries=st.lists(texts, min_size=1, max_size=3))
def test_equals_loops_over_words_and_documents(name: str, docs: list[str], queries: list[str]) -> None:
    index = _index(docs)
    got = BASE[name](index, HOW).scores(index.query_counts(queries))
    split = [d.split() for d in docs]
    expected = [[_brute(name, q.split(), d, split) for d in split] for q in queries]
    np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-12)
