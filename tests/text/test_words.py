"""From text to terms, and the index of them."""

from __future__ import annotations

import sys

import pytest

from rankwright.errors import InputError
from rankwright.text import STOP_WORDS, Analyser, count_words, index_of
from rankwright.text.words import words_of


def test_words_are_runs_of_letters_and_digits() -> None:
    assert words_of("It's 3-D_flow, naïve café: ΑΒΓ.") == ["it", "s", "3", "d", "flow", "naïve", "café", "αβγ"]
    assert words_of(" -- ") == []


def test_stop_words_are_single_words_and_not_topics() -> None:
    assert all(words_of(word) == [word] for word in STOP_WORDS)
    assert not STOP_WORDS & {"flow", "wing", "heat", "library", "blood", "cancer", "information"}
    assert {"the", "of", "and", "is", "what"} <= STOP_WORDS


def test_porter_s_published_examples() -> None:
    # Porter 1980, "An algorithm for suffix stripping": examples of steps 1 to 5
    examples = {"caresses": "caress", "ponies": "poni", "relational": "relat", "conditional": "condit"}
    examples |= {"vietnamization": "vietnam", "feed": "feed", "agreed": "agre", "controlling": "control"}
    assert Analyser(stem=True).terms(examples) == list(examples.values())


def test_stop_words_are_looked_up_before_stemming() -> None:
    assert Analyser(stem=True, stop_words=frozenset(["flows"])).terms(["flows", "flow"]) == [None, "flow"]


def test_columns_of_one_stem_are_added() -> None:
    counted = count_words(["flow flows the flowing", "heat", ""])
    index = index_of(counted, Analyser(stem=True, stop_words=frozenset(["the"])))
    assert index.counts.toarray().tolist() == [[3, 0], [0, 1], [0, 0]]
    assert index.lengths.tolist() == [3, 1, 0]
    assert index.doc_freq.tolist() == index.doc_freq.tolist() == [1, 1]
    assert index.coll_freq.tolist() == [3, 1]


def test_a_word_only_queries_have_is_known_by_its_stem() -> None:
    index = index_of(count_words(["flows"]), Analyser(stem=True))
    assert index.query_counts(["flowing flowed other"]).toarray().tolist() == [[2]]


def test_without_the_stemmer_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    with pytest.raises(InputError, match=r"rankwright\[text\]"):
        Analyser(stem=True).terms(["flow"])
    assert Analyser().terms(["flow"]) == ["flow"]
