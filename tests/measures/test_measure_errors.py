"""What measures refuse, what users may add, and what they then get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from rankwright.errors import InputError
from rankwright.measures import AP, REGISTRY, Measure, measure, measure_all, nDCG


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nDGC@10", "Did you mean 'nDCG'"),
        ("nDCG@", "written name"),
        ("nDCG@0", "at least 1"),
        ("AP(rell=2)", "Did you mean 'rel'"),
        ("AP(rel=two)", "must be a number"),
        ("AP(ties=best)", "expected, worst, input, docid"),
        ("AP(empty=none)", "zero, one, skip, error"),
        ("WTA@3", "no cut-off"),
        ("KendallTau@3", "no cut-off"),
        ("nDCG(gain=cubic)", "exp2, identity"),
        ("nDCG(gain=[0,2,1])", "never fall"),
        ("nDCG(gain=[-1,2])", "at least 0"),
        ("nDCG(short=cut)@3", "pad, zero"),
        ("P(short=none)@3", "pad, cut, zero"),
        ("DCG(discount=ln)", "log2, letor"),
        ("AP(norm=some)", "all, cut"),
    ],
)
def test_bad_spellings_say_what_is_right(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        measure(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [("map", "AP"), ("mrr@10", "RR@10"), ("NDCG@5", "nDCG@5"), ("p@5", "P@5"), ("ROCArea", "AUC"), ("R@3", "Recall@3"),
     ("nDCG( gain = [0,1,3] )@2", "nDCG(gain=[0,1,3])@2"), ("P ( rel = 2 ) @ 5", "P(rel=2)@5")],
)  # fmt: skip
def test_aliases_and_spacing_parse(text: str, written: str) -> None:
    assert str(measure(text)) == written


@pytest.mark.parametrize(
    ("text", "labels", "said"),
    [
        ("nDCG(gain=[0,1])", [0, 1, 2], "0 to 1"),
        ("nDCG(gain=[0,1,2])", [0, 0.5], "whole numbers"),
        ("nDCG", [0, 2000], "at most 1000"),
        ("ERR(max_label=3)", [0, 4], "at most max_label"),
        ("AP", [0, np.nan], "finite and at least 0. Got nan at row 1"),
        ("AP", [-1, 0], "Got -1.0 at row 0"),
        ("AP", ["good", "bad"], "labels must be numbers"),
        ("AP(empty=error)", [0, 0], "Query number 0 has nothing"),
        ("AP(ties=docid)", [0, 1], "needs document ids"),
    ],
)
def test_labels_a_measure_cannot_take_are_refused(text: str, labels: list[float], said: str) -> None:
    with pytest.raises(InputError, match=said):
        measure(text).per_query(labels, np.zeros(len(labels)))


def test_scores_and_offsets_are_checked() -> None:
    with pytest.raises(InputError, match="Got NaN at row 1"):
        AP().per_query([0, 1], [1, np.nan])
    with pytest.raises(InputError, match="one score per label"):
        AP().per_query([0, 1], [1])
    for qptr in ([0, 3], [1, 2], [0, 2, 1, 2], [], [[0, 2]]):
        with pytest.raises(InputError, match="qptr must rise"):
            AP().per_query([0, 1], [1, 2], qptr)
    with pytest.raises(InputError, match="one per row"):
        AP(ties="docid").per_query([0, 1], [1, 2], doc_ids=["a"])


def test_no_queries_and_no_measures_give_empty_tables() -> None:
    assert AP().per_query([], [], [0]).shape == (0,)
    assert np.isnan(AP().mean([], [], [0]))
    assert measure_all([], [1, 0], [1, 2]).shape == (0, 1)
    assert AP().mean([], []) == 0.0  # one query without documents has nothing to find


def test_zeros_of_either_sign_tie_and_infinite_scores_rank() -> None:
    assert AP().mean([1, 0], [-0.0, 0.0]) == (1 + 1 / 2) / 2
    assert AP().mean([1, 0, 0], [np.inf, 1e308, -np.inf]) == 1.0


def test_single_precision_ties_what_differs_in_double_only() -> None:
    labels, scores = [0, 1], [1.0 + 1e-12, 1.0]
    assert measure("WTA").mean(labels, scores) == 0.0
    assert measure("WTA(scores=single)").mean(labels, scores) == 1 / 2
    both = measure_all([measure("WTA(scores=single)"), measure("WTA")], labels, scores)
    np.testing.assert_array_equal(both, [[1 / 2], [0.0]])
    assert measure("WTA(scores=single)").mean([0, 1], [1e300, 1e200]) == 1 / 2  # both beyond single precision


@pytest.fixture
def registry() -> Iterator[None]:
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


@pytest.mark.usefixtures("registry")
def test_a_measure_of_ones_own_needs_one_method() -> None:
    @dataclass(frozen=True)
    class LastRelevant(Measure):
        """The share of the list above the last relevant document."""

        weight: float = 1.0

        def of_ranking(self, labels: np.ndarray) -> float:
            return self.weight * float(np.flatnonzero(labels > 0)[-1]) / len(labels)

    own = measure("LastRelevant(weight=0.5)")
    assert str(own) == "LastRelevant(weight=0.5)"
    assert own.mean([0, 1, 0, 1], [4, 3, 2, 1]) == 0.5 * 3 / 4
    assert own.mean([1, 0, 0, 0], [1, 1, 0, 0]) == 0.5 * (0 + 1) / 2 / 4  # ties averaged
    beside = measure_all([AP(), own, nDCG(k=3)], [0, 1], [2, 1])
    np.testing.assert_array_equal(beside[1], own.per_query([0, 1], [2, 1]))
    assert own.swap_deltas(np.array([1.0, 0.0]))[0, 1] == 0.5 * 1 / 2


@pytest.mark.usefixtures("registry")
def test_a_new_definition_drops_the_closed_forms_it_inherits() -> None:
    class Half(AP):
        def of_ranking(self, labels: np.ndarray) -> float:
            return super().of_ranking(labels) / 2

    assert Half().mean([0, 1], [2, 1]) == 1 / 4
    assert Half().swap_deltas(np.array([1.0, 0.0]))[0, 1] == pytest.approx((1 - 1 / 2) / 2)


@pytest.mark.usefixtures("registry")
def test_the_librarys_names_cannot_be_taken() -> None:
    with pytest.raises(InputError, match="name must be its own"):

        class P(Measure):
            def of_ranking(self, labels: np.ndarray) -> float:
                return 0.0


@pytest.mark.usefixtures("registry")
def test_many_orders_are_averaged_by_seeded_sampling_whatever_the_row_order() -> None:
    class FirstPair(Measure):
        def of_ranking(self, labels: np.ndarray) -> float:
            return float(labels[0] + labels[1]) / 8

    labels = np.arange(20) % 5
    value = FirstPair().mean(labels, np.zeros(20))
    assert value == pytest.approx(2 * 2 / 8, abs=0.02)
    assert value == FirstPair().mean(labels[::-1], np.zeros(20))
