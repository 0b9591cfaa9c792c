"""AdaRank against its own paper: the algorithm written out plainly, Theorem 1, and the corners."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import rankwright as rw
from rankwright.rankers.adarank import alpha_of
from rankwright.shards import partitioned

MEASURES = ["AP", "nDCG@5", "RR", "P@3", "AP(ties=worst)", "nDCG(empty=skip)"]


def _problem(seed: int, n_queries: int = 8, n_features: int = 4) -> rw.Dataset:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 12, n_queries)
    n = int(sizes.sum())
    X = rng.integers(0, 6, (n, n_features)).astype(np.float32)  # few values: full of ties
    y = rng.integers(0, 3, n)
    y[0] = 2
    return rw.Dataset(X, y, group=sizes)


def _plain_adarank(data: rw.Dataset, E: rw.Measure, n_rounds: int) -> list[tuple[int, float]]:
    """Figure 1 of the paper, line by line, over features in both directions."""
    columns = [sign * data.X[:, k].astype(float) for sign in (1.0, -1.0) for k in range(data.n_features)]
    e_h = np.array([E.per_query(data.y, x, data.qptr) for x in columns])
    P = np.full(data.n_queries, 1.0 / data.n_queries)
    f = np.zeros(data.n_docs)
    steps = []
    for _ in range(n_rounds):
        best = int(np.argmax(np.round(e_h @ P, 12)))
        alpha = 0.5 * np.log((P @ (1 + e_h[best])) / (P @ (1 - e_h[best])))
        f = f + alpha * columns[best]
        P = np.exp(-E.per_query(data.y, f, data.qptr))
        P /= P.sum()
        steps.append((best % data.n_features, alpha * (1 if best < data.n_features else -1)))
    return steps


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_algorithm_of_the_paper(seed: int) -> None:
    data = _problem(seed, n_queries=20)
    E = rw.measure("nDCG@5")
    ours = rw.AdaRank(measure=E, n_rounds=12, max_consecutive=None).fit(data)
    chosen = [(int(row["feature"]), row["sign"] * row["step"]) for row in ours.history_]
    plain = _plain_adarank(data, E, 12)
    assert [k for k, _ in chosen] == [k for k, _ in plain]
    assert np.allclose([a for _, a in chosen], [a for _, a in plain], rtol=1e-9)


def test_cumulative_weights_multiply_round_by_round() -> None:
    data = _problem(2, n_queries=20)
    E = rw.measure("AP")
    ours = rw.AdaRank(measure=E, n_rounds=6, max_consecutive=None, directions="given", reweight="cumulative").fit(data)
    P = np.full(data.n_queries, 1.0 / data.n_queries)
    f = np.zeros(data.n_docs)
    for row in ours.history_:
        x = data.column(int(row["feature"]))
        phi = P @ E.per_query(data.y, x, data.qptr)
        assert row["step"] == pytest.approx(0.5 * np.log((1 + phi) / (1 - phi)), rel=1e-9)
        f = f + row["step"] * x
        P = P * np.exp(-row["step"] * E.per_query(data.y, f, data.qptr))
        P /= P.sum()
    assert np.isnan(ours.bound_).all()


@given(seed=st.integers(0, 10_000), measure=st.sampled_from(MEASURES), max_consecutive=st.sampled_from([None, 1, 3]))
@settings(max_examples=40, deadline=None)
def test_theorem_1_holds_in_every_round(seed: int, measure: str, max_consecutive: int | None) -> None:
    ranker = rw.AdaRank(measure=measure, n_rounds=10, max_consecutive=max_consecutive).fit(_problem(seed))
    train = np.array([row["train"] for row in ranker.history_])
    assert (train >= ranker.bound_ - 1e-9).all()


def test_theorem_1_with_a_perfect_first_round_and_a_lower_is_better_measure() -> None:
    X, y = [[3.0], [2.0], [1.0]], [2, 1, 0]
    perfect = rw.AdaRank(measure="nDCG").fit(X, y)
    assert len(perfect.history_) == 1  # nothing is left to improve
    assert perfect.history_[0]["train"] == 1.0
    assert perfect.bound_[0] <= 1.0
    assert perfect.model_.weights[0] == alpha_of(1.0) < 7.4


def test_alpha_is_half_the_log_odds() -> None:
    assert alpha_of(0.5) == pytest.approx(0.5 * np.log((1 + 0.5) / (1 - 0.5)))
    assert alpha_of(-0.5) == pytest.approx(-alpha_of(0.5))
    assert np.isfinite(alpha_of(1.0))


def test_history_is_what_the_kept_model_scores() -> None:
    data = _problem(3, n_queries=30)
    ranker = rw.AdaRank(measure="AP", n_rounds=15).fit(data)
    best = ranker.history_[ranker.best_round_ - 1]["train"]
    assert best == max(row["train"] for row in ranker.history_)
    assert ranker.score(data) == pytest.approx(best, abs=1e-12)


def test_directions() -> None:
    data = rw.Dataset([[1.0], [2.0], [3.0], [4.0]], [1, 0, 0, 0])
    both = rw.AdaRank(measure="AP", n_rounds=2).fit(data)
    given_only = rw.AdaRank(measure="AP", n_rounds=2, directions="given").fit(data)
    assert both.score(data) == 1.0
    assert given_only.score(data) == 1 / 4


def test_a_feature_chosen_too_often_is_set_aside() -> None:
    data = _problem(1, n_queries=30)
    chosen = [row["feature"] for row in rw.AdaRank(n_rounds=20, max_consecutive=2).fit(data).history_]
    runs = [chosen[i : i + 3] for i in range(len(chosen) - 2)]
    assert all(len(set(run)) > 1 for run in runs)


@pytest.mark.parametrize("n", [2, 5])
def test_same_bits_for_any_partition_and_threads(n: int) -> None:
    data = _problem(4, n_queries=40)
    one = rw.AdaRank(n_rounds=15, n_threads=1).fit(data)
    with partitioned(n):
        many = rw.AdaRank(n_rounds=15, n_threads=n).fit(data)
    assert many.history_ == one.history_
    assert (many.model_.weights == one.model_.weights).all()


def test_query_weights_count_as_repetition() -> None:
    data = _problem(5, n_queries=12)
    twice = data.queries([0, *range(12)])
    weighted = rw.AdaRank(n_rounds=8).fit(data, query_weight=[2.0] + [1.0] * 11)
    repeated = rw.AdaRank(n_rounds=8).fit(twice)
    assert [r["feature"] for r in weighted.history_] == [r["feature"] for r in repeated.history_]
    assert np.allclose([r["step"] for r in weighted.history_], [r["step"] for r in repeated.history_], rtol=1e-9)


def test_the_validation_set_chooses_the_round() -> None:
    data, valid = _problem(6, n_queries=30), _problem(7, n_queries=30)
    ranker = rw.AdaRank(n_rounds=20).fit(data, valid=valid)
    column = [row["valid"] for row in ranker.history_]
    assert ranker.best_round_ == int(np.argmax(column)) + 1
    assert ranker.score(valid) == pytest.approx(max(column), abs=1e-12)


def test_patience_stops() -> None:
    ranker = rw.AdaRank(n_rounds=500, patience=3).fit(_problem(8, n_queries=30))
    assert len(ranker.history_) == ranker.best_round_ + 3


def test_weak_rankers_may_be_rankers_trained_on_sampled_queries(tmp_path: object) -> None:
    data = _problem(9, n_queries=30)
    weak = rw.SampledQueries(rw.SingleFeature(measure="AP"), share=0.3, rng=1)
    ranker = rw.AdaRank(measure="AP", weak=weak, n_rounds=6).fit(data)
    again = rw.AdaRank(measure="AP", weak=weak, n_rounds=6).fit(data)
    assert ranker.history_ == again.history_
    assert (ranker.predict(data) == again.predict(data)).all()
    assert (np.array([row["train"] for row in ranker.history_]) >= ranker.bound_ - 1e-9).all()


def test_a_measure_outside_its_range_is_refused() -> None:
    class Doubled(rw.Measure):
        name = "_Doubled"
        bounds = (0.0, 2.0)

        def of_ranking(self, labels: np.ndarray) -> float:
            return 2.0 * float(labels[0] > 0)

    with pytest.raises(rw.InputError, match="within"):
        rw.AdaRank(measure=Doubled()).fit(_problem(1))


def test_nothing_to_find_is_refused() -> None:
    with pytest.raises(rw.InputError, match="something to find"):
        rw.AdaRank(measure="AP(empty=skip)").fit([[1.0], [2.0]], [0, 0])


def test_constant_features_leave_all_tied() -> None:
    data = rw.Dataset(np.ones((4, 2)), [0, 1, 0, 0])
    ranker = rw.AdaRank(measure="AP", n_rounds=3).fit(data)
    assert ranker.score(data) == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
