"""The closed forms, native and twin, against the definitions averaged over every order of the tied documents."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from rankwright import kernels
from rankwright.kernels import reference
from rankwright.measures import REGISTRY, Measure, measure, measure_all, ties as tied

PLAIN = [
    "DCG", "DCG@2", "DCG(gain=identity)@3", "DCG(gain=[0,1,5],discount=letor)@3",
    "nDCG", "nDCG@1", "nDCG@3", "nDCG(gain=identity,discount=letor)@2", "nDCG(gain=[0,0,1])", "nDCG(short=zero)@4",
    "MeanNDCG", "MeanNDCG(discount=letor)", "MeanNDCG@2",
    "AP", "AP@2", "AP(rel=2)", "AP(norm=cut)@2",
    "P@1", "P@3", "P@5", "P", "P(short=zero)@4", "P(short=cut)@4", "P(rel=2)@2",
    "Recall@2", "Recall", "RR", "RR@2", "RR(rel=2)@3", "WTA",
    "ERR", "ERR@2", "ERR(max_label=4)@3",
    "KendallTau", "Overlap@1", "Overlap@2", "Overlap@5", "AUC", "AUC(rel=2)",
]  # fmt: skip


def every_short_list(longest: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries with all labels in 0..2 against all ways the ranks can fall into ties, up to `longest` documents."""
    labels, scores, sizes = [], [], []
    for n in range(longest + 1):
        for y, s in product(product(range(3), repeat=n), product((0, 1), repeat=max(n - 1, 0))):
            labels += y
            scores += (-np.cumsum([0, *s])[:n]).tolist()
            sizes.append(n)
    return np.array(labels, np.float32), np.array(scores, float), np.cumsum([0, *sizes])


LABELS, SCORES, QPTR = every_short_list(4)
DOC_IDS = np.array([f"d{(i * 7) % 31:02d}" for i in range(len(LABELS))])


def by_definition(m: Measure) -> np.ndarray:
    m = m.bind(LABELS)
    keys = tied.descending_ids(DOC_IDS, len(LABELS)) if m.ties == "docid" else None
    rows = reference.order_queries(SCORES, QPTR, keys)
    empty = {"zero": 0.0, "one": 1.0}.get(m.empty, np.nan)
    out = []
    for a, b in pairwise(QPTR):
        y, s = LABELS[rows[a:b]], SCORES[rows[a:b]]
        out.append(empty if m.is_empty(y) else tied.value(m.of_ranking, y, s, m.ties))
    return np.array(out)


@pytest.mark.parametrize("ties", ["expected", "worst", "input", "docid"])
@pytest.mark.parametrize("text", PLAIN)
def test_kernels_follow_the_definition_on_all_short_lists(text: str, ties: str) -> None:
    m = type(measure(text))(**{**vars(measure(text)), "ties": ties})
    spec = m.bind(LABELS).kernel_spec()
    assert spec is not None
    keys = tied.descending_ids(DOC_IDS, len(LABELS))
    wanted = by_definition(m)
    native = kernels.measure_queries([spec], SCORES, LABELS, QPTR, keys)[0]
    twin = reference.measure_queries([spec], SCORES, LABELS, QPTR, keys)[0]
    np.testing.assert_allclose(native, wanted, rtol=0, atol=2e-15 * max(1, wanted.max()))
    np.testing.assert_allclose(twin, wanted, rtol=0, atol=2e-15 * max(1, wanted.max()))


def test_every_measure_is_among_those_tested() -> None:
    assert {type(measure(text)) for text in PLAIN} == {cls for cls in REGISTRY.values() if cls.__module__[:4] == "rank"}


@pytest.mark.parametrize("empty", ["zero", "one", "skip"])
def test_empty_queries_get_the_value_of_their_policy(empty: str) -> None:
    measures = [type(m)(**{**vars(m), "empty": empty}) for m in map(measure, PLAIN)]
    values = measure_all(measures, LABELS, SCORES, QPTR)
    for m, row in zip(measures, values, strict=True):
        nothing = [m.is_empty(LABELS[a:b]) for a, b in pairwise(QPTR)]
        np.testing.assert_array_equal(row[nothing], {"zero": 0.0, "one": 1.0, "skip": np.nan}[empty])
        assert not np.isnan(row[~np.array(nothing)]).any()
