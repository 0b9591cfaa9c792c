"""DiffRank against itself written out over explicit pairs, the equality behind Theorem 1, and the corners."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import rankwright as rw
from rankwright.rankers.pairs import alpha_of
from rankwright.shards import partitioned


def _problem(seed: int, n_queries: int = 8, n_features: int = 4, full_order: bool = False) -> rw.Dataset:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 12, n_queries)
    sizes[-1] += 2
    n = int(sizes.sum())
    X = rng.integers(0, 8, (n, n_features)).astype(np.float32)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.concatenate([rng.permutation(s) for s in sizes]) if full_order else rng.integers(0, 3, n)
    if not full_order:
        y[-2:] = 0, 1  # at least one pair
    return rw.Dataset(X, y, group=sizes)


def _pairs(data: rw.Dataset, top: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """All (i, j) of one query with y_i > y_j and fewer than `top` documents above i."""
    found = []
    for q in data:
        for i, j in product(range(q.start, q.stop), repeat=2):
            if data.y[i] > data.y[j] and (top is None or (data.y[q] > data.y[i]).sum() < top):
                found.append((i, j))
    return tuple(np.array(found).T)  # type: ignore[return-value]


def _positions(data: rw.Dataset) -> np.ndarray:
    """Of each document and feature: for each other document of the query 1 if below, ½ if tied or either missing."""
    h = np.zeros(data.X.shape)
    for q in data:
        x = data.X[q]
        below = (x[:, None] > x[None, :]) * 1.0
        tied = (x[:, None] == x[None, :]) | np.isnan(x[:, None]) | np.isnan(x[None, :])
        h[q] = (below + 0.5 * tied).sum(axis=1) - 0.5  # a document ties with itself
    return h


def _plain_diffrank(
    data: rw.Dataset, order: str, n_rounds: int, top: int | None = None
) -> list[tuple[int, float, float]]:
    """The paper's Figure 1 over every pair, with Δh for ΔH."""
    i, j = _pairs(data, top)
    U = (data.group_sizes[data.query_of_row[i]] - 1)[:, None]
    apart = (_positions(data)[i] - _positions(data)[j]) / U
    D = np.full(len(i), 1 / len(i))
    rounds = []
    for m in range(n_rounds):
        r = D @ apart
        k = m if order == "features" else int(np.argmax(np.round(np.abs(r), 12)))
        alpha = 0.5 * np.log((1 + r[k]) / (1 - r[k]))
        D = D * np.exp(-alpha * apart[:, k])
        rounds.append((k, alpha, D.sum()))
        D /= D.sum()
    return rounds


@pytest.mark.parametrize("top", [None, 3])
@pytest.mark.parametrize("full_order", [False, True])
@pytest.mark.parametrize("order", ["greedy", "features"])
def test_it_is_the_algorithm_of_the_paper(order: str, full_order: bool, top: int | None) -> None:
    data = _problem(5, n_queries=20, n_features=6, full_order=full_order)
    ours = rw.DiffRank(n_rounds=6, order=order, top=top).fit(data)
    plain = _plain_diffrank(data, order, 6, top)
    assert [k for k, _ in ours.model_.steps] == [k for k, _, _ in plain]
    assert [a for _, a in ours.model_.steps] == pytest.approx([a for _, a, _ in plain], rel=1e-9)
    assert [row["Z"] for row in ours.history_] == pytest.approx([Z for _, _, Z in plain], rel=1e-9)


@given(seed=st.integers(0, 10_000), full_order=st.booleans(), top=st.sampled_from([None, 1, 4]))
@settings(max_examples=40, deadline=None)
def test_theorem_1_and_the_equality_behind_it(seed: int, full_order: bool, top: int | None) -> None:
    data = _problem(seed, full_order=full_order)
    i, j = _pairs(data, top)
    V, U = len(i), data.group_sizes[data.query_of_row[i]] - 1
    h = _positions(data)
    ranker = rw.DiffRank(n_rounds=8, top=top).fit(data)
    D = np.full(V, 1 / V)
    for m, row in enumerate(ranker.history_, start=1):
        k, alpha = ranker.model_.steps[m - 1]
        D = D * np.exp(-alpha * (h[i, k] - h[j, k]) / U) / row["Z"]
        H = ranker.model_.truncated(m).query_scores(data.X, data.qptr)
        apart = H[i] - H[j]
        assert D.sum() == pytest.approx(1.0)
        assert np.exp(-apart / U) / (V * row["bound"]) == pytest.approx(D, rel=1e-9)  # D^m = exp(−ΔH/U)/(V ΠZ)
        assert (apart < 0).mean() <= row["bound"] * (1 + 1e-9)  # Theorem 1


def test_kendalls_tau_falls_with_the_bound() -> None:
    """The paper's Figure 2."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 20)).astype(np.float32)
    truth = X @ rng.normal(size=20) + 2.0 * rng.normal(size=3000)
    y = np.concatenate([np.argsort(np.argsort(t)) for t in truth.reshape(60, 50)])
    ranker = rw.DiffRank(measure="KendallTau", n_rounds=60).fit(X, y, group=np.full(60, 50))
    tau = np.array([row["train"] for row in ranker.history_])
    assert (np.diff(ranker.bound_) <= 1e-12).all()
    assert tau[-1] < tau[0] * 0.6
    assert np.corrcoef(tau, ranker.bound_)[0, 1] > 0.9
    assert (tau <= ranker.bound_).all()


def test_a_document_is_scored_among_its_query() -> None:
    ranker = rw.DiffRank(n_rounds=1).fit([[1.0], [2.0], [3.0]], [0, 1, 2])
    ((_, alpha),) = ranker.model_.steps
    one_query = ranker.predict([[5.0], [7.0], [6.0]])
    assert one_query.tolist() == [0 * alpha, 2 * alpha, 1 * alpha]
    two_queries = ranker.predict(rw.Dataset([[5.0], [7.0], [6.0]], qid=["a", "b", "a"]))
    assert two_queries.tolist() == [0 * alpha, 0 * alpha, 1 * alpha]
    assert ranker.rank([[5.0], [7.0], [6.0]], qid=[1, 2, 1])[0].tolist() == [2, 0]


def test_a_perfect_feature_ends_the_training_only_where_every_pair_is_as_far_apart_as_can_be() -> None:
    two = rw.DiffRank(n_rounds=9).fit([[1.0], [2.0]], [0, 1])
    assert len(two.history_) == 1
    assert two.model_.steps == ((0, alpha_of(1.0)),)
    small_is_good = rw.DiffRank(n_rounds=9).fit([[2.0], [1.0]], [0, 1])
    assert small_is_good.model_.steps == ((0, -alpha_of(1.0)),)


@pytest.mark.parametrize("n", [2, 7])
def test_same_bits_for_any_partition_and_threads(n: int) -> None:
    data = _problem(4, n_queries=60, n_features=12)
    data = data.replace(doc_weight=np.random.default_rng(1).random(data.n_docs) + 0.5)
    one = rw.DiffRank(n_rounds=20, n_threads=1).fit(data)
    with partitioned(n):
        many = rw.DiffRank(n_rounds=20, n_threads=n).fit(data)
    assert many.history_ == one.history_
    assert many.model_.steps == one.model_.steps


def test_same_bits_for_any_number_of_threads_on_data_large_enough_to_use_them() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40_000, 20)).astype(np.float32)
    y = np.digitize(X[:, 0] + rng.normal(size=len(X)), [0.0, 1.5])
    models = [rw.DiffRank(n_rounds=5, n_threads=n).fit(X, y, group=np.full(400, 100)).model_.steps for n in (1, 2, 3)]
    assert models[0] == models[1] == models[2]


def test_the_order_of_queries_and_of_rows_does_not_matter() -> None:
    data = _problem(6, n_queries=30)
    rows = np.random.default_rng(0).permutation(data.n_docs)
    shuffled = rw.Dataset(data.X[rows], data.y[rows], qid=data.query_of_row[rows])
    ours, theirs = (rw.DiffRank(n_rounds=10).fit(d) for d in (data, shuffled))
    assert [k for k, _ in ours.model_.steps] == [k for k, _ in theirs.model_.steps]
    assert ours.predict(data)[rows] == pytest.approx(theirs.predict(shuffled), rel=1e-9)


def test_query_weights_count_as_repetition() -> None:
    data = _problem(5, n_queries=12)
    weighted = rw.DiffRank(n_rounds=8).fit(data, query_weight=[2.0] + [1.0] * 11)
    repeated = rw.DiffRank(n_rounds=8).fit(data.queries([0, *range(12)]))
    assert [a for _, a in weighted.model_.steps] == pytest.approx([a for _, a in repeated.model_.steps], rel=1e-9)


def test_the_validation_set_chooses_the_round() -> None:
    data, valid = _problem(6, n_queries=30), _problem(7, n_queries=30)
    ranker = rw.DiffRank(n_rounds=20, measure="AP").fit(data, valid=valid)
    column = [row["valid"] for row in ranker.history_]
    assert ranker.best_round_ == int(np.argmax(column)) + 1
    assert ranker.score(valid) == max(column)
    stopped = rw.DiffRank(n_rounds=40, measure="AP", patience=3).fit(data, valid=valid)
    assert len(stopped.history_) == stopped.best_round_ + 3


def test_saved_and_loaded_it_scores_the_same(tmp_path: object) -> None:
    data = _problem(9, n_queries=20)
    ranker = rw.DiffRank(n_rounds=10).fit(data)
    ranker.save(f"{tmp_path}/model.json")
    again = rw.load(f"{tmp_path}/model.json")
    assert (again.predict(data) == ranker.predict(data)).all()
    assert again.feature_importances_.sum() == pytest.approx(1.0)


def test_sparse_and_dense_data_give_the_same_model() -> None:
    sp = pytest.importorskip("scipy.sparse")
    data = _problem(8, n_queries=20)
    sparse = data.replace(X=sp.csr_matrix(data.X))
    ours, theirs = (rw.DiffRank(n_rounds=10).fit(d) for d in (data, sparse))
    assert ours.model_.steps == theirs.model_.steps
    assert (ours.predict(data) == theirs.predict(sparse)).all()


def test_nothing_to_learn_from() -> None:
    assert rw.DiffRank().fit([[1.0], [2.0]], [1, 1]).predict([[1.0], [2.0]]).tolist() == [0.0, 0.0]
    constant = rw.DiffRank().fit([[1.0], [1.0]], [0, 1])
    assert constant.predict([[1.0], [5.0]]).tolist() == [0.0, 0.0]
    in_turn = rw.DiffRank(order="features").fit([[1.0, 1.0], [1.0, 2.0]], [0, 1])
    assert [k for k, _ in in_turn.model_.steps] == [0, 1]
