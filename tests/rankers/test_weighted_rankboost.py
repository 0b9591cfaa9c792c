"""ExpWRB, LinWRB and AddWRB against the paper's updates written out over explicit pairs; and against RankBoost."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import rankwright as rw
from rankwright.errors import InputError
from rankwright.learners import Stump
from rankwright.rankers.pairs import LARGEST_R
from rankwright.rankers.weighted_pairs import largest_pair, pair_weights
from rankwright.shards import partitioned

PAIRS = ["mean", "product", "min", "max"]


def _problem(seed: int, n_queries: int = 14, gaps: float = 0.0, n_labels: int = 3) -> rw.Dataset:
    """Whole numbers as features, with weights on documents and queries; thresholds are known: 0.5, 1.5, ..."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 12, n_queries)
    n = int(sizes.sum())
    X = rng.integers(0, 6, (n, 4)).astype(np.float32)
    X[rng.random(X.shape) < gaps] = np.nan
    y = rng.integers(0, n_labels, n)
    return rw.Dataset(X, y, group=sizes, doc_weight=rng.random(n) + 0.05, query_weight=rng.random(n_queries) + 0.1)


class _Plain:
    """Algorithms 1 and 2 of the paper, line by line, over every pair and every stump."""

    def __init__(self, data: rw.Dataset, pair: Any, pair_weight: str) -> None:
        found = [(i, j) for q in data for i, j in product(range(q.start, q.stop), repeat=2) if data.y[i] > data.y[j]]
        self.i, self.j = np.array(found).T
        v, q = data.doc_weight, data.query_of_row[self.i]
        self.w = pair_weights(pair, v[self.i], v[self.j])
        self.w = self.w / self.w.max()
        self.innate = data.query_weight[q]
        if pair_weight == "query":
            self.innate = self.innate / np.bincount(q, minlength=data.n_queries)[q]
        gaps = np.isnan(data.X).any()
        thresholds = ([-3.4e38] if gaps else []) + list(np.arange(0.5, 5.5))
        fires = (False, True) if gaps else (False,)
        self.stumps = [Stump(k, t, m) for k in range(data.n_features) for t in thresholds for m in fires]
        h = np.array([s(data.X) for s in self.stumps], dtype=float)
        self.h, self.apart = h, h[:, self.i] - h[:, self.j]

    def run(self, variant: str, n_rounds: int) -> list[tuple[Stump, float, float]]:
        W = self.innate / self.innate.sum()
        if variant == "addwrb":
            W = self.innate * self.w / (self.innate * self.w).sum()
        F, scaling, rounds = np.zeros(self.h.shape[1]), 1.0, []
        for _ in range(n_rounds):
            t, alpha = (
                self.by_Z(W * self.w) if variant == "linwrb" else self.by_r(W * self.w if variant == "expwrb" else W)
            )
            F += alpha * self.h[t]
            if variant == "expwrb":  # Eq. (3)
                W = W * np.exp(-alpha * self.w * self.apart[t])
            elif variant == "linwrb":  # Eq. (4)
                W = W * self.w * np.exp(-alpha * self.apart[t])
            else:
                scaling *= self.innate @ (F[self.i] > F[self.j]) / self.innate.sum()  # Eq. (5)
                W = self.innate * self.w * np.exp(-scaling * (F[self.i] - F[self.j]))
            W = W / W.sum()
            rounds.append((self.stumps[t], alpha, scaling))
        return rounds

    def by_r(self, W: Any) -> tuple[int, float]:
        r = self.apart @ W
        t = int(np.argmax(np.round(np.abs(r), 12)))
        return t, 0.5 * np.log((1 + r[t]) / (1 - r[t]))

    def by_Z(self, W: Any) -> tuple[int, float]:
        right, wrong = (self.apart > 0) @ W, (self.apart < 0) @ W
        t = int(np.argmin(np.round(W.sum() - right - wrong + 2 * np.sqrt(right * wrong), 12)))
        return t, 0.5 * np.log(right[t] / wrong[t])


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("cls", [rw.ExpWRB, rw.LinWRB, rw.AddWRB])
def test_it_is_the_algorithm_of_the_paper(cls: Any, pair: Any) -> None:
    for gaps, pair_weight, n_labels in ((0.0, "uniform", 2), (0.2, "query", 4)):
        data = _problem(3, n_queries=25, gaps=gaps, n_labels=n_labels)
        printed: dict[str, Any] = {"scaling": "paper"} if cls is rw.AddWRB else {}
        ranker = cls(n_rounds=10, pair=pair, pair_weight=pair_weight, **printed).fit(data)
        plain = _Plain(data, pair, pair_weight).run(cls.name, 10)
        for (alpha, h), row, (stump, step, scaling) in zip(ranker.model_.steps, ranker.history_, plain, strict=True):
            assert (h(data.X) == stump(data.X)).all()
            assert [alpha, row["step"], row["lambda"]] == pytest.approx([step, step, scaling], rel=1e-7)


@pytest.mark.parametrize("pair", PAIRS)
def test_with_equal_weights_exp_is_rankboost_and_so_is_add_without_scaling(pair: Any) -> None:
    data = _problem(4, n_queries=30, gaps=0.1).replace(doc_weight=None)
    boosted = rw.RankBoost(n_rounds=12).fit(data)
    for weight in (None, np.full(data.n_docs, 0.3)):
        equal = data.replace(doc_weight=weight)
        for ranker in (rw.ExpWRB(n_rounds=12, pair=pair), rw.AddWRB(n_rounds=12, pair=pair, scaling="none")):
            same_steps(ranker.fit(equal), boosted, 12)
        same_steps(rw.AddWRB(n_rounds=12, pair=pair).fit(equal), boosted, 1)


def same_steps(ours: Any, theirs: Any, n: int) -> None:
    for (alpha, h), (step, stump) in list(zip(ours.model_.steps, theirs.model_.steps, strict=True))[:n]:
        assert h == stump
        assert alpha == pytest.approx(step, rel=1e-9)


def test_with_equal_weights_lin_is_rankboost_where_every_stump_tells_every_pair_apart() -> None:
    """R_0 = 0 then, and ½ ln(R_+/R_−) is ½ ln((1 + r)/(1 − r))."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, (40, 1, 6))
    X = np.concatenate([x, 1 - x], axis=1).reshape(80, 6)
    data = rw.Dataset(X, np.tile([1, 0], 40), group=[2] * 40, doc_weight=np.full(80, 2.0))
    for pair in PAIRS:
        ranker = rw.LinWRB(n_rounds=10, pair=pair).fit(data)
        same_steps(ranker, rw.RankBoost(n_rounds=10).fit(data), 10)
        assert [row["Z"] for row in ranker.history_] == pytest.approx(
            [np.sqrt(1 - row["r"] ** 2) for row in ranker.history_]
        )


def test_product_and_listed_pairs_agree() -> None:
    """Sweeping where weights factorise is going over pairs: with weights 0 and 1 min and product are one."""
    data = _problem(5, n_queries=40, gaps=0.1, n_labels=5)
    data = data.replace(doc_weight=(data.doc_weight > 0.4).astype(float))
    for cls in (rw.LinWRB, rw.AddWRB, rw.ExpWRB):
        swept, listed = (cls(n_rounds=10, pair=pair).fit(data) for pair in ("product", "min"))
        same_steps(swept, listed, 10)


@pytest.mark.parametrize("cls", [rw.ExpWRB, rw.LinWRB, rw.AddWRB])
@pytest.mark.parametrize("pair", PAIRS)
def test_same_bits_for_any_partition_and_threads(cls: Any, pair: Any) -> None:
    data = _problem(6, n_queries=300, gaps=0.1)
    one = cls(n_rounds=8, pair=pair, n_threads=1).fit(data)
    for n in (2, 7):
        with partitioned(n):
            many = cls(n_rounds=8, pair=pair, n_threads=n).fit(data)
        assert many.history_ == one.history_
        assert many.model_.steps == one.model_.steps


def test_pairs_without_weight_do_not_count() -> None:
    """Feature 0 orders the pairs of the first query, which weighs, feature 1 those of the three others."""
    X = [[1, 0], [0, 1]] + [[0, 1], [1, 0]] * 3
    weights = [1.0, 1.0] + [0.0] * 6
    for cls in (rw.ExpWRB, rw.LinWRB, rw.AddWRB):
        for pair in PAIRS:
            ranker = cls(pair=pair, n_rounds=20).fit(X, [1, 0] * 4, group=[2] * 4, sample_weight=weights)
            assert ranker.rank([[1, 0], [0, 1]])[0].tolist() == [0, 1]
            assert max(abs(alpha) for alpha, _ in ranker.model_.steps) <= np.arctanh(LARGEST_R) * (1 + 1e-12)


def test_lambda_falls_by_the_share_of_pairs_in_order() -> None:
    """y = 2, 1, 0: the first stump, x > 1.5, orders two of three pairs; with a second one all three are."""
    ranker = rw.AddWRB(n_rounds=2, scaling="paper").fit([[2.0], [1.0], [0.0]], [2, 1, 0])
    first, second = ranker.history_
    assert first["lambda"] == pytest.approx(2 / 3)
    assert second["lambda"] == pytest.approx(2 / 3 * (1 if second["threshold"] != first["threshold"] else 2 / 3))


def test_ties_are_not_in_order_nor_in_the_wrong_order() -> None:
    """x > ½ orders one of four pairs, turns one around and ties two: λ is 1/4, or 1 − 1/4 of this round alone."""
    X, y, weights = [[1.0], [0.0], [1.0], [0.0]], [1, 1, 0, 0], [1.0, 0.1, 0.1, 1.0]
    for scaling, expected in (("paper", [1 / 4, 1 / 16]), ("share", [3 / 4, 3 / 4]), ("none", [1, 1])):
        ranker = rw.AddWRB(n_rounds=2, scaling=scaling).fit(X, y, sample_weight=weights)  # type: ignore[arg-type]
        assert [row["lambda"] for row in ranker.history_] == pytest.approx(expected)


def test_lin_comes_to_see_only_the_heaviest_pairs() -> None:
    data = _problem(7, n_queries=60)
    lin = rw.LinWRB(n_rounds=40, pair="product").fit(data)
    add = rw.AddWRB(n_rounds=40, pair="product", scaling="paper").fit(data)
    assert lin.history_[-1]["queries"] < 0.5 * lin.history_[0]["queries"]
    assert add.history_[-1]["queries"] > 0.8 * add.history_[0]["queries"]
    assert (np.diff([row["lambda"] for row in add.history_]) <= 0).all()


@pytest.mark.parametrize("pair", PAIRS)
def test_the_largest_weight_of_a_pair(pair: Any) -> None:
    for seed in range(20):
        data = _problem(seed, n_queries=5)
        plain = [
            float(pair_weights(pair, data.doc_weight[i : i + 1], data.doc_weight[j : j + 1])[0])
            for q in data
            for i, j in product(range(q.start, q.stop), repeat=2)
            if data.y[i] != data.y[j]
        ]
        assert largest_pair(data, pair, 1) == max(plain, default=0.0)


def test_weights_at_the_door() -> None:
    X, y = [[1.0], [0.0]], [1, 0]
    for weights in ([0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0], [-1.0, 1.0]):
        with pytest.raises(InputError, match="finite, at least 0, and not all zero"):
            rw.AddWRB().fit(X, y, sample_weight=weights)
    with pytest.raises(InputError, match="pair must be one of max, mean, min, product"):
        rw.AddWRB(pair="sum").fit(X, y)  # type: ignore[arg-type]
    nothing = rw.LinWRB().fit([[1.0], [0.0], [3.0]], [1, 1, 0], qid=[0, 0, 1], sample_weight=[1, 1, 0])
    assert nothing.predict([[1.0], [5.0]]).tolist() == [0.0, 0.0]


def test_what_it_is_compared_with() -> None:
    assert repr(rw.AddWRB(n_rounds=7, pair="min", max_bins=9).unweighted()) == "RankBoost(n_rounds=7, max_bins=9)"
