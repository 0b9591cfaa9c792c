"""Callbacks: what they see, and that they are always ended."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rankwright as rw
from rankwright.errors import InputError
from rankwright.rankers import Callback, Checkpoint, EarlyStopping, Progress, Record


class Watch(Callback):
    """Notes every call; fails in the ones named."""

    def __init__(self, **fails: BaseException) -> None:
        self.fails, self.calls = fails, []

    def _note(self, call: str) -> None:
        self.calls.append(call)
        if call in self.fails:
            raise self.fails[call]

    def start(self, run) -> None:
        self._note("start")

    def round(self, run, row) -> None:
        self._note("round")

    def end(self, run) -> None:
        self._note("end")


def test_a_run_is_start_rounds_end(turns, lists) -> None:
    watch = Watch()
    turns(n_rounds=2, callbacks=[watch]).fit(lists)
    assert watch.calls == ["start", "round", "round", "end"]


@pytest.mark.parametrize("wrong", [KeyboardInterrupt(), RuntimeError("no"), SystemExit(3)])
@pytest.mark.parametrize("place", ["first", "last"])
def test_whatever_breaks_a_round_everyone_is_ended_once(turns, lists, wrong, place) -> None:
    bad, good = Watch(round=wrong), Watch()
    ranker = turns(callbacks=[bad, good] if place == "first" else [good, bad])
    with pytest.raises(type(wrong)):
        ranker.fit(lists)
    assert bad.calls == ["start", "round", "end"]
    assert good.calls == (["start", "end"] if place == "first" else ["start", "round", "end"])
    assert not hasattr(ranker, "model_")


def test_a_failing_start_ends_those_started(turns, lists) -> None:
    first, second, third = Watch(), Watch(start=OSError("no folder")), Watch()
    with pytest.raises(OSError, match="no folder"):
        turns(callbacks=[first, second, third]).fit(lists)
    assert [w.calls for w in (first, second, third)] == [["start", "end"], ["start", "end"], []]


def test_a_failing_end_ends_the_others_and_is_raised(turns, lists) -> None:
    first, second = Watch(end=OSError("disk full")), Watch(end=OSError("also full"))
    with pytest.raises(OSError, match="disk full"):
        turns(n_rounds=1, callbacks=[first, second]).fit(lists)
    assert second.calls == ["start", "round", "end"]


def test_an_interruption_is_not_hidden_by_a_failing_end(turns, lists) -> None:
    watches = [Watch(round=KeyboardInterrupt()), Watch(end=OSError("disk full"))]
    with pytest.raises(KeyboardInterrupt) as interrupted:
        turns(callbacks=watches).fit(lists)
    assert interrupted.value.__notes__ == ["Ending the training also failed: OSError: disk full"]


def test_an_interruption_inside_the_rankers_own_round_ends_everyone(turns, lists) -> None:
    class Interrupted(turns):
        """Interrupted."""

        def learn(self, train, valid, rounds):
            for t in rounds.of(5):
                if t == 2:
                    raise KeyboardInterrupt
                rounds.record(lambda: None, train=0.5)

    watch = Watch()
    with pytest.raises(KeyboardInterrupt):
        Interrupted(callbacks=[watch]).fit(lists)
    assert watch.calls == ["start", "round", "end"]


# -- early stopping ----------------------------------------------------------------------------------------------------


class Scripted(Callback):
    """Puts values into the rows, ahead of the callbacks after it."""

    def __init__(self, *values: float) -> None:
        self.values = values

    def round(self, run, row) -> None:
        row["valid"] = self.values[int(row["round"]) - 1]


@pytest.mark.parametrize(
    ("values", "patience", "tol", "rounds"),
    [
        ([0.1, 0.2, 0.2, 0.2, 0.9, 0.9], 2, 0.0, 4),
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 1, 0.0, 6),
        ([0.1, 0.15, 0.2, 0.25, 0.9, 0.9], 2, 0.2, 3),
        ([0.1, 0.05, 0.2, 0.1, 0.1, 0.9], 2, 0.0, 5),
        ([np.nan, np.nan, np.nan, np.nan, np.nan, 0.1], 1, 0.0, 6),
    ],
)
def test_early_stopping(turns, lists, values, patience, tol, rounds) -> None:
    fitted = turns(callbacks=[Scripted(*values), EarlyStopping(patience, tol)]).fit(lists)
    assert len(fitted.history_) == rounds


def test_early_stopping_by_the_rankers_own_options(turns, lists) -> None:
    one_feature = lists.with_features(lists.X[:, :1])  # the same ranking every round: no improvement
    assert len(turns(patience=2).fit(one_feature).history_) == 1 + 2
    assert len(turns().fit(one_feature).history_) == 6


def test_early_stopping_starts_anew_with_each_run(turns, lists) -> None:
    one_feature, stopping = lists.with_features(lists.X[:, :1]), EarlyStopping(1)
    for _ in range(2):
        assert len(turns(callbacks=[stopping]).fit(one_feature).history_) == 2


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: EarlyStopping(0), "patience must be"),
        (lambda: EarlyStopping(True), "patience must be"),
        (lambda: EarlyStopping(1, tol=-1.0), "tol must be"),
        (lambda: EarlyStopping(1, tol=float("nan")), "tol must be"),
        (lambda: Checkpoint("x.json", every=0), "every must be"),
    ],
)
def test_unfit_options_are_refused(make, reason) -> None:
    with pytest.raises(InputError, match=reason):
        make()


# -- checkpoints -------------------------------------------------------------------------------------------------------


def test_a_checkpoint_is_the_ranker_as_it_would_be(turns, lists, tmp_path) -> None:
    path, valid = tmp_path / "part.json", lists.queries([0, 1, 2])
    fitted = turns(n_rounds=5, measure="AP", callbacks=[Checkpoint(path, every=2)]).fit(lists, valid=valid)
    again = rw.load(path)
    assert again.get_params() == {**fitted.get_params(), "callbacks": ()}
    assert again.history_ == fitted.history_
    assert again.best_round_ == fitted.best_round_
    assert again.predict(lists).tobytes() == fitted.predict(lists).tobytes()
    fitted.save(tmp_path / "whole.json")
    assert (tmp_path / "whole.json").read_bytes() == path.read_bytes()


def test_an_interrupted_training_leaves_its_last_round(turns, lists, tmp_path) -> None:
    class Interrupt(Callback):
        def round(self, run, row) -> None:
            if row["round"] == 3:
                raise KeyboardInterrupt

    path = tmp_path / "part.json"
    with pytest.raises(KeyboardInterrupt):
        turns(callbacks=[Interrupt(), Checkpoint(path, every=10)]).fit(lists)
    again, three = rw.load(path), turns(n_rounds=3).fit(lists)
    assert again.history_ == three.history_
    assert again.predict(lists).tobytes() == three.predict(lists).tobytes()
    assert [p.name for p in tmp_path.iterdir()] == ["part.json"]


def test_checkpoints_are_written_every_so_often_and_the_last_round_once(turns, lists, tmp_path, monkeypatch) -> None:
    written = []
    monkeypatch.setattr("rankwright.rankers.base.write_document", lambda path, doc: written.append(len(doc["history"])))
    turns(n_rounds=5, callbacks=[Checkpoint(tmp_path / "a.json", every=2)]).fit(lists)
    assert written == [2, 4, 5]
    written.clear()
    turns(n_rounds=4, callbacks=[Checkpoint(tmp_path / "a.json", every=2)]).fit(lists)
    assert written == [2, 4]


def test_a_checkpoint_without_a_folder_fails_before_training(turns, lists, tmp_path) -> None:
    watch = Watch()
    with pytest.raises(InputError, match="folder must exist"):
        turns(callbacks=[watch, Checkpoint(tmp_path / "none" / "a.json")]).fit(lists)
    assert watch.calls == ["start", "end"]


# -- recording and progress --------------------------------------------------------------------------------------------


def test_a_record_keeps_rows_with_their_time_and_writes_them_as_they_come(turns, lists, tmp_path) -> None:
    path = tmp_path / "rows.jsonl"
    seen = []

    class Follow(Callback):
        def round(self, run, row) -> None:
            seen.append(len(path.read_text().splitlines()))

    record = Record(path)
    fitted = turns(n_rounds=3, callbacks=[record, Follow()]).fit(lists)
    assert seen == [1, 2, 3]
    assert [{k: v for k, v in row.items() if k != "seconds"} for row in record.rows] == fitted.history_
    assert [json.loads(line) for line in path.read_text().splitlines()] == record.rows
    assert record.rows[0]["seconds"] <= record.rows[2]["seconds"]
    turns(n_rounds=1, callbacks=[record]).fit(lists)
    assert len(path.read_text().splitlines()) == len(record.rows) == 1


def test_progress_shows_the_live_measure_on_standard_error(turns, lists, capsys) -> None:
    turns(n_rounds=2, measure="AP", callbacks=[Progress(force=True)]).fit(lists, valid=lists)
    out, err = capsys.readouterr()
    assert out == ""
    assert "turns_for_tests" in err
    assert "AP train" in err
    assert "2/2" in err


def test_progress_is_quiet_where_nobody_looks(turns, lists, capsys) -> None:
    turns(n_rounds=2, callbacks=[Progress()]).fit(lists)
    assert capsys.readouterr() == ("", "")
