"""Flags of `train` that come from the ranker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from annotated_types import Gt

from rankwright.cli.flags import options_help, take_flags
from rankwright.errors import InputError
from rankwright.rankers import REGISTRY, Ranker

OWN = {"--ranker", "--measure", "--help"}


@pytest.fixture
def flagged() -> Iterator[str]:
    """A ranker with one option of each kind, in the registry while a test runs."""

    class Flagged(Ranker):
        """Ranks nothing."""

        name = "flagged_ranker"
        n_rounds: int = 10
        learning_rate: Annotated[float, Gt(0)] = 0.1
        bagging: bool = False
        directions: str | None = None
        weak: Any = None

    yield Flagged.name
    del REGISTRY[Flagged.name]


@pytest.mark.parametrize(
    ("typed", "rest", "given"),
    [
        ("train.svm --n-rounds 300", ["train.svm"], {"n_rounds": 300}),
        ("--n-rounds=300 train.svm", ["train.svm"], {"n_rounds": 300}),
        ("--n_rounds 300 train.svm", ["train.svm"], {"n_rounds": 300}),
        ("--learning-rate 1e-3 a b", ["a", "b"], {"learning_rate": 0.001}),
        ("--bagging train.svm", ["train.svm"], {"bagging": True}),
        ("--no-bagging train.svm", ["train.svm"], {"bagging": False}),
        ("--bagging no train.svm", ["train.svm"], {"bagging": False}),
        ("--directions none", [], {"directions": None}),
        ("--measure AP x", ["--measure", "AP", "x"], {}),
        ("a -- --n-rounds 3", ["a", "--", "--n-rounds", "3"], {}),
    ],
)
def test_flags_are_the_rankers_options(flagged: str, typed: str, rest: list[str], given: dict[str, object]) -> None:
    assert take_flags(typed.split(), OWN, flagged) == (rest, given)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("--n-rownds 3", "no option --n-rownds. Did you mean --n-rounds"),
        ("--n-rounds", "--n-rounds needs a value: whole number"),
        ("--n-rounds many", "n_rounds must be whole number. Got 'many'"),
        ("--learning-rate 0", "learning_rate must be number > 0"),
    ],
)
def test_wrong_flags_are_errors_that_help(flagged: str, typed: str, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("(", r"\(")):
        take_flags(typed.split(), OWN, flagged)


def test_an_unknown_flag_without_a_ranker_is_an_error() -> None:
    with pytest.raises(InputError, match=r"no option --mesure. Did you mean --measure"):
        take_flags(["--mesure", "AP"], OWN, None)


def test_every_option_of_a_ranker_is_in_its_help(flagged: str) -> None:
    page = options_help(flagged)
    assert all(flag in page for flag in ("--n-rounds", "--learning-rate", "--bagging", "--directions"))
    assert "number > 0; default 0.1" in page
    assert "--callbacks" not in page
    assert "--weak" not in page  # no value of it can be typed
