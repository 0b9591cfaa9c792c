"""λ-gradients: native against the twin and against swap deltas, for every measure; their cost stops at the cut-off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import rankwright as rw
from rankwright.kernels import reference
from rankwright.line_search.worths import worth_of
from rankwright.measures import Measure
from rankwright.rankers.lambdas import Lambdas, feature_hashes

native = pytest.importorskip("rankwright.kernels._native")

MEASURES = [
    "DCG@3", "nDCG", "nDCG@1", "nDCG@5", "nDCG(gain=identity,discount=letor)@7", "nDCG(short=zero)@9", "MeanNDCG",
    "MeanNDCG@4", "AP", "AP@4", "AP(norm=cut)@3", "AP(rel=2)", "P@1", "P@5", "P(short=cut)@9", "Recall@6", "WTA", "RR",
    "RR@3", "RR(rel=3)@6", "ERR", "ERR@4", "KendallTau", "AUC", "AUC(rel=2)", "Overlap@4",
]  # fmt: skip


def _data(rng: np.random.Generator, n_queries: int = 12, longest: int = 60, levels: int = 5) -> rw.Dataset:
    sizes = rng.integers(1, longest, n_queries)
    y = rng.integers(0, levels, sizes.sum())
    return rw.Dataset(rng.normal(size=(len(y), 3)), y, group=sizes)


def _both(data: rw.Dataset, measure: Measure, scores: Any, weights: Any, near: float = 0.0, n_threads: int = 1) -> Any:
    bound = measure.bind(data.y)
    worth = worth_of(bound, data.y, data.qptr, np.ones(data.n_queries))
    visit = np.arange(data.n_docs)
    out = []
    for kernels in (native, reference):
        arrays = np.full(data.n_docs, 7.0), np.full(data.n_docs, 7.0)
        kernels.lambda_gradients(scores, data.qptr, worth, visit, weights, near, *arrays, n_threads)
        out.append(np.array(arrays))
    return out


@pytest.mark.parametrize("text", MEASURES)
@pytest.mark.parametrize("seed", range(3))
def test_native_is_the_twin(text: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = _data(rng)
    scores = np.round(rng.normal(size=data.n_docs) * 3, 1 if seed else 9)  # some with ties
    weights = (rng.random(data.n_docs), rng.random(data.n_queries)) if seed == 2 else (None, None)
    ours, twin = _both(data, rw.measure(text), scores, weights, 0.01 if seed else 0.0)
    np.testing.assert_allclose(ours, twin, rtol=1e-9, atol=1e-10 * max(np.abs(twin).max(), 1.0))
    assert np.abs(twin).max() > 0


@pytest.mark.parametrize("text", MEASURES)
def test_they_are_swap_deltas_times_the_slope(text: str) -> None:
    rng = np.random.default_rng(5)
    measure = rw.measure(text)
    for n in range(2, 9):
        y = rng.integers(0, 4, n).astype(np.float32)
        y[:2] = 0, 3
        data, scores = rw.Dataset(rng.normal(size=(n, 1)), y, group=[n]), rng.normal(size=n)
        bound = measure.bind(y)
        order = np.argsort(-scores)
        swaps = np.empty((n, n))
        swaps[np.ix_(order, order)] = bound.recomputed_swap_deltas(y[order])
        lambdas, hessians = np.zeros(n), np.zeros(n)
        for i in range(n):
            for j in range(n):
                if y[i] > y[j]:
                    rho = 1 / (1 + np.exp(scores[i] - scores[j]))
                    lambdas[i] += swaps[i, j] * rho
                    lambdas[j] -= swaps[i, j] * rho
                    hessians[[i, j]] += swaps[i, j] * rho * (1 - rho)
        got = Lambdas(data, measure).at(scores)
        np.testing.assert_allclose(got, (lambdas, hessians), rtol=0, atol=1e-10)


@pytest.mark.parametrize("text", ["nDCG@10", "AP", "ERR@5", "KendallTau", "RR"])
def test_threads_give_the_same_bits(text: str) -> None:
    rng = np.random.default_rng(2)
    data = _data(rng, n_queries=300)
    scores = rng.normal(size=data.n_docs)
    one, two, three = (_both(data, rw.measure(text), scores, (None, None), 0.01, n)[0] for n in (1, 2, 3))
    assert one.tobytes() == two.tobytes() == three.tobytes()


def test_a_measure_known_by_its_definition_alone() -> None:
    @dataclass(frozen=True)
    class _Defined(Measure):
        def of_ranking(self, labels: Any) -> float:
            return float((2.0 ** labels[: self.k] - 1) @ (1 / np.log2(np.arange(len(labels[: self.k])) + 2)))

    rng = np.random.default_rng(1)
    data = _data(rng, n_queries=5, longest=12)
    data = data.replace(query_weight=rng.random(5), doc_weight=rng.random(data.n_docs))
    scores = rng.normal(size=data.n_docs)
    for near in (0.0, 0.01):
        defined = Lambdas(data, _Defined(k=3), near).at(scores)
        np.testing.assert_allclose(defined, Lambdas(data, rw.measure("DCG@3"), near).at(scores), rtol=1e-9, atol=1e-10)
        assert np.abs(defined[0]).max() > 0


def test_normalised_by_hand() -> None:
    data, s = rw.Dataset(np.zeros((2, 1)), [1, 0], group=[2]), np.array([0.0, 0.5])
    delta = (1 - 1 / np.log2(3)) / (0.01 + 0.5)  # nDCG without and with the only relevant document on top
    rho = 1 / (1 + np.exp(0.0 - 0.5))
    S = 2 * delta * rho
    lambdas, hessians = Lambdas(data, rw.measure("nDCG"), near=0.01).at(s)
    level = np.log2(1 + S) / S
    np.testing.assert_allclose(lambdas, [delta * rho * level, -delta * rho * level], rtol=1e-9)
    np.testing.assert_allclose(hessians, [delta * rho * (1 - rho) * level] * 2, rtol=1e-9)


def test_pairs_below_the_cut_get_nothing() -> None:
    y = np.array([0, 1, 0, 1, 0, 1])
    data = rw.Dataset(np.zeros((6, 1)), y, group=[6])
    lambdas, _ = Lambdas(data, rw.measure("P@1")).at(np.arange(6.0))  # a relevant document stands first
    assert (lambdas[[1, 3]] == 0).all()
    assert (lambdas[[0, 2, 4]] < 0).all()


def test_the_order_of_rows_does_not_matter_where_scores_are_equal() -> None:
    rng = np.random.default_rng(3)
    data = _data(rng, n_queries=1, longest=40)
    mixed = rng.permutation(data.n_docs)
    other = rw.Dataset(data.X[mixed], data.y[mixed], group=[data.n_docs])
    F = np.zeros(data.n_docs)
    assert np.array_equal(
        Lambdas(data, rw.measure("nDCG@3")).at(F)[0][mixed], Lambdas(other, rw.measure("nDCG@3")).at(F)[0]
    )


def test_hashes_of_sparse_rows_are_those_of_dense_ones() -> None:
    import scipy.sparse as sp

    X = np.array([[0, 1.5, 0], [-0.0, 1.5, 0], [np.nan, 0, 2]], np.float32)
    dense, sparse = feature_hashes(X), feature_hashes(sp.csr_matrix(X))
    assert np.array_equal(dense, sparse)
    assert dense[0] == dense[1] != dense[2]


def test_arrays_that_do_not_fit_are_refused() -> None:
    data = _data(np.random.default_rng(0))
    worth = worth_of(rw.measure("nDCG"), data.y, data.qptr, np.ones(data.n_queries))
    n = data.n_docs
    with pytest.raises(ValueError, match="do not fit"):
        native.lambda_gradients(
            np.zeros(n), data.qptr, worth, np.arange(n) + 1, (None, None), 0.0, np.zeros(n), np.zeros(n)
        )


@pytest.mark.parametrize("text", ["nDCG@5", "AP", "RR", "ERR@4", "KendallTau"])
@pytest.mark.parametrize("apart", [100.0, 599.0, 601.0, 1e4])
def test_scores_too_far_apart_for_quotients_of_exponentials(text: str, apart: float) -> None:
    rng = np.random.default_rng(1)
    data = _data(rng)
    scores = rng.normal(size=data.n_docs)
    scores[rng.random(data.n_docs) < 0.3] -= apart  # near pairs high up and, as near, far below
    ours, twin = _both(data, rw.measure(text), scores, (None, None), near=0.01, n_threads=2)
    assert np.abs(twin).max() > 0
    assert ours == pytest.approx(twin, rel=1e-11, abs=1e-15)
