"""Structural SVMs: their optimum against a general solver over all rankings, the gap from scratch, weights, corners."""

from __future__ import annotations

from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

import rankwright as rw
from rankwright.kernels import reference
from rankwright.rankers import cutting_planes as solver
from rankwright.rankers.pair_sample import drawn
from rankwright.rankers.svm_shard import QueryRankings, Task
from rankwright.shards import partitioned

BINARY = {"ap": (rw.SVMMap, "AP"), "auc": (rw.SVMAuc, "AUC"), "rr": (rw.SVMMrr, "RR"), "ndcg": (rw.SVMNdcg, "nDCG")}
ALL = [rw.SVMMap, rw.SVMAuc, rw.SVMMrr, rw.SVMNdcg, rw.RankingSVM]


def _data(seed: int, n_queries: int, n_docs: int, n_features: int = 3, n_labels: int = 2) -> rw.Dataset:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_labels, (n_queries, n_docs))
    y[:, 0], y[:, 1] = 0, n_labels - 1
    X = rng.normal(size=(n_queries * n_docs, n_features)) + 0.5 * y.reshape(-1, 1)
    return rw.Dataset(X, y.ravel(), group=np.full(n_queries, n_docs))


def _fitted(cls: type[rw.Ranker], data: rw.Dataset, **options: Any) -> Any:
    every = {"pair_weight": "query"} if cls is rw.RankingSVM else {"rel": 1.0} if hasattr(cls, "rel") else {}
    return cls(**{"scale": "none", "tol": 1e-6, **every, **options}).fit(data)


# -- the optimum -----------------------------------------------------------------------------------------------------


def _constraints_of_rankings(data: rw.Dataset, measure: str) -> list[tuple[int, np.ndarray, float]]:
    """(query, ψ(true) − ψ(y), Δ(y)) of every ranking y of every query."""
    out, X = [], data.X.astype(float)
    for q, rows in enumerate(data):
        y, x = data.y[rows], X[rows]
        i, j = np.nonzero(y > 0)[0], np.nonzero(y == 0)[0]
        for order in permutations(range(len(y))):
            place = np.argsort(order)
            below = place[i][:, None] > place[j][None, :]
            a, b = np.nonzero(below)
            psi = 2.0 * (x[i[a]] - x[j[b]]).sum(axis=0) / below.size
            out.append((q, psi, 1.0 - rw.measure(measure).of_ranking(y[list(order)])))
    return out


def _constraints_of_pairs(data: rw.Dataset) -> list[tuple[int, np.ndarray, float]]:
    """The same of every way to swap the pairs of every query."""
    out, X = [], data.X.astype(float)
    for q, rows in enumerate(data):
        y, x = data.y[rows], X[rows]
        i, j = np.nonzero(y[:, None] > y[None, :])
        for swaps in product((0.0, 1.0), repeat=len(i)):
            share = np.array(swaps) / len(i)
            out.append((q, share @ (x[i] - x[j]), share.sum()))
    return out


def _general_qp(constraints: list[tuple[int, np.ndarray, float]], n_queries: int, C: float) -> float:
    """min ½‖w‖² + C/m Σ ξ_q by SLSQP."""
    A = np.array([np.append(a, np.eye(n_queries)[q]) for q, a, _ in constraints])
    delta = np.array([d for *_, d in constraints])
    K = A.shape[1] - n_queries
    share = np.append(np.zeros(K), np.full(n_queries, C / n_queries))
    found = minimize(
        lambda v: (0.5 * v[:K] @ v[:K] + share @ v) / C,
        np.append(np.zeros(K), np.ones(n_queries)),
        jac=lambda v: (np.append(v[:K], np.zeros(n_queries)) + share) / C,
        constraints={"type": "ineq", "fun": lambda v: A @ v - delta, "jac": lambda v: A},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert found.success, found.message
    return float(found.fun) * C


@pytest.mark.parametrize("C", [0.3, 30.0])
@pytest.mark.parametrize("loss", list(BINARY))
def test_the_optimum_is_that_of_a_general_solver_over_all_rankings(loss: str, C: float) -> None:
    cls, measure = BINARY[loss]
    data = _data(5, 3, 5)
    best = _general_qp(_constraints_of_rankings(data, measure), data.n_queries, C)
    assert _fitted(cls, data, C=C).objective_ == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize("C", [0.3, 30.0])
def test_the_optimum_of_graded_pairs(C: float) -> None:
    data = _data(6, 2, 4, n_labels=3)
    best = _general_qp(_constraints_of_pairs(data), data.n_queries, C)
    assert _fitted(rw.RankingSVM, data, C=C).objective_ == pytest.approx(best, rel=1e-5)


# -- the gap, from scratch -------------------------------------------------------------------------------------------


def _risk(cls: Any, data: rw.Dataset, w: np.ndarray) -> float:
    """R(w) by the twin, which lists every pair and place."""
    labels = data.y if cls.loss in ("pairs", "ndcg") else (data.y >= 1).astype(np.float32)
    levels = reference.label_levels(labels, data.qptr)
    brings = 2.0 ** data.y.astype(float) - 1.0 if cls.loss == "ndcg" else np.ones(data.n_docs)
    scores = data.X.astype(float) @ w
    g, delta = reference.most_violated(cls.loss, scores, levels, brings, data.qptr)
    return float(np.mean(delta + np.add.reduceat(g * scores, data.qptr[:-1])))


@pytest.mark.parametrize("cls", ALL)
@pytest.mark.parametrize("C", [0.1, 100.0])
def test_objective_and_gap_recomputed(cls: Any, C: float) -> None:
    data = _data(7, 15, 12, 5, n_labels=3)
    ranker = _fitted(cls, data, C=C, tol=1e-3)
    w = ranker.model_.weights
    P = 0.5 * w @ w + C * _risk(cls, data, w)
    last = ranker.history_[-1]
    assert ranker.objective_ == pytest.approx(P, rel=1e-10)
    assert ranker.gap_ == pytest.approx((P - last["dual"]) / P, abs=1e-12)
    assert 0 <= ranker.gap_ <= 1e-3
    exact = _fitted(cls, data, C=C, tol=1e-8)
    assert last["dual"] <= exact.objective_ * (1 + 1e-9)
    assert exact.objective_ <= P * (1 + 1e-9)
    bounds = [(row["dual"], row["objective"], row["gap"]) for row in ranker.history_]
    assert all(0.0 <= gap == pytest.approx((P - D) / P, abs=1e-9) for D, P, gap in bounds)
    assert all(b[1] <= a[1] for a, b in pairwise(bounds))  # the best so far


def test_the_dual_recomputed_from_the_planes() -> None:
    """α is feasible, D is its value, and every plane lies below R."""
    data = _data(8, 10, 10, 4)
    bundle, C = solver.Bundle(4), 10.0

    def plane_at(w: np.ndarray) -> solver.Plane:
        levels = reference.label_levels(data.y, data.qptr)
        g, delta = reference.most_violated("ap", data.X @ w, levels, np.ones(data.n_docs), data.qptr)
        return solver.Plane(-(g @ data.X.astype(float)) / data.n_queries, float(delta.mean()))

    *_, step = solver.cutting_planes(plane_at, bundle, 1e-4, C, np.zeros(4))
    assert step.solved
    assert (bundle.alpha >= 0).all()
    assert bundle.alpha.sum() <= C * (1 + 1e-9)
    w = bundle.alpha @ bundle.a
    assert step.dual == pytest.approx(bundle.alpha @ bundle.delta - 0.5 * w @ w, rel=1e-12)
    for v in np.random.default_rng(0).normal(size=(20, 4)):
        assert (bundle.delta - bundle.a @ v <= _risk(rw.SVMMap, data, v) + 1e-12).all()


@pytest.mark.parametrize("cls", [rw.RankingSVM, rw.SVMAuc])
def test_planes_of_pairs_swapped_by_shares(cls: Any) -> None:
    """They lie below R everywhere, and their excess is what they lack of it where they were made."""
    data, rng = _data(24, 12, 11, 4, n_labels=3), np.random.default_rng(0)
    task = Task.of(data, cls.loss, None if cls is rw.RankingSVM else 1.0, 0.0, "none")
    shard = QueryRankings(data, task, 1)
    for width in (2.0, 0.2):
        at = rng.normal(size=4)
        plane, excess = task.rounded(shard.smoothed(at, width, shard.weight()))
        assert plane.delta - plane.a @ at + excess == pytest.approx(_risk(cls, data, at), rel=1e-9)
        for v in rng.normal(size=(20, 4)):
            assert plane.delta - plane.a @ v <= _risk(cls, data, v) + 1e-12


@pytest.mark.parametrize("cls", [rw.RankingSVM, rw.SVMAuc])
def test_few_planes_whatever_C(cls: Any) -> None:
    data = _data(25, 200, 30, 10, n_labels=3)
    relevant = {} if cls is rw.RankingSVM else {"rel": 1.0}
    assert all(len(cls(C=C, **relevant).fit(data).history_) <= 12 for C in (1.0, 100.0, 10_000.0))


@pytest.mark.parametrize("weighted", [False, True])
def test_sampled_pairs_stand_for_all(weighted: bool) -> None:
    """Sums over the sample are sums over all pairs, within the noise of a sample of this size."""
    rng = np.random.default_rng(3)
    data = _data(26, 9, 14, 4, n_labels=3)
    y, weight = data.y.copy(), rng.random(data.n_docs) + 0.2 if weighted else np.ones(data.n_docs)
    y[:14] = 1  # one kind only
    omega = rng.random(9) + 0.5
    levels = reference.label_levels(y, data.qptr)
    n = 400_000
    marks = data.X.astype(float).sum(axis=1)
    i, j, shares = drawn(levels, weight, np.where(np.arange(9) > 0, omega, 0.0), marks, data.qptr, n, rng)
    assert (levels[i] > levels[j]).all()
    assert (data.query_of_row[i] == data.query_of_row[j]).all()
    better, worse = (np.bincount(rows, shares, data.n_docs) / n for rows in (i, j))
    for q, rows in enumerate(data):
        pairs = (levels[rows, None] > levels[None, rows]) * weight[rows, None] * weight[None, rows]
        expected = pairs * omega[q] / (pairs.sum() * omega[1:].sum()) if q else 0.0 * pairs
        assert np.allclose(better[rows], expected.sum(axis=1), atol=2e-3)
        assert np.allclose(worse[rows], expected.sum(axis=0), atol=2e-3)


def test_idle_planes_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _data(9, 30, 15, 6, n_labels=3)
    kept = _fitted(rw.RankingSVM, data, C=1000.0, tol=1e-4)
    monkeypatch.setattr(solver, "IDLE", 5)
    dropped = _fitted(rw.RankingSVM, data, C=1000.0, tol=1e-4)
    assert max(row["planes"] for row in dropped.history_) < len(dropped.history_) - 1
    assert dropped.objective_ == pytest.approx(kept.objective_, rel=2e-4)


def test_what_is_minimised_bounds_the_loss() -> None:
    data = _data(10, 20, 10, 4)
    for cls, measure in BINARY.values():
        ranker = _fitted(cls, data, C=1e4)
        assert _risk(cls, data, ranker.model_.weights) >= 1.0 - ranker.set_params(measure=measure).score(data)


# -- a path of C -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [rw.SVMMap, rw.RankingSVM])
def test_a_path_is_its_parts_and_the_best_on_validation_data_is_kept(cls: Any) -> None:
    data, valid = _data(11, 20, 10, 4), _data(12, 20, 10, 4)
    Cs = (100.0, 0.01, 1.0)
    path = cls(C="path", Cs=Cs, tol=1e-5).fit(data, valid=valid)
    solved = [row for row in path.history_[:-1] if "train" in row]
    assert [row["C"] for row in solved] == sorted(Cs)
    for row in solved:
        alone = cls(C=row["C"], tol=1e-5).fit(data)
        assert row["objective"] == pytest.approx(alone.objective_, rel=2e-5)
    best = max(solved, key=lambda row: row["valid"])
    assert best["C"] == path.C_
    assert path.history_[-1]["valid"] == pytest.approx(best["valid"])
    assert path.score(valid) == pytest.approx(best["valid"])


@pytest.mark.parametrize("cls", [rw.SVMMap, rw.RankingSVM])
def test_on_a_path_each_solution_starts_the_next(cls: Any) -> None:
    data, Cs = _data(11, 20, 10, 4), (1.0, 1.5, 2.0, 3.0, 4.0)
    path = cls(C="path", Cs=Cs).fit(data, valid=data)
    assert len(path.history_) - 1 < sum(len(cls(C=C).fit(data).history_) for C in Cs)


def test_a_saved_svm_knows_how_good_it_is(tmp_path: Any) -> None:
    ranker = _fitted(rw.SVMMap, _data(1, 5, 6), C=3.0)
    ranker.save(tmp_path / "svm.json")
    again = rw.load(tmp_path / "svm.json")
    assert (again.C_, again.objective_, again.gap_) == (3.0, ranker.objective_, ranker.gap_)


# -- weights, scales, forms of data ----------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", ALL)
def test_a_query_of_weight_two_counts_as_two(cls: Any) -> None:
    data = _data(13, 8, 9, 4)
    twice = rw.concat([data, data.queries([2, 5])], renumber=True)
    weight = np.where(np.isin(np.arange(8), [2, 5]), 2.0, 1.0)
    for scale in ("none", "z"):
        weighted, repeated = (_fitted(cls, d, scale=scale) for d in (data.replace(query_weight=weight), twice))
        assert np.allclose(weighted.model_.weights, repeated.model_.weights, rtol=1e-3, atol=1e-3)
        assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-5)


@pytest.mark.parametrize(
    "ranker",
    [
        rw.RankingSVM(tol=1e-6),
        *(rw.RankingSVM(tol=1e-6, pair_weight=w) for w in ("query", "uniform")),
        rw.SVMAuc(tol=1e-6),
    ],
)
def test_a_document_of_weight_two_counts_as_two(ranker: Any) -> None:
    data = _data(14, 6, 9, 4)
    rows = np.sort(np.append(np.arange(data.n_docs), [3, 11, 30]))
    twice = rw.Dataset(data.X[rows], data.y[rows], qid=data.query_of_row[rows])
    weight = np.bincount(rows).astype(float)
    one = ranker.fit(data.replace(doc_weight=weight)).objective_
    assert one == pytest.approx(ranker.fit(twice).objective_, rel=1e-5)


def test_uniform_pairs_are_those_of_one_list_of_pairs() -> None:
    data = _data(15, 5, 7, 3, n_labels=3)
    i, j = np.nonzero((data.y[:, None] > data.y[None, :]) & (data.query_of_row[:, None] == data.query_of_row[None, :]))
    ranker = _fitted(rw.RankingSVM, data, C=5.0, pair_weight="uniform")
    w, X = ranker.model_.weights, data.X.astype(float)
    hinge = np.maximum(0.0, 1.0 - (X[i] - X[j]) @ w).mean()
    assert ranker.objective_ == pytest.approx(0.5 * w @ w + 5.0 * hinge, rel=1e-9)


@pytest.mark.parametrize(("pair_weight", "power"), [("query", 0.0), ("root", 0.5), ("uniform", 1.0)])
def test_a_query_counts_by_a_power_of_its_pairs(pair_weight: str, power: float) -> None:
    sizes = [3, 5, 9, 20]
    rng = np.random.default_rng(27)
    data = rw.Dataset(rng.normal(size=(37, 3)), rng.integers(0, 3, 37), group=sizes)
    ranker = _fitted(rw.RankingSVM, data, C=5.0, pair_weight=pair_weight)
    hinges, counts = [], []
    for rows in data:
        i, j = np.nonzero(data.y[rows][:, None] > data.y[rows][None, :])
        s = data.X[rows].astype(float) @ ranker.model_.weights
        hinges.append(np.maximum(0.0, 1.0 - (s[i] - s[j])).mean())
        counts.append(float(len(i)))
    risk = np.average(hinges, weights=np.array(counts) ** power)
    w = ranker.model_.weights
    assert ranker.objective_ == pytest.approx(0.5 * w @ w + 5.0 * risk, rel=1e-9)


@pytest.mark.parametrize("scale", ["z", "minmax"])
def test_scaling_is_scaling_the_features(scale: str) -> None:
    data = _data(16, 8, 9, 3)
    X = data.X.astype(float)
    width = X.std(axis=0) if scale == "z" else np.ptp(X, axis=0)
    by_option = _fitted(rw.SVMMap, data, scale=scale, tol=1e-7)
    by_hand = _fitted(rw.SVMMap, data.with_features((X / width).astype(np.float32)), tol=1e-7)
    assert np.allclose(by_option.model_.weights * width, by_hand.model_.weights, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("cls", ALL)
def test_sparse_or_dense_any_threads_any_parts_the_same_bits(cls: Any) -> None:
    data = _data(17, 30, 9, 5, n_labels=3)
    X = np.where(data.X > 0, data.X, 0).astype(np.float32)
    dense, sparse = data.with_features(X), data.with_features(sp.csr_matrix(X))
    models = [_fitted(cls, d, n_threads=n).model_.weights.tobytes() for d in (dense, sparse) for n in (1, 2)]
    with partitioned(4):
        models.append(_fitted(cls, dense).model_.weights.tobytes())
    assert len(set(models)) == 1


# -- odd input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", ALL)
def test_queries_of_one_kind_are_left_out_and_counted(cls: Any) -> None:
    data = _data(18, 6, 8, 3)
    y = data.y.copy()
    y[:8], y[8:16] = 0, 1
    with pytest.warns(UserWarning, match="2 of 6 queries have documents of one kind only, and are left out"):
        some = _fitted(cls, data.replace(y=y), scale="none")
    assert some.model_.weights.tobytes() == _fitted(cls, data.queries([2, 3, 4, 5])).model_.weights.tobytes()
    left_out = data.replace(query_weight=np.array([0.0, 0, 1, 1, 1, 1]))  # said by whoever gave the weights
    assert _fitted(cls, left_out).model_.weights.tobytes() == some.model_.weights.tobytes()
    with pytest.warns(UserWarning, match=r"6 of 6 queries .* there is nothing to learn"):
        nothing = _fitted(cls, data.replace(y=np.zeros_like(y)))
    assert not nothing.predict(data).any()
    with pytest.raises(AttributeError, match="has learned nothing"):
        _ = nothing.gap_


@pytest.mark.parametrize("C", [0, -1.0, float("nan"), float("inf"), "best", None])
def test_C_must_be_above_0(C: Any) -> None:
    with pytest.raises(rw.InputError, match="C must be"):
        rw.SVMMap(C=C).fit(_data(1, 3, 5))


def test_a_path_needs_validation_data_and_numbers_above_0() -> None:
    data = _data(1, 3, 5)
    with pytest.raises(rw.InputError, match='C="path" needs validation data'):
        rw.SVMMap(C="path").fit(data)
    for Cs in ((), (1.0, 0.0), (1.0, float("nan"))):
        with pytest.raises(rw.InputError, match="Cs must be"):
            rw.SVMMap(C="path", Cs=Cs).fit(data, valid=data)


def test_features_that_are_infinite_are_refused_and_missing_ones_are_0() -> None:
    data = _data(19, 4, 6)
    X = data.X.copy()
    X[3, 1] = np.inf
    with pytest.raises(rw.InputError, match="infinit"):
        rw.SVMMap().fit(X, data.y, qid=data.qid)
    gaps, zeros = data.X.copy(), data.X.copy()
    gaps[3, 1], zeros[3, 1] = np.nan, 0.0
    for form in (np.asarray, sp.csr_matrix):
        fitted = [_fitted(rw.SVMAuc, data.with_features(form(X))).model_.weights for X in (gaps, zeros)]
        assert fitted[0].tobytes() == fitted[1].tobytes()


def test_constant_features_have_no_weight() -> None:
    data = _data(20, 4, 6)
    X = np.column_stack([data.X, np.full(data.n_docs, 7.0)]).astype(np.float32)
    for cls in ALL:
        weights = _fitted(cls, data.with_features(X), scale="z").model_.weights
        assert weights[-1] == 0.0
        assert weights[:-1].any()


@pytest.mark.parametrize("cls", [rw.SVMMap, rw.SVMAuc, rw.SVMMrr])
def test_graded_labels_of_binary_losses_are_cut_at_rel(cls: Any) -> None:
    data = _data(21, 5, 8, n_labels=4)
    for rel in (1.0, 3.0):
        cut = data.replace(y=(data.y >= rel).astype(np.float32))
        assert cls(rel=rel).fit(data).model_.weights.tobytes() == cls().fit(cut).model_.weights.tobytes()


@pytest.mark.parametrize("cls", [rw.SVMMap, rw.SVMAuc, rw.SVMMrr])
def test_a_cut_that_nobody_chose_is_said(cls: Any) -> None:
    data = _data(21, 5, 8, n_labels=3)
    with pytest.warns(
        UserWarning, match=rf"graded, from 0 to 2. To {cls.__name__}, those of at least 1 are relevant"
    ) as said:
        silent = cls().fit(data)
    assert [w.filename for w in said] == [__file__]
    assert (
        silent.model_.weights.tobytes() == cls(rel=1.0).fit(data).model_.weights.tobytes()
    )  # warnings are errors here
    with pytest.warns(UserWarning, match="graded, from 0 to 0.5"), pytest.warns(UserWarning, match="nothing to learn"):
        cls().fit(data.replace(y=data.y / 4))
    for binary in (data.y >= 2, 5 * (data.y >= 1), 0.5 * (data.y >= 1) + 0.5):
        cls().fit(data.replace(y=np.asarray(binary, np.float32)))


def test_too_few_planes_are_said() -> None:
    with pytest.warns(UserWarning, match="of the optimum for C=100, not 1e-06, after 3 planes") as said:
        rw.SVMMap(scale="none", tol=1e-6, C=100.0, n_rounds=3).fit(_data(22, 10, 10))
    assert [w.filename for w in said] == [__file__]


def test_labels_of_any_size_have_gains() -> None:
    data = _data(23, 4, 6, n_labels=3)
    weights = rw.SVMNdcg(measure="AP").fit(data.replace(y=data.y * 2000)).model_.weights
    assert np.isfinite(weights).all()
    assert weights.any()
