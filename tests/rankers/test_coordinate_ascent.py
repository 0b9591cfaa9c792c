"""Coordinate ascent: monotone, at rest only where no single weight can be bettered, repeatable."""

from __future__ import annotations

import numpy as np
import pytest

import rankwright as rw
from rankwright.line_search import Objective, best_step
from rankwright.rankers import Callback
from rankwright.rankers.coordinate_ascent import Ascent, columns_of, start_of


def _problem(seed: int, n_queries: int = 12, n_features: int = 4) -> rw.Dataset:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_queries * 8)
    X = rng.normal(size=(len(y), n_features)).astype(np.float32)
    X[:, 0] += 0.5 * y
    X[:, 1] -= 0.5 * y
    X[:, 2] = rng.integers(0, 2, len(y))
    return rw.Dataset(X, y, group=[8] * n_queries)


class _Weights(Callback):
    """The weights after every round; may stop the training after one."""

    def __init__(self, last: int = 10**9) -> None:
        self.last = last
        self.seen: list[np.ndarray] = []

    def round(self, run, row) -> None:
        self.seen.append(run.current_model().weights)
        if len(self.seen) == self.last:
            run.stop("enough")


@pytest.mark.parametrize("name", ["nDCG@5", "AP", "RR", "ERR", "KendallTau"])
def test_training_never_falls_within_a_start(name: str) -> None:
    E = rw.measure(name)
    fitted = rw.CoordinateAscent(measure=name, n_restarts=3, starts="best", tol=0.0).fit(_problem(0))
    assert {row["start"] for row in fitted.history_} == {1, 2, 3}
    for before, after in zip(fitted.history_, fitted.history_[1:], strict=False):
        if before["start"] == after["start"]:
            assert not E.better(before["train"], after["train"])


def test_where_it_rests_no_single_weight_can_be_bettered() -> None:
    data = _problem(1)
    fitted = rw.CoordinateAscent(measure="AP", n_restarts=1, starts="best", tol=0.0, n_passes=50).fit(data)
    assert len(fitted.history_) < 50
    objective = Objective(data.y, data.qptr, rw.measure("AP"))
    scores = fitted.predict(data)
    for k in range(data.n_features):
        value = best_step(objective, scores, data.X[:, k].astype(np.float64))[1]
        assert value <= fitted.history_[-1]["train"] + 1e-12


def test_the_measure_of_a_pass_is_that_of_its_model() -> None:
    data = _problem(2)
    fitted = rw.CoordinateAscent(measure="nDCG@3", n_restarts=2, starts="best").fit(data)
    best = max(row["train"] for row in fitted.history_)
    assert rw.measure("nDCG@3").mean(data.y, fitted.predict(data), data.qptr) == pytest.approx(best, abs=1e-12)


def test_the_same_seed_gives_the_same_model_on_any_number_of_threads() -> None:
    data = _problem(3)
    one, *others = (rw.CoordinateAscent(n_restarts=4, rng=5, n_threads=n).fit(data) for n in (1, 2, 3))
    for other in others:
        np.testing.assert_array_equal(one.model_.weights, other.model_.weights)
        assert one.history_ == other.history_


@pytest.mark.parametrize("begin", ["positive", "either", "equal"])
def test_where_starts_begin(begin: str) -> None:
    units = np.array([2.0, 0.0, 1.0])
    rng = np.random.default_rng(0)
    np.testing.assert_array_equal(start_of(1, units, rng, begin), units)
    drawn = np.array([start_of(2, units, rng, begin) / [2.0, 1.0, 1.0] for _ in range(50)])
    assert (drawn[:, 1] == 0).all()
    assert drawn.max() <= 1.0
    assert {"positive": drawn.min() >= 0, "either": drawn.min() < -0.5, "equal": (drawn[:, 0] == 1).all()}[begin]
    rw.CoordinateAscent(begin=begin, n_restarts=2).fit(_problem(15))


@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_stopped_training_has_the_passes_so_far(n_threads: int) -> None:
    """Starts that run ahead on other threads leave no trace."""
    data, whole, part = _problem(16), _Weights(), _Weights(last=3)
    rw.CoordinateAscent(starts="best", callbacks=[whole], n_threads=n_threads).fit(data)
    stopped = rw.CoordinateAscent(starts="best", callbacks=[part], n_threads=n_threads).fit(data)
    assert len(stopped.history_) == 3 < len(whole.seen)
    np.testing.assert_array_equal(part.seen, whole.seen[:3])


def test_a_pass_ends_early_where_no_one_waits_for_it() -> None:
    data = _problem(17)
    objective = Objective(data.y, data.qptr, rw.measure("AP"))
    ascent = Ascent(objective, data.X, columns_of(data), np.ones(data.n_features))
    ascent.left.set()
    assert ascent.one_pass(np.arange(data.n_features)) == 0.0 == ascent.n_steps


def test_it_is_saved_and_read_bit_for_bit(tmp_path) -> None:
    data = _problem(4)
    fitted = rw.CoordinateAscent(n_restarts=1).fit(data)
    fitted.save(tmp_path / "model.json")
    np.testing.assert_array_equal(rw.load(tmp_path / "model.json").predict(data), fitted.predict(data))


def test_validation_chooses_the_pass_and_ends_starts() -> None:
    train, valid = _problem(5), _problem(6)
    fitted = rw.CoordinateAscent(n_restarts=2, starts="best", patience=1, tol=0.0).fit(train, valid=valid)
    values = [row["valid"] for row in fitted.history_]
    assert fitted.best_round_ == int(np.argmax(values)) + 1
    assert rw.measure("nDCG@10").mean(valid.y, fitted.predict(valid), valid.qptr) == pytest.approx(max(values))


@pytest.mark.parametrize("scale", ["z", "minmax", "none"])
def test_constant_features_and_missing_values_do_no_harm(scale: str) -> None:
    data = _problem(7)
    X = np.column_stack([data.X, np.full(data.n_docs, 3.0)])
    X[::5, 0] = np.nan
    fitted = rw.CoordinateAscent(n_restarts=1, scale=scale).fit(X, data.y, group=data.group_sizes)
    assert fitted.model_.weights[-1] == 0.0
    assert np.isfinite(fitted.predict(X)).all()


@pytest.mark.parametrize("scale", ["z", "none"])
def test_weights_may_be_kept_positive(scale: str) -> None:
    """Feature 1 says the opposite of what is wanted: free weights turn it round, positive ones hardly use it."""
    data = _problem(8)
    free = rw.CoordinateAscent(n_restarts=2, starts="best", scale=scale).fit(data)
    held = rw.CoordinateAscent(n_restarts=2, starts="best", scale=scale, positive=True).fit(data)
    assert free.model_.weights[1] < 0
    assert (held.model_.weights >= 0).all()
    assert 0 < max(row["train"] for row in held.history_) <= max(row["train"] for row in free.history_)


def test_a_weight_is_not_searched_again_before_another_has_moved() -> None:
    data = _problem(9)
    searched: list[int] = []
    objective = Objective(data.y, data.qptr, rw.measure("AP"))
    ascent = Ascent(objective, data.X, columns_of(data), np.ones(data.n_features))
    while ascent.one_pass(np.arange(data.n_features)) > 0:
        searched.append(ascent.n_steps)
    before, ascent.columns = ascent.n_steps, np.full_like(ascent.columns, np.nan)  # a search would fail on these
    ascent._settle = lambda: None
    assert ascent.one_pass(np.arange(data.n_features)) == 0.0
    assert ascent.n_steps == before
    assert searched == sorted(searched)


def test_the_mean_of_the_starts_is_the_last_round() -> None:
    train, valid = _problem(10), _problem(11)
    fitted = rw.CoordinateAscent(n_restarts=3).fit(train, valid=valid)
    rows = fitted.history_
    assert fitted.best_round_ == len(rows)
    assert [row["start"] for row in rows if row["start"] == 0] == [rows[-1]["start"]]
    each = rw.CoordinateAscent(n_restarts=3, starts="best").fit(train, valid=valid)
    assert [row["train"] for row in each.history_] == [row["train"] for row in rows[:-1]]
    assert rows[-1]["train"] == rw.measure("nDCG@10").mean(train.y, fitted.predict(train), train.qptr)


def test_with_validation_data_the_mean_is_of_the_best_pass_of_each_start() -> None:
    train, valid = _problem(13), _problem(14)
    watcher = _Weights()
    each = rw.CoordinateAscent(n_restarts=4, starts="best", tol=0.0, callbacks=[watcher]).fit(train, valid=valid)
    ends: dict[float, tuple[float, int]] = {}
    for row in each.history_:
        if row["valid"] > ends.get(row["start"], (-1.0, 0))[0]:
            ends[row["start"]] = row["valid"], row["round"]
    last = {row["start"]: row["round"] for row in each.history_}
    assert any(last[start] != number for start, (_, number) in ends.items())
    weights = [watcher.seen[number - 1] for _, number in ends.values()]
    mean = rw.CoordinateAscent(n_restarts=4, tol=0.0).fit(train, valid=valid)
    np.testing.assert_allclose(mean.model_.weights, np.mean(weights, axis=0), rtol=1e-15)


def test_one_start_is_its_own_mean() -> None:
    data = _problem(12)
    one, best = (rw.CoordinateAscent(n_restarts=1, starts=starts).fit(data) for starts in ("mean", "best"))
    np.testing.assert_array_equal(one.model_.weights, best.model_.weights)
