"""The public checks find what is wrong: each of these rankers and measures breaks a rule, and is told which."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import rankwright as rw
from rankwright.checks import MEASURE_CHECKS, RANKER_CHECKS, CheckFailed, check_measure, check_ranker
from rankwright.errors import InputError
from rankwright.measures import REGISTRY, Measure
from rankwright.models import LinearModel
from rankwright.rankers import Ranker

_count = 0


class Sound(Ranker):
    """Weighs each feature by its covariance with the label, summed in fixed order.

    Parameters
    ----------
    measure : what it is judged by.
    n_threads : threads.
    callbacks : watchers.
    """

    name = "sound_for_tests"

    def weights(self, train: rw.Dataset) -> Any:
        X = np.nan_to_num(np.asarray(train.X.todense() if train.is_sparse else train.X, dtype=np.float64))
        return (X * (train.y - train.y.mean())[:, None]).sum(axis=0)

    def learn(self, train, valid, rounds):
        model = LinearModel(self.weights(train))
        for _ in rounds.of(1):
            valid_scores = None if valid is None else model.scores(valid.X)
            rounds.record(lambda: model, train_scores=model.scores(train.X), valid_scores=valid_scores)
        return model


class Forgetful(Sound):
    """Does not describe its options."""

    name = "forgetful_for_tests"
    depth: int = 3


class Random(Sound):
    __doc__ = Sound.__doc__
    name = "random_for_tests"

    def weights(self, train):
        global _count
        _count += 1
        return super().weights(train) * _count


class Greedy(Sound):
    __doc__ = Sound.__doc__
    name = "greedy_for_tests"

    def weights(self, train):
        return super().weights(train) * self.threads


class FirstQuery(Sound):
    __doc__ = Sound.__doc__
    name = "first_query_for_tests"

    def weights(self, train):
        return super().weights(train.queries([0]))


class FirstDocument(Sound):
    __doc__ = Sound.__doc__
    name = "first_document_for_tests"

    def weights(self, train):
        return super().weights(train) * (1 + train.y[train.qptr[:-1]].mean())


class Fragile(Sound):
    __doc__ = Sound.__doc__
    name = "fragile_for_tests"

    def weights(self, train):
        X = np.asarray(train.X.todense() if train.is_sparse else train.X, dtype=np.float64)
        return (X * (train.y - train.y.mean())[:, None]).sum(axis=0)


class Upside(Sound):
    __doc__ = Sound.__doc__
    name = "upside_for_tests"

    def weights(self, train):
        return -super().weights(train)


class Exempt(Upside):
    __doc__ = Sound.__doc__
    name = "exempt_for_tests"
    exempt = {"it_learns": "it ranks the worst first, on purpose"}  # noqa: RUF012


class Changing(Sound):
    __doc__ = Sound.__doc__
    name = "changing_for_tests"

    def learn(self, train, valid, rounds):
        self.n_threads = 2
        return super().learn(train, valid, rounds)


class Clinging(Sound):
    __doc__ = Sound.__doc__
    name = "clinging_for_tests"

    def learn(self, train, valid, rounds):
        self.__dict__["_seen"] = self.__dict__.get("_seen", 0) + 1
        return LinearModel(super().learn(train, valid, rounds).weights * self._seen)


class Swallowing(Sound):
    __doc__ = Sound.__doc__
    name = "swallowing_for_tests"

    def learn(self, train, valid, rounds):
        try:
            return super().learn(train, valid, rounds)
        except KeyboardInterrupt:
            return LinearModel(self.weights(train))


class Unsavable(Sound):
    __doc__ = Sound.__doc__
    name = ""


class NoWeights(Sound):
    __doc__ = Sound.__doc__
    name = "no_weights_for_tests"

    def weights(self, train):
        return super().weights(train) * (1.0 if train.query_weight is None else 2.0)


@pytest.mark.parametrize(
    ("ranker", "broken"),
    [
        (Forgetful, {"options_are_the_signature"}),
        (Random, {"same_model_again", "threads_do_not_matter", "refitting_starts_anew"}),
        (Greedy, {"threads_do_not_matter"}),
        (FirstQuery, {"query_order_does_not_matter"}),
        (FirstDocument, {"document_order_does_not_matter"}),
        (Fragile, {"missing_values"}),
        (Upside, {"it_learns"}),
        (Changing, {"fit_leaves_options_alone"}),
        (Clinging, {"refitting_starts_anew"}),
        (Swallowing, {"an_interruption_breaks_nothing"}),
        (Unsavable, {"saving_keeps_every_bit"}),
        (NoWeights, {"equal_weights_are_no_weights"}),
    ],
)
def test_each_broken_ranker_is_told_what_is_broken(ranker, broken) -> None:
    with pytest.raises(CheckFailed) as failed:
        check_ranker(ranker)
    assert broken <= set(failed.value.failures)
    assert len(failed.value.failures) <= len(broken) + 8
    for name in broken:
        assert f"\n  {name}: " in str(failed.value)
    assert check_ranker(ranker, skip=dict.fromkeys(failed.value.failures, "known")) != []


def test_a_sound_ranker_has_every_property() -> None:
    assert check_ranker(Sound) == list(RANKER_CHECKS)


def test_a_class_may_exempt_itself_with_a_reason() -> None:
    assert set(RANKER_CHECKS) - set(check_ranker(Exempt)) == {"it_learns"}


def test_unknown_checks_to_skip_are_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'it_learns'"):
        check_ranker(Sound, skip={"it_learn": "no such"})


def test_failures_can_be_passed_between_processes() -> None:
    failed = CheckFailed("it", {"a": "b"}, 3)
    again = pickle.loads(pickle.dumps(failed))
    assert (str(again), again.failures) == (str(failed), failed.failures)
    assert str(failed) == "1 of 3 properties do not hold for it:\n  a: b"
    assert isinstance(failed, AssertionError)


# -- measures ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def _registry_as_it_was():
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def _first(labels) -> float:
    return float(labels[0] > 0)


def _measure(of_ranking, **members) -> Measure:
    annotations = {name: type(value) for name, value in members.pop("options", {}).items()}
    body = {"of_ranking": lambda self, labels: of_ranking(labels), "name": "forTests", "__module__": __name__}
    options = {name: members.pop(name) for name in list(members) if name in annotations}
    return dataclass(frozen=True)(type("ForTests", (Measure,), {**body, **options, **members}))()


@pytest.mark.usefixtures("_registry_as_it_was")
@pytest.mark.parametrize(
    ("make", "broken"),
    [
        (lambda: _measure(lambda labels: 2.0 * _first(labels)), {"within_its_bounds"}),
        (lambda: _measure(lambda labels: 1.0 - _first(labels)), {"best_on_the_ideal_order"}),
        (
            lambda: _measure(_first, swap_deltas=lambda self, labels: np.zeros((len(labels), len(labels)))),
            {"swap_deltas_are_the_brute_force"},
        ),
        (lambda: _measure(_first, __str__=lambda self: "nDCG"), {"printed_form_parses_back"}),
        (lambda: _measure(_first, __hash__=lambda self: id(self)), {"printed_form_parses_back"}),
        (
            lambda: _measure(_first, per_query=lambda self, y, s, qptr=None, **_: np.zeros(1)),
            {"value_is_of_the_ranking", "unfit_scores_are_refused"},
        ),
        (lambda: _measure(lambda labels: labels.sort() or 0.5), {"inputs_are_not_changed"}),
        (lambda: _measure(_first, is_empty=lambda self, labels: False), {"no_documents_at_all"}),
    ],
)
def test_each_broken_measure_is_told_what_is_broken(make, broken) -> None:
    with pytest.raises(CheckFailed) as failed:
        check_measure(make(), skip={"it_is_a_value": "made on the spot, so it cannot be pickled"})
    assert broken <= set(failed.value.failures)


@pytest.mark.usefixtures("_registry_as_it_was")
def test_a_sound_measure_has_every_property() -> None:
    skip = {"it_is_a_value": "made on the spot, so it cannot be pickled"}
    assert check_measure(_measure(_first), skip=skip) == [name for name in MEASURE_CHECKS if name not in skip]
    assert check_measure(type(rw.measure("AP"))) == list(MEASURE_CHECKS)


class Careful(Sound):
    __doc__ = Sound.__doc__
    name = "careful_for_tests"
    error = InputError

    def weights(self, train):
        if (train.y == train.y[0]).all():
            raise self.error("there must be different labels. Got one. Pass judged queries.")
        return super().weights(train)


class Crashing(Careful):
    __doc__ = Sound.__doc__
    name = "crashing_for_tests"
    error = ZeroDivisionError


def test_refusing_where_nothing_can_be_learned_is_fine_and_crashing_is_not() -> None:
    assert "no_relevant_documents" in check_ranker(Careful)
    with pytest.raises(CheckFailed) as failed:
        check_ranker(Crashing)
    assert set(failed.value.failures) == {"one_document", "no_relevant_documents"}
