"""Rounds: counting, measuring, the best one."""

from __future__ import annotations

import numpy as np
import pytest

import rankwright as rw
from rankwright.data import Dataset
from rankwright.models import LinearModel
from rankwright.rankers import Callback, Rounds
from rankwright.rankers.rounds import weighted_mean

DATA = Dataset([[1.0], [2.0], [3.0], [4.0]], [1, 0, 0, 1], group=[2, 2])
ZERO = LinearModel(np.zeros(1))


def _rounds(*values: float, column: str = "train", measure: str = "AP", fallback: str = "last") -> Rounds:
    rounds = Rounds("test", rw.measure(measure), DATA, fallback=fallback)
    for value in values:
        rounds.history.append({"round": len(rounds.history) + 1, column: value})
    return rounds


def test_rounds_are_numbered_from_one_and_stop_when_asked() -> None:
    rounds = Rounds("test", rw.measure("AP"), DATA)
    seen = []
    for t in rounds.of(5):
        seen.append(t)
        if t == 3:
            rounds.stop("enough")
    assert seen == [1, 2, 3]
    assert rounds.stopped == "enough"
    assert list(rounds.of(2)) == []  # a stopped run has no further phase


def test_a_row_has_the_measures_and_what_the_ranker_adds() -> None:
    rounds = Rounds("test", rw.measure("AP"), DATA, valid=DATA)
    row = rounds.record(
        lambda: ZERO, train_scores=[2, 1, 2, 1], valid_scores=[1, 2, 1, 2], step=np.float32(0.5), leaf=3
    )
    assert row == {"round": 1, "train": (1 + 1 / 2) / 2, "valid": (1 / 2 + 1) / 2, "step": 0.5, "leaf": 3}
    assert type(row["step"]) is float
    assert rounds.record(lambda: ZERO, train=0.25) == {"round": 2, "train": 0.25}
    assert rounds.current_model() is ZERO


def test_measured_counts_query_weights() -> None:
    weighted = DATA.replace(query_weight=np.array([3.0, 1.0]))
    assert _rounds().measured([2, 1, 2, 1], weighted) == (3 * 1 + 1 * 1 / 2) / 4


@pytest.mark.parametrize(
    ("values", "weights", "expected"),
    [
        ([1.0, 0.0], None, 1 / 2),
        ([1.0, np.nan], None, 1.0),
        ([1.0, 0.0], [1.0, 3.0], 1 / 4),
        ([np.nan, 0.5], [9.0, 1.0], 0.5),
        ([1.0, np.nan], [0.0, 1.0], np.nan),  # nothing that counts has a value
        ([np.nan], None, np.nan),
    ],
)
def test_weighted_mean(values, weights, expected) -> None:
    got = weighted_mean(np.array(values), None if weights is None else np.array(weights))
    assert np.array_equal(got, expected, equal_nan=True)


@pytest.mark.parametrize(
    ("rounds", "best"),
    [
        (_rounds(), 0),
        (_rounds(0.1, 0.9, 0.5), 3),  # the last, when nothing else is said
        (_rounds(0.1, 0.9, 0.9, fallback="train"), 2),  # the first of equals
        (_rounds(0.1, 0.9, 0.5, column="valid"), 2),
        (_rounds(np.nan, 0.2, np.nan, column="valid"), 2),
        (_rounds(np.nan, np.nan, column="valid"), 2),  # nothing known: the last
    ],
)
def test_the_best_round(rounds, best) -> None:
    assert rounds.best() == best


def test_the_best_round_may_be_asked_by_another_column() -> None:
    assert _rounds(0.3, 0.1).best("train") == 1


def test_of_starts_and_ends_its_callbacks_without_fit() -> None:
    calls = []

    class Watch(Callback):
        def start(self, run) -> None:
            calls.append(("start", run.n_rounds))

        def end(self, run) -> None:
            calls.append(("end", len(run.history)))

    rounds = Rounds("test", rw.measure("AP"), DATA, callbacks=[Watch()])
    for _ in rounds.of(2):
        rounds.record(lambda: ZERO, train=0.0)
    assert calls == [("start", 2), ("end", 2)]
    for _ in rounds.of(3):
        break  # the ranker leaves: the next phase, or fit, ends it
    list(rounds.of(1))
    assert calls[2:] == [("start", 3), ("end", 2), ("start", 1), ("end", 2)]


def test_what_needs_a_round_or_a_ranker_says_so() -> None:
    with pytest.raises(RuntimeError, match="no round"):
        _rounds().current_model()
    with pytest.raises(RuntimeError, match="no ranker to save"):
        _rounds().save("nowhere.json")
