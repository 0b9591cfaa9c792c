"""A ranker as a scikit-learn estimator and as a file."""

from __future__ import annotations

import inspect
import pickle
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from rankwright.checks.outcome import Check, registered, require
from rankwright.checks.samples import judged_lists
from rankwright.docstrings import parameters
from rankwright.errors import InputError
from rankwright.options import options_of
from rankwright.rankers import Callback, Ranker, load

CHECKS: dict[str, Check[Ranker]] = {}
check = registered(CHECKS)


@check
def options_are_the_signature(ranker: Ranker) -> None:
    """Options, signature and the Parameters of the docstring are the same list."""
    cls = type(ranker)
    declared = set(options_of(cls))
    signature = set(inspect.signature(cls).parameters)
    described = set(parameters(cls.__doc__))
    require(signature == declared, f"the signature has {signature ^ declared} more or less than the options")
    require(described == declared, f"the docstring has {described ^ declared} more or less than the options")


@check
def options_are_kept(ranker: Ranker) -> None:
    """`get_params` and a clone give back the options; no unknown option is taken."""
    params = ranker.get_params(deep=False)
    again = type(ranker)(**params).get_params(deep=False)
    require(all(again[name] is value for name, value in params.items()), "the constructor changes its options")
    require(repr(clone(ranker)) == repr(ranker), f"a clone prints {clone(ranker)!r}")
    taken = False
    with suppress(ValueError):
        clone(ranker).set_params(no_such_option=1)
        taken = True
    require(not taken, "set_params takes no_such_option")


@check
def fit_leaves_options_alone(ranker: Ranker) -> None:
    """`fit` returns the ranker and changes no option."""
    fresh = clone(ranker)
    before = fresh.get_params(deep=False)
    require(fresh.fit(judged_lists()) is fresh, "fit does not return the ranker")
    after = fresh.get_params(deep=False)
    changed = [name for name, value in before.items() if after[name] is not value]
    require(not changed, f"fit changes {changed}")


@check
def refitting_starts_anew(ranker: Ranker) -> None:
    """A second fit on other data is as if there had been no first."""
    other = judged_lists(5, n_features=3)
    again = clone(ranker).fit(judged_lists()).fit(other)
    once = clone(ranker).fit(other)
    require(np.array_equal(again.predict(other), once.predict(other)), "the scores remember the first fit")
    require(set(vars(again)) == set(vars(once)), f"left over: {set(vars(again)) ^ set(vars(once))}")


@check
def saving_keeps_every_bit(ranker: Ranker) -> None:
    """A saved ranker comes back with the same options and the same scores, bit for bit."""
    data = judged_lists()
    fitted = clone(ranker).fit(data)
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "first.json", Path(folder) / "second.json"
        fitted.save(first)
        again = load(first)
        again.save(second)
        require(first.read_bytes() == second.read_bytes(), "saving what was loaded writes another file")
    require(type(again) is type(ranker), f"it comes back as a {type(again).__name__}")
    require(again.predict(data).tobytes() == fitted.predict(data).tobytes(), "the scores differ")
    require(again.best_round_ == fitted.best_round_, "best_round_ differs")
    require(_plain(again.history_) == _plain(fitted.history_), "history_ differs")


@check
def pickling_keeps_every_bit(ranker: Ranker) -> None:
    """Pickled (for joblib and worker processes), it scores the same, bit for bit."""
    data = judged_lists()
    fitted = clone(ranker).fit(data)
    again = pickle.loads(pickle.dumps(fitted))
    require(again.predict(data).tobytes() == fitted.predict(data).tobytes(), "the scores differ")


@check
def history_has_a_row_a_round(ranker: Ranker) -> None:
    """`history_` counts its rounds from 1, `best_round_` is one of them, validation data is measured."""
    fitted = clone(ranker).fit(judged_lists(), valid=judged_lists(3))
    rounds = [row["round"] for row in fitted.history_]
    require(rounds == list(range(1, len(rounds) + 1)), f"the rounds are {rounds}")
    require(0 <= fitted.best_round_ <= len(rounds), f"best_round_ is {fitted.best_round_} of {len(rounds)}")
    require(all("valid" in row for row in fitted.history_), "rows have no value on the validation data")


@check
def an_interruption_breaks_nothing(ranker: Ranker) -> None:
    """Interrupted in its first round, it ends its callbacks and stays as it was before."""
    data, watcher = judged_lists(), _Interrupts()
    fitted = clone(ranker).set_params(callbacks=[watcher])
    before = set(vars(fitted))
    try:
        fitted.fit(data)
    except KeyboardInterrupt:
        require(watcher.calls == ["start", "round", "end"], f"the callback saw {watcher.calls}")
        require(set(vars(fitted)) == before, f"left over: {set(vars(fitted)) - before}")
    else:
        require("round" not in watcher.calls, "the interruption was swallowed")


@check
def bad_input_is_refused(ranker: Ranker) -> None:
    """Prediction before fitting, other columns, and missing labels are InputErrors."""
    data = judged_lists()
    fitted = clone(ranker).fit(data)
    _refused("predict before fit", clone(ranker).predict, data)
    _refused("other columns", fitted.predict, np.zeros((2, data.n_features + 1)))
    _refused("no labels", clone(ranker).fit, np.zeros((2, 1)))
    _refused("no documents", clone(ranker).fit, np.zeros((0, 2)), [])
    _refused("score without qid", fitted.score, data.X, data.y)


class _Interrupts(Callback):
    def __init__(self) -> None:
        self.calls: list[str] = []

    def start(self, run: Any) -> None:
        self.calls.append("start")

    def round(self, run: Any, row: Any) -> None:
        self.calls.append("round")
        raise KeyboardInterrupt

    def end(self, run: Any) -> None:
        self.calls.append("end")


def _refused(what: str, act: Any, *args: Any) -> None:
    try:
        act(*args)
    except InputError:
        return
    require(False, f"{what} is not refused")


def _plain(history: list[dict[str, float]]) -> str:
    finite = [{k: v if np.isfinite(v) else None for k, v in row.items()} for row in history]
    return repr(finite)
