"""RankBoost against itself written out over explicit pairs, its bound, weights, missing values and corners."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import rankwright as rw
from rankwright.errors import InputError
from rankwright.learners import Bins, Stump
from rankwright.rankers.pairs import alpha_of
from rankwright.shards import partitioned


def _problem(seed: int, n_queries: int = 8, n_features: int = 4, gaps: float = 0.0, n_labels: int = 3) -> rw.Dataset:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 12, n_queries)
    n = int(sizes.sum()) + 2
    sizes[-1] += 2
    X = rng.integers(0, 6, (n, n_features)).astype(np.float32)
    y = rng.integers(0, n_labels, n)
    y[-2:] = 0, 1  # at least one pair
    X[rng.random(X.shape) < gaps] = np.nan
    return rw.Dataset(X, y, group=sizes)


def _pairs(data: rw.Dataset) -> np.ndarray:
    """All (i, j) of one query with y_i > y_j."""
    found = [(i, j) for q in data for i, j in product(range(q.start, q.stop), repeat=2) if data.y[i] > data.y[j]]
    return np.array(found)


def _first_weights(data: rw.Dataset, pairs: np.ndarray, pair_weight: str) -> np.ndarray:
    i, j = pairs.T
    q = data.query_of_row[i]
    D = np.ones(len(pairs))
    if data.doc_weight is not None:
        D *= data.doc_weight[i] * data.doc_weight[j]
    if pair_weight == "query":
        D /= np.bincount(q, D, minlength=data.n_queries)[q]
    if data.query_weight is not None:
        D *= data.query_weight[q]
    return D / D.sum()


def _plain_rankboost(
    data: rw.Dataset, n_rounds: int, pair_weight: str = "uniform"
) -> tuple[list[tuple[Stump, float, float, float]], np.ndarray]:
    """The paper's Figure 1, line by line, over every pair and every stump; thresholds of `_problem` are known."""
    i, j = _pairs(data).T
    D = _first_weights(data, np.stack([i, j], axis=1), pair_weight)
    stumps = [
        Stump(k, t, m)
        for k in range(data.n_features)
        for t in ([-3.4e38] if np.isnan(data.X).any() else []) + list(np.arange(0.5, 5.5))
        for m in ((False, True) if np.isnan(data.X).any() else (False,))
    ]
    h = np.array([s(data.X) for s in stumps], dtype=float)
    rounds = []
    for _ in range(n_rounds):
        r = (h[:, i] - h[:, j]) @ D
        best = int(np.argmax(np.round(np.abs(r), 12)))
        alpha = 0.5 * np.log((1 + r[best]) / (1 - r[best]))
        D = D * np.exp(-alpha * (h[best, i] - h[best, j]))
        Z = D.sum()
        D /= Z
        rounds.append((stumps[best], alpha, r[best], Z))
    return rounds, D


@pytest.mark.parametrize("pair_weight", ["uniform", "query"])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_it_is_the_algorithm_of_the_paper(gaps: float, pair_weight: str) -> None:
    data = _problem(11, n_queries=25, gaps=gaps)
    ours = rw.RankBoost(n_rounds=15, pair_weight=pair_weight).fit(data)
    plain, _ = _plain_rankboost(data, 15, pair_weight)
    for (alpha, h), row, (stump, step, r, Z) in zip(ours.model_.steps, ours.history_, plain, strict=True):
        fires, expected = h(data.X), stump(data.X)
        assert (fires == expected).all()
        assert [alpha, row["r"], row["Z"]] == pytest.approx([step, r, Z], rel=1e-9)


@given(seed=st.integers(0, 10_000), gaps=st.sampled_from([0.0, 0.3]), pair_weight=st.sampled_from(["uniform", "query"]))
@settings(max_examples=40, deadline=None)
def test_the_bound_is_the_mean_loss_and_bounds_the_misordered_share(seed: int, gaps: float, pair_weight: str) -> None:
    data = _problem(seed, gaps=gaps)
    rng = np.random.default_rng(seed)
    data = data.replace(doc_weight=rng.random(data.n_docs) + 0.1, query_weight=rng.random(data.n_queries) + 0.1)
    pairs = _pairs(data)
    D_1 = _first_weights(data, pairs, pair_weight)
    ranker = rw.RankBoost(n_rounds=12, pair_weight=pair_weight).fit(data)
    for t, bound in enumerate(ranker.bound_, start=1):
        F = ranker.model_.truncated(t).scores(data.X)
        apart = F[pairs[:, 0]] - F[pairs[:, 1]]
        assert bound == pytest.approx(D_1 @ np.exp(-apart), rel=1e-9)
        assert D_1 @ (apart <= 0) <= bound * (1 + 1e-9)
    assert (np.diff(ranker.bound_) <= 1e-12).all()


@pytest.mark.parametrize("n_labels", [5, 2000])
def test_two_thousand_graded_documents_of_one_query_against_explicit_pairs(n_labels: int) -> None:
    rng = np.random.default_rng(0)
    n = 2000
    X = rng.random((n, 3)).astype(np.float32)
    order = np.argsort(np.argsort(X @ [1.0, 2.0, 0.0] + 0.3 * rng.normal(size=n)))
    y = order * n_labels // n
    ranker = rw.RankBoost(n_rounds=6, measure="nDCG(gain=identity)").fit(X, y)
    bins = Bins.of(X)
    stumps = np.array([Stump(k, float(t))(X) for k in range(3) for t in bins.of_feature(k)])
    i, j = np.nonzero(y[:, None] > y[None, :])
    assert len(i) == (n * (n - 1) // 2 if n_labels == n else n * n * 4 // 10)
    D = np.full(len(i), 1 / len(i))
    for (alpha, h), row in zip(ranker.model_.steps, ranker.history_, strict=True):
        pi = np.bincount(i, D, n) - np.bincount(j, D, n)
        assert abs(row["r"]) == pytest.approx(np.abs(stumps @ pi).max(), rel=1e-9)
        apart = h(X)[i].astype(float) - h(X)[j]
        assert row["r"] == pytest.approx(D @ apart, rel=1e-9)
        D *= np.exp(-alpha * apart)
        assert row["Z"] == pytest.approx(D.sum(), rel=1e-9)
        D /= D.sum()


@pytest.mark.parametrize("n", [2, 7])
def test_same_bits_for_any_partition_and_threads(n: int) -> None:
    data = _problem(4, n_queries=60, gaps=0.1)
    data = data.replace(doc_weight=np.random.default_rng(1).random(data.n_docs) + 0.5)
    one = rw.RankBoost(n_rounds=30, n_threads=1).fit(data)
    with partitioned(n):
        many = rw.RankBoost(n_rounds=30, n_threads=n).fit(data)
    assert many.history_ == one.history_
    assert many.model_.steps == one.model_.steps


def test_same_bits_for_any_number_of_threads_on_data_large_enough_to_use_them() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40_000, 30)).astype(np.float32)
    y = np.digitize(X[:, 0] + rng.normal(size=len(X)), [0.0, 1.5])
    models = [rw.RankBoost(n_rounds=5, n_threads=n).fit(X, y, group=np.full(400, 100)).model_.steps for n in (1, 2, 3)]
    assert models[0] == models[1] == models[2]


def test_the_order_of_queries_and_of_rows_does_not_matter() -> None:
    data = _problem(6, n_queries=30)
    rows = np.random.default_rng(0).permutation(data.n_docs)
    shuffled = rw.Dataset(data.X[rows], data.y[rows], qid=data.query_of_row[rows])
    ours, theirs = (rw.RankBoost(n_rounds=10).fit(d).model_.steps for d in (data, shuffled))
    assert [h for _, h in ours] == [h for _, h in theirs]
    assert [a for a, _ in ours] == pytest.approx([a for a, _ in theirs], rel=1e-12)


def test_a_perfect_stump_ends_the_training_with_a_finite_weight() -> None:
    ranker = rw.RankBoost(n_rounds=50).fit([[3.0], [2.0], [1.0], [0.0]], [1, 1, 0, 0])
    assert len(ranker.history_) == 1
    assert ranker.history_[0]["r"] == pytest.approx(1.0)
    assert ranker.model_.steps[0][0] == alpha_of(1.0) < 7.4
    assert ranker.predict([[2.5], [0.5]]).tolist() == [alpha_of(1.0), 0.0]


def test_more_rounds_than_useful() -> None:
    ranker = rw.RankBoost(n_rounds=3000).fit([[3.0, 0.0], [2.0, 1.0], [1.0, 0.0], [0.0, 1.0]], [3, 2, 1, 0])
    assert np.isfinite(ranker.predict([[3.0, 0.0]])).all()
    assert ranker.rank([[0.0, 0.0], [3.0, 0.0]])[0].tolist() == [1, 0]
    assert ranker.bound_[-1] < 1e-9


def test_weights_count_as_repetition() -> None:
    data = _problem(5, n_queries=12)
    weighted = rw.RankBoost(n_rounds=8).fit(data, query_weight=[2.0] + [1.0] * 11)
    repeated = rw.RankBoost(n_rounds=8).fit(data.queries([0, *range(12)]))
    assert [h for _, h in weighted.model_.steps] == [h for _, h in repeated.model_.steps]
    assert [a for a, _ in weighted.model_.steps] == pytest.approx([a for a, _ in repeated.model_.steps], rel=1e-9)
    n = data.n_docs
    rows = [*range(n), n - 1]  # the last document twice
    doubled = rw.Dataset(data.X[rows], data.y[rows], qid=data.query_of_row[rows])
    by_weight = rw.RankBoost(n_rounds=8).fit(data.replace(doc_weight=np.append(np.ones(n - 1), 2.0)))
    assert by_weight.bound_ == pytest.approx(rw.RankBoost(n_rounds=8).fit(doubled).bound_, rel=1e-9)


def test_the_validation_set_chooses_the_round_and_patience_stops() -> None:
    data, valid = _problem(6, n_queries=30), _problem(7, n_queries=30)
    ranker = rw.RankBoost(n_rounds=40, measure="AP").fit(data, valid=valid)
    column = [row["valid"] for row in ranker.history_]
    assert ranker.best_round_ == int(np.argmax(column)) + 1
    assert ranker.score(valid) == max(column)
    stopped = rw.RankBoost(n_rounds=40, measure="AP", patience=3).fit(data, valid=valid)
    assert len(stopped.history_) == stopped.best_round_ + 3


def test_history_is_what_the_model_scores() -> None:
    data = _problem(3, n_queries=30, gaps=0.2)
    ranker = rw.RankBoost(n_rounds=15, measure="AP").fit(data)
    for t, row in enumerate(ranker.history_, start=1):
        assert row["train"] == rw.measure("AP").mean(data.y, ranker.model_.truncated(t).scores(data.X), data.qptr)
    assert ranker.feature_importances_.sum() == pytest.approx(1.0)


def test_sparse_and_dense_data_give_the_same_model() -> None:
    sp = pytest.importorskip("scipy.sparse")
    data = _problem(8, n_queries=20)
    sparse = data.replace(X=sp.csr_matrix(data.X))
    dense_model, sparse_model = (rw.RankBoost(n_rounds=10).fit(d) for d in (data, sparse))
    assert dense_model.model_.steps == sparse_model.model_.steps
    assert (dense_model.predict(data) == sparse_model.predict(sparse)).all()


def test_saved_and_loaded_it_scores_the_same(tmp_path: object) -> None:
    data = _problem(9, n_queries=20, gaps=0.2)
    ranker = rw.RankBoost(n_rounds=10).fit(data)
    ranker.save(f"{tmp_path}/model.json")
    again = rw.load(f"{tmp_path}/model.json")
    assert (again.predict(data) == ranker.predict(data)).all()
    assert again.history_ == ranker.history_


def test_nothing_to_learn_from() -> None:
    assert rw.RankBoost().fit([[1.0], [2.0]], [1, 1]).predict([[1.0], [2.0]]).tolist() == [0.0, 0.0]
    assert rw.RankBoost().fit([[1.0], [2.0]], [0, 1], qid=[1, 2]).predict([[1.0], [2.0]]).tolist() == [0.0, 0.0]
    constant = rw.RankBoost().fit([[1.0], [1.0]], [0, 1])
    assert constant.predict([[1.0], [5.0]]).tolist() == [0.0, 0.0]
    assert constant.history_ == []


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="max_bins"):
        rw.RankBoost(max_bins=256).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(InputError, match="pair_weight"):
        rw.RankBoost(pair_weight="pairs").fit([[1.0], [2.0]], [0, 1])  # type: ignore[arg-type]
